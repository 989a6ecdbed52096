import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { lockOrderOf } from '#areas/orders/order/paying.server.ts'
import { numbersKept } from '#engines/sequence/server.ts'
import type { App } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { deskRoutes } from './desk.server.ts'
import { type Redemption, resource, UNDO_HOURS, type UndoFacts, workflow } from './model.ts'
import { redeemers } from './redeemers.server.ts'
import { batchOf, undo } from './redeeming.server.ts'

export const routes: Routes = app => [
  ...serve(resource, {
    workflow,
    facts: (db, rows) => factsOf(app, db, rows),
    lock: (op, id) => lockOrderOf(op.tx, 'redemption', id),
    effects: { undo },
    detail: async ({ db }, { batchId }) => ({ grants: (await batchOf(db.query, batchId, false)).grants }),
  })(app),
  ...deskRoutes(app),
]

const UNDO_MS = UNDO_HOURS * 3_600_000

async function factsOf(
  { clock }: App,
  db: Reading,
  rows: readonly Redemption[],
): Promise<ReadonlyMap<string, UndoFacts>> {
  const used = await db
    .selectFrom('entitlement_lot')
    .select('redemption_id')
    .where(
      'redemption_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where(eb => eb.or([eb('remaining', '<>', eb.ref('quantity')), eb('frozen', '>', 0)]))
    .execute()
  const sent = await db
    .selectFrom('sales_order')
    .select('id')
    .where(
      'id',
      'in',
      rows.map(({ orderId }) => orderId),
    )
    .where('fulfil_state', 'not in', ['NOT_NEEDED', 'WAITING'])
    .execute()
  const usedIds = new Set(used.map(({ redemption_id: id }) => id))
  const sentIds = new Set(sent.map(({ id }) => id))
  const now = clock.now().getTime()
  return new Map(
    rows.map(({ id, orderId, createdAt }) => [
      id,
      { late: now - Date.parse(createdAt) > UNDO_MS, used: usedIds.has(id), sent: sentIds.has(orderId) },
    ]),
  )
}

export const answers = [redeemers]
export const listeners = [followOwner('redemption')]

export const invariants: readonly Invariant[] = [
  ...numbersKept('E', { table: 'redemption', no: 'redemption_no', givenAt: 'created_at' }),
  seenByOwner('redemption'),
  {
    name: 'a redeemed code has one redemption that stands, and no other code has',
    query: `
      select c.id from redemption_code c left join redemption r on r.code_id = c.id and r.status = 'DONE'
      group by c.id having count(r.id) <> case when c.status = 'REDEEMED' then 1 else 0 end`,
  },
  {
    name: 'a redemption that stands has a paid order of nothing, one undone a closed order',
    query: `
      select r.id from redemption r join sales_order o on o.id = r.order_id
      where o.pay_state <> case when r.status = 'DONE' then 'PAID' else 'CLOSED' end or o.amount_fen <> 0 or o.source <> 'REDEMPTION'
        or o.member_id <> r.member_id`,
  },
  {
    name: 'nobody redeems more of a batch than it allows',
    query: `
      select r.batch_id, r.member_id from redemption r join code_batch b on b.id = r.batch_id where r.status = 'DONE'
      group by r.batch_id, r.member_id, b.per_person having count(*) > b.per_person`,
  },
  {
    name: 'nothing is left of what an undone redemption gave',
    query: `
      select l.id from entitlement_lot l join redemption r on r.id = l.redemption_id where r.status = 'UNDONE' and l.remaining <> 0`,
  },
]
