import { sql } from 'kysely'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { leadForgotten } from '#engines/lead/known.server.ts'
import { nextNumber, numbersKept } from '#engines/sequence/server.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serveRequests } from '#kit/server/serve/serve-requests.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { discountAsked, grantDiscount, grantGift, grantQuota, quotaAsked } from './granting.server.ts'
import { requests, resource, workflow } from './model.ts'
import { priceRoute } from './price-now.server.ts'
import { grantTakeOver, leadRoute, lockTakenOver, takeOverAsked } from './taking-over.server.ts'

const served = serveRequests(resource, workflow, requests, {
  async begin(op, { giftToId }) {
    if (giftToId) await lockMember(op.tx, giftToId)
    return { ownerId: op.actor.id, orgId: op.actor.orgId, requestNo: await nextNumber(op, 'Q') }
  },
  // Members before leads, and both before what is asked for of them.
  async lock(op, id) {
    const found = await op.tx
      .selectFrom('sales_request')
      .select(['gift_to_id', 'lead_phone'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (found?.gift_to_id) await lockMember(op.tx, found.gift_to_id)
    if (found?.lead_phone) await lockTakenOver(op, found.lead_phone)
  },
  constraints: { sales_request_open: { code: 'already-asked', field: 'kind' } },
  kinds: {
    TAKE_OVER: { asked: takeOverAsked, grant: grantTakeOver },
    EXTRA_QUOTA: { asked: quotaAsked, grant: grantQuota },
    DISCOUNT: { asked: discountAsked, grant: grantDiscount },
    GIFT: { grant: grantGift },
  },
})

const KEPT_DAYS = 180

/** Of numbers nobody decides on any more, none is kept longer than those of leads that led nowhere. */
const forget = defineJob({
  name: 'forget-request-numbers',
  cron: '0 25 3 * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }) {
    const { rows } = await sql`
      update sales_request set lead_phone = null, version = version + 1
      where lead_phone is not null and ended_at < ${now}::timestamptz - ${`${KEPT_DAYS} days`}::interval returning id`.execute(
      tx,
    )
    return rows.length
  },
})

export const routes: Routes = app => [...served.routes(app), leadRoute(app), priceRoute(app)]
export const jobs = [...served.jobs, forget]
export const listeners: readonly Listener[] = [
  forgets({
    table: 'sales_request',
    where:
      't.lead_phone = any($2::text[]) or t.gift_to_id = $1 or t.lead_id in (select id from lead where member_id = $1)',
    becomes: { lead_phone: 'null', reason: "'-'" },
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await sql`
      update sales_request set lead_phone = null, reason = '-', version = version + 1
      where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId, orgId }) => {
    await sql`update sales_request set owner_id = ${toId}, org_id = ${orgId} where owner_id = ${fromId}`.execute(tx)
  }),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update sales_request set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]
export const invariants: readonly Invariant[] = [
  ...numbersKept('Q', { table: 'sales_request', no: 'request_no', givenAt: 'created_at' }),
  ...served.invariants,
  {
    name: 'more claims are given exactly where they were asked for and agreed to',
    query: `
      select r.id, x.request_id from sales_request r full join lead_pool_extra x on x.request_id = r.id
      where (r.kind = 'EXTRA_QUOTA' and r.status = 'APPROVED') is distinct from (x.request_id is not null)
        or (x.request_id is not null and (x.pool_id, x.staff_id, x.day, x.extra) is distinct from
          (r.pool_id, r.applicant_id, r.quota_day, r.extra_claims))`,
  },
]
