import { sql } from 'kysely'
import { reverseCommission } from '#areas/orders/order/commission.server.ts'
import { takeBack } from '#engines/entitlement/server.ts'
import type { App, Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import type { CalculatedLine } from './calculation.model.ts'
import { lineAmounts, lotParts } from './calculation.server.ts'
import { EFFECTS, type EffectName, type RefundEffect } from './effects.model.ts'
import type { RefundApplication } from './model.ts'

/** A paid refund whose consequence is due; who has something to do says what was done, in numbers. */
type DueEffect = {
  readonly name: EffectName
  readonly refundId: string
  readonly orderId: string
  readonly memberId: string
  readonly lines: readonly { readonly lineId: string; readonly amountFen: number }[]
  /** The order has given back everything that was paid. */
  readonly isWhole: boolean
  /** Lines whose unsent goods stay here, and lines whose goods leave all the same. */
  readonly cancelled: readonly string[]
  readonly sent: readonly string[]
  report(outcome: Readonly<Record<string, number>>): void
}

/** Heard by the slices that own what a refund touches: coupons, shipments, notices. */
export const refundEffect = defineAnnouncement<DueEffect>('refund-effect')

const KIND = 'refund-effect'
type Payload = { refundId: string; name: EffectName }

/** The checklist of a paid refund: all of it begins at once, each step on its own. */
export async function beginEffects(change: Change, refundId: string): Promise<void> {
  await change.tx
    .insertInto('refund_effect')
    .values(EFFECTS.map(name => ({ refund_id: refundId, name })))
    .execute()
  await change.tx
    .updateTable('refund_application')
    .set({ effects_open: EFFECTS.length })
    .where('id', '=', refundId)
    .execute()
  for (const name of EFFECTS) await ask(change, refundId, name)
}

/** Tries what is not ticked once more, now. */
export async function repeatEffects(change: Change, refundId: string): Promise<void> {
  const open = await change.tx
    .updateTable('refund_effect')
    .set({ status: 'WAITING', error: '' })
    .where('refund_id', '=', refundId)
    .where('status', '<>', 'DONE')
    .returning('name')
    .execute()
  for (const { name } of open) await ask(change, refundId, name)
}

const ask = (change: Change, refundId: string, name: EffectName) =>
  deliver(change, { kind: KIND, key: `${refundId}:${name}`, payload: { refundId, name } satisfies Payload })

const rowsOf = (db: Pick<Change['tx'], 'selectFrom'>, refundId: string) =>
  db
    .selectFrom('refund_effect')
    .select(['name', 'status', 'outcome', 'error', 'done_at'])
    .where('refund_id', '=', refundId)
    .orderBy('id')
    .execute() as Promise<(Omit<RefundEffect, 'doneAt'> & { done_at: string | null })[]>

export const effectsOf = async (app: App, refundId: string): Promise<RefundEffect[]> =>
  (await rowsOf(app.db.query, refundId)).map(({ done_at: doneAt, ...row }) => ({ ...row, doneAt }))

export const effectDelivery = defineDelivery<Payload, void>({
  kind: KIND,
  async call(app, { refundId, name }) {
    try {
      await app.db.write(tx => settle(ownChange(app, tx, app.clock.now(), `refund:${refundId}`), refundId, name))
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      await sql`
        update refund_effect set status = 'FAILED', attempts = attempts + 1, error = ${said.slice(0, 500)}
        where refund_id = ${refundId} and name = ${name} and status <> 'DONE'`.execute(app.db.query)
      throw error
    }
  },
  // The step and its tick are one transaction, in `call`: there is nothing left to store.
  settle: async () => {},
})

/** One step of the checklist with its tick: done once, however often it is asked for. */
async function settle(change: Change, refundId: string, name: EffectName): Promise<void> {
  const { tx, now } = change
  const refund = await tx
    .selectFrom('refund_application as r')
    .innerJoin('sales_order as o', 'o.id', 'r.order_id')
    .select(['r.id', 'r.order_id', 'r.member_id', 'r.calculation', 'o.refund_state'])
    .where('r.id', '=', refundId)
    .executeTakeFirstOrThrow()
  await tx.selectFrom('member').select('id').where('id', '=', refund.member_id).forUpdate().execute()
  const open = await tx
    .selectFrom('refund_effect')
    .select('id')
    .where('refund_id', '=', refundId)
    .where('name', '=', name)
    .where('status', '<>', 'DONE')
    .forUpdate()
    .executeTakeFirst()
  if (!open) return
  const row = { calculation: refund.calculation as RefundApplication['calculation'] }
  let outcome: Readonly<Record<string, number>> = {}
  const due: DueEffect = {
    name,
    refundId,
    orderId: refund.order_id,
    memberId: refund.member_id,
    lines: lineAmounts(row),
    isWhole: refund.refund_state === 'FULL',
    ...(await unsentOf(change, refund)),
    report: done => {
      outcome = { ...outcome, ...done }
    },
  }
  const tick = (ticked: object) => tx.updateTable('refund_effect').set(ticked).where('id', '=', open.id).execute()
  if (name === 'ENTITLEMENT') await takeBackRights(change, due, row)
  if (name === 'COMMISSION') due.report({ fen: await reverseCommission(change, refundId, due.lines) })
  // Ticked before it is told: who hears of it reckons with it as done.
  await tick({ status: 'DONE', error: '', done_at: now })
  await announce(change, refundEffect, due)
  await tick({ outcome: JSON.stringify(outcome) })
  await sql`update refund_application set effects_open = effects_open - 1 where id = ${refundId}`.execute(tx)
}

/** What this refund says of its lines' unsent goods, and of other lines what their last refund said. */
async function unsentOf({ tx }: Change, { id, order_id: orderId }: { id: string; order_id: string }) {
  const paid = await tx
    .selectFrom('refund_application')
    .select(['id', 'calculation'])
    .where('order_id', '=', orderId)
    .where('status', '=', 'PAID')
    .orderBy(sql`id = ${id}`)
    .orderBy('id')
    .execute()
  const said = paid.flatMap(row =>
    (row.calculation as CalculatedLine[]).map(({ lineId, unsent }) => ({ lineId, unsent, refundId: row.id })),
  )
  const last = [...new Map(said.map(line => [line.lineId, line])).values()]
  return {
    cancelled: last.flatMap(({ lineId, unsent, refundId }) => (refundId === id && unsent === 'CANCEL' ? [lineId] : [])),
    sent: last.flatMap(({ lineId, unsent }) => (unsent === 'SEND' ? [lineId] : [])),
  }
}

async function takeBackRights(change: Change, due: DueEffect, row: Pick<RefundApplication, 'calculation'>) {
  const parts = lotParts(row)
  await takeBack(change, due.memberId, due.refundId, parts)
  due.report({
    units: parts.reduce((sum, { units }) => sum + units, 0),
    debt: parts.reduce((sum, { debt }) => sum + debt, 0),
  })
}
