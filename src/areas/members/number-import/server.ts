import { sql } from 'kysely'
import { memberPaid } from '#areas/members/member/paying.server.ts'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { leadForgotten, leadHandedOver, leadReopened, leadSettled } from '#engines/lead/known.server.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { resource } from './model.ts'
import { child } from './numbers/model.ts'
import { numbersImport } from './numbers-import.server.ts'

const served = serve(resource, {})
const numbers = serveChild(child)
export const routes: Routes = app => [...served(app), ...numbers(app)]
export const imports = [numbersImport]

/** How far its numbers have come is counted with the batch. */
async function count(tx: Tx, batchIds: readonly string[]): Promise<void> {
  if (batchIds.length === 0) return
  await sql`
    update number_batch b set registered = n.registered, paid = n.paid, version = version + 1
    from (select batch_id, count(*) filter (where result in ('REGISTERED', 'PAID')) as registered, count(*) filter (where result = 'PAID') as paid
      from number_row where batch_id = any(${batchIds}::bigint[]) group by 1) n
    where b.id = n.batch_id`.execute(tx)
}

async function lockBatches(tx: Tx, leadIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from number_batch where id in (select batch_id from number_row where lead_id = any(${leadIds}::bigint[]))
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

export const listeners: readonly Listener[] = [
  forgets({ table: 'number_row', where: 't.phone = any($2::text[])', becomes: { phone: 'null' } }),
  listen(leadSettled, async ({ tx }, { leadIds, memberId }) => {
    const batches = await lockBatches(tx, leadIds)
    if (batches.length === 0) return
    await sql`
      update number_row set result = ${memberId === null ? 'INVALID' : 'REGISTERED'}
      where lead_id = any(${leadIds}::bigint[]) and result = 'OPEN'`.execute(tx)
    await count(tx, batches)
  }),
  listen(leadReopened, async ({ tx }, { leadIds }) => {
    const batches = await lockBatches(tx, leadIds)
    if (batches.length === 0) return
    await sql`
      update number_row set result = 'OPEN' where lead_id = any(${leadIds}::bigint[]) and result = 'INVALID'`.execute(
      tx,
    )
    await count(tx, batches)
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
    await count(tx, batches)
  }),
  listen(leadHandedOver, async ({ tx }, { leadIds, owner }) => {
    await sql`update number_row set owner_id = ${owner?.id ?? null} where lead_id = any(${leadIds}::bigint[])`.execute(
      tx,
    )
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await sql`update number_row set phone = null where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId, orgId }) => {
    await sql`update number_batch set owner_id = ${toId}, org_id = ${orgId} where owner_id = ${fromId}`.execute(tx)
  }),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update number_batch set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a list of numbers counts the new ones, and how far they have come',
    query: `
      select b.id from number_batch b left join (select batch_id, count(*) as rows, count(*) filter (where result in ('REGISTERED', 'PAID')) as registered,
        count(*) filter (where result = 'PAID') as paid from number_row group by 1) n on n.batch_id = b.id
      where (b.new_rows, b.registered, b.paid) is distinct from (coalesce(n.rows, 0), coalesce(n.registered, 0), coalesce(n.paid, 0))`,
  },
  {
    name: 'a number of a list is open exactly while its lead is no more than a number',
    query: `
      select r.id, r.result, l.status from number_row r join lead l on l.id = r.lead_id
      where (r.result = 'OPEN') <> (l.ended_at is null and l.member_id is null)`,
  },
  {
    name: 'a number of a list keeps no number and no owner its lead has not',
    query: `
      select r.id from number_row r join lead l on l.id = r.lead_id
      where (r.phone, r.owner_id) is distinct from (l.phone, l.owner_id)`,
  },
]
