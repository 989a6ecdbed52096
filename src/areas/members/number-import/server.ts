import { sql } from 'kysely'
import { memberPaid } from '#areas/members/member/paying.server.ts'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { leadForgotten, leadHandedOver, leadReached, leadReopened, leadSettled } from '#engines/lead/known.server.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { countBatches, invariants as counted, givenTo, tellOfSpans } from './counting.server.ts'
import { resource } from './model.ts'
import { child } from './numbers/model.ts'
import { numbersImport } from './numbers-import.server.ts'

const served = serve(resource, {
  detail: async ({ db }, { id }) => ({ givenTo: await givenTo(db.query, id) }),
})
const numbers = serveChild(child)
export const routes: Routes = app => [...served(app), ...numbers(app)]
export const imports = [numbersImport]

async function lockBatches(tx: Tx, leadIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from number_batch where id in (select batch_id from number_row where lead_id = any(${leadIds}::bigint[]))
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Numbers nobody has are seen where somebody's lists are now. */
const showWaiting = (tx: Tx, ownerId: string) =>
  sql`
    update number_row r set org_id = b.org_id from number_batch b
    where b.id = r.batch_id and b.owner_id = ${ownerId} and r.owner_id is null and r.org_id <> b.org_id`.execute(tx)

export const listeners: readonly Listener[] = [
  forgets({ table: 'number_row', where: 't.phone = any($2::text[])', becomes: { phone: 'null' } }),
  listen(leadSettled, async ({ tx }, { leadIds, memberId }) => {
    const batches = await lockBatches(tx, leadIds)
    if (batches.length === 0) return
    await sql`
      update number_row set result = ${memberId === null ? 'INVALID' : 'REGISTERED'}
      where lead_id = any(${leadIds}::bigint[]) and result = 'OPEN'`.execute(tx)
    await countBatches(tx, batches)
  }),
  listen(leadReopened, async ({ tx }, { leadIds }) => {
    const batches = await lockBatches(tx, leadIds)
    if (batches.length === 0) return
    await sql`
      update number_row set result = 'OPEN' where lead_id = any(${leadIds}::bigint[]) and result = 'INVALID'`.execute(
      tx,
    )
    await countBatches(tx, batches)
  }),
  listen(memberPaid, async ({ tx }, { memberId }) => {
    const { rows } = await sql<{ id: string }>`select id from lead where member_id = ${memberId}`.execute(tx)
    const leadIds = rows.map(({ id }) => id)
    const batches = await lockBatches(tx, leadIds)
    if (batches.length === 0) return
    await sql`
      update number_row set result = 'PAID' where lead_id = any(${leadIds}::bigint[]) and result = 'REGISTERED'`.execute(
      tx,
    )
    await countBatches(tx, batches)
  }),
  listen(leadHandedOver, async ({ tx }, { leadIds, owner }) => {
    await sql`
      update number_row r set owner_id = ${owner?.id ?? null}, org_id = coalesce(${owner?.orgId ?? null}::bigint, b.org_id)
      from number_batch b where b.id = r.batch_id and r.lead_id = any(${leadIds}::bigint[])`.execute(tx)
    await tellOfSpans(tx, leadIds)
  }),
  listen(leadReached, async ({ tx }, { leadIds }) => {
    await tellOfSpans(tx, leadIds)
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await sql`update number_row set phone = null where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId, orgId }) => {
    await sql`update number_batch set owner_id = ${toId}, org_id = ${orgId} where owner_id = ${fromId}`.execute(tx)
    await showWaiting(tx, toId)
  }),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update number_batch set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
    await showWaiting(tx, staffId)
  }),
]

export const invariants: readonly Invariant[] = counted
