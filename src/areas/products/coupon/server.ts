import { sql } from 'kysely'
import type * as z from 'zod'
import { numbersFileRoute } from '#engines/audience/file.server.ts'
import { rules } from '#engines/rule/declared.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { once } from '#kit/server/change/idempotency.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { idParams, type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { sendCoupon } from './giving.server.ts'
import { heldRoute } from './held.server.ts'
import { child } from './holders/model.ts'
import { type Issued, issueBody, issued, reach, reachBody } from './issuing.model.ts'
import { issueCoupon, membersOf, reachOf, visible } from './issuing.server.ts'
import { type Coupon, isOver, resource, workflow } from './model.ts'

const servedBy = (app: App) =>
  serve(resource, {
    workflow,
    async facts(_db, rows) {
      const today = dayOf(app.clock.now())
      return new Map(rows.map(({ id }) => [id, { today }]))
    },
    async store(op, input, before, write) {
      const coupon = sensible(input)
      if (before) await requireKept(op, before, coupon)
      else if (isOver(coupon, dayOf(op.now))) throw onField('validTo', refuse('coupon-past'))
      await requireProducts(op, coupon.productIds)
      return write(coupon)
    },
    async kept(db, rows) {
      const held = await sql<{ id: string }>`
      select c.id from unnest(${rows.map(({ id }) => id)}::bigint[]) c (id)
      where exists (select from member_coupon m where m.coupon_id = c.id)`.execute(db)
      return new Map(held.rows.map(({ id }) => [id, refuse('coupon-was-taken')]))
    },
    effects: { recall: (op, row, { memberId }) => recall(op, row, memberId) },
    constraints: { coupon_within_total: { code: 'total-below-taken', field: 'total' } },
  })

export const routes: Routes = app => [
  ...servedBy(app)(app),
  issueRoute(app),
  reachRoute(app),
  numbersFileRoute(app, resource, 'issue'),
  ...serveChild(child)(app),
  heldRoute(app),
]

/** What makes no sense for its kind is left out, and what its kind needs must be there. */
function sensible<C extends Coupon>(input: C): C {
  const isDiscount = input.kind === 'DISCOUNT'
  const isFixed = input.validity === 'FIXED'
  if (isDiscount && input.permille === null) throw onField('permille', refuse('permille-missing'))
  if (isFixed && (input.validFrom === null || input.validTo === null))
    throw onField(input.validFrom === null ? 'validFrom' : 'validTo', refuse('dates-missing'))
  if (isFixed && String(input.validFrom) > String(input.validTo)) throw onField('validTo', refuse('dates-reversed'))
  if (!isFixed && input.validDays === null) throw onField('validDays', refuse('days-missing'))
  const productIds = input.scope === 'PRODUCTS' ? [...new Set(input.productIds)] : []
  if (input.scope === 'PRODUCTS' && productIds.length === 0) throw onField('productIds', refuse('products-missing'))
  return {
    ...input,
    permille: isDiscount ? input.permille : null,
    validFrom: isFixed ? input.validFrom : null,
    validTo: isFixed ? input.validTo : null,
    validDays: isFixed ? null : input.validDays,
    productIds,
  }
}

/** Fields that may change after somebody took one; all others are what was promised. */
const CHANGEABLE: ReadonlySet<string> = new Set(['name', 'total', 'perPerson'])

async function requireKept({ tx }: Operation, before: Coupon, after: Coupon): Promise<void> {
  if (after.total < before.taken) throw onField('total', refuse('total-below-taken'))
  const most = await sql<{ held: number }>`
    select count(*)::int as held from member_coupon where coupon_id = ${before.id} and status <> 'RECALLED'
    group by member_id order by 1 desc limit 1`.execute(tx)
  const held = most.rows[0]?.held ?? 0
  if (after.perPerson < held) throw onField('perPerson', refuse('limit-below-held', { held }))
  if (before.taken === 0) return
  const changed = resource.edit.find(
    field => !CHANGEABLE.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  if (changed) throw onField(changed, refuse('coupon-promised'))
}

async function requireProducts({ tx }: Operation, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = await tx.selectFrom('product').select('id').where('id', 'in', ids).execute()
  if (known.length < ids.length) throw onField('productIds', refuse('product-gone'))
}

/** Unused ones go back, of one member or of all; the number they leave free may be issued again. */
async function recall({ tx }: Operation, coupon: Coupon, memberId: string | null): Promise<Partial<Coupon>> {
  const { numUpdatedRows } = await tx
    .updateTable('member_coupon')
    .set({ status: 'RECALLED' })
    .where('coupon_id', '=', coupon.id)
    .where('status', '=', 'UNUSED')
    .$if(memberId !== null, query => query.where('member_id', '=', String(memberId)))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Refused(refuse('nothing-to-recall'))
  return { taken: coupon.taken - Number(numUpdatedRows) }
}

const access = { page: resource.screen.key, action: 'issue' } as const
const path = `/${resource.screen.name}`

const issueRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `${path}/:id/issue`,
    texts: resource.screen.name,
    access,
    params: idParams,
    body: issueBody,
    answer: issued,
    summary: 'Gives each of these members one of the coupon, as far as its limits allow; answers what became of each.',
    handle: (call, { params, body }) =>
      operate(
        app,
        call,
        op => once(op.tx, call, `${path}/${params.id}/issue`, body, () => issue(op, params.id, body)),
        {
          coupon_within_total: { code: 'coupon-used-up' },
        },
      ),
  })

async function issue(op: Operation, id: string, body: z.infer<typeof issueBody>): Promise<Issued> {
  if ('audience' in body) return issueCoupon(op, id, await membersOf(op, body.audience))
  const seen = await visible(op, body.memberIds)
  const answer = await issueCoupon(
    op,
    id,
    body.memberIds.filter(memberId => seen.has(memberId)),
  )
  const missing = body.memberIds.filter(memberId => !seen.has(memberId))
  const unseen = missing.map(memberId => ({ id: memberId, name: '', phone: '', why: 'MISSING' as const }))
  return { ...answer, failed: [...answer.failed, ...unseen] }
}

const reachRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `${path}/reach`,
    texts: resource.screen.name,
    access,
    body: reachBody,
    answer: reach,
    summary:
      'How many members of an audience would get one of the coupon now, and why not the others; nothing is written.',
    handle: (call, { body: { couponId, ...wish } }) =>
      reachOf({ app, db: app.db.query, actor: call.actor, now: call.now, call }, couponId, wish),
  })

const EXPIRED_AT_ONCE = 5_000

/** Unused ones end with their last day. Using one asks for the day itself: whether this has run decides nothing. */
const expire = defineJob({
  name: 'expire-coupons',
  cron: '0 */10 * * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }) {
    const { numAffectedRows = 0n } = await sql`
      update member_coupon set status = 'EXPIRED' where id in (
        select id from member_coupon where status = 'UNUSED' and valid_to < ${dayOf(now)}
        order by id limit ${EXPIRED_AT_ONCE} for update skip locked)`.execute(tx)
    return Number(numAffectedRows)
  },
})
export const jobs = [expire]
export const listeners = [rules({ nodes: [sendCoupon] })]

export const invariants: readonly Invariant[] = [
  {
    name: 'a coupon counts what was taken and used, and is never taken more often than there are',
    query: `
      select c.id, c.total, c.taken, c.used from coupon c left join (
        select coupon_id, count(*) filter (where status <> 'RECALLED') as taken, count(*) filter (where status = 'USED') as used
        from member_coupon group by coupon_id
      ) h on h.coupon_id = c.id
      where (c.taken, c.used) is distinct from (coalesce(h.taken, 0), coalesce(h.used, 0)) or c.taken > c.total`,
  },
  {
    name: 'nobody holds more of a coupon than one person may',
    query: `
      select h.coupon_id, h.member_id, count(*) as held from member_coupon h join coupon c on c.id = h.coupon_id
      where h.status <> 'RECALLED' group by h.coupon_id, h.member_id, c.per_person having count(*) > c.per_person`,
  },
]
