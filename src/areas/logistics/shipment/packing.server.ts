import * as z from 'zod'
import { ID } from '#kit/model/field.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { once } from '#kit/server/change/idempotency.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { lockRow, writeChange } from '#kit/server/change/step.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { MAX_PARTS, type NamedPart, piecesOf } from '../parts.model.ts'
import { factsOf, lockOrdersOf } from './fulfilment.server.ts'
import { chosenParts, goodsNameOf, linesOf, named, takeFrom } from './lines.server.ts'
import { makeShipment } from './making.server.ts'
import { resource, type Shipment } from './model.ts'

/** Puts some pieces of a parcel into a second one, with everything else as it was. */
export async function split(op: Operation, row: Shipment, given: readonly NamedPart[]): Promise<Partial<Shipment>> {
  const { tx } = op
  const wanted = chosenParts(given)
  const lines = await linesOf(tx, row.id)
  const taken = takeFrom(lines, wanted, line => line.quantity)
  const moved = piecesOf(wanted)
  if (!taken || moved === 0 || moved >= piecesOf(lines)) throw onParts('split-some')
  for (const { line, quantity } of taken) {
    const left = line.quantity - quantity
    if (left === 0) await tx.deleteFrom('shipment_line').where('id', '=', line.id).execute()
    else
      await tx
        .updateTable('shipment_line')
        .set({ quantity: left, locked: row.waitsForStock ? 0 : left })
        .where('id', '=', line.id)
        .execute()
  }
  const about = await tx
    .selectFrom('shipment')
    .select(['owner_id', 'org_id', 'coin_order_id'])
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  await makeShipment(op, {
    source: row.source,
    memberId: row.memberId,
    orderId: row.orderId,
    ...(about.coin_order_id === null ? {} : { coinOrderId: about.coin_order_id }),
    ...(row.resendOf === null ? {} : { resendOf: row.resendOf }),
    receiver: receiverOf(row),
    goodsName: row.goodsName,
    lines: taken.map(({ line, quantity }) => ({ ...line, quantity })),
    ownerId: about.owner_id,
    orgId: about.org_id,
    applicantId: row.applicantId,
    decidedBy: row.decidedBy,
    waits: row.waitsForStock,
    status: 'WAITING',
    note: row.note,
  })
  const parts = await named(tx, await linesOf(tx, row.id))
  return { parts, reprint: row.reprint || row.printedAt !== null }
}

export const onParts = (code: string): Refused => onField('parts', refuse(code))

/** Nothing waits to be sent without saying where to; the table refuses it too. */
export const receiverOf = (row: Pick<Shipment, 'receiverName' | 'receiverPhone' | 'province' | 'receiverAddress'>) => ({
  name: row.receiverName ?? '',
  phone: row.receiverPhone ?? '',
  province: row.province ?? '',
  address: row.receiverAddress ?? '',
})

const MAX_MERGED = 20

export const mergeRoutes: Routes = app => [
  route({
    method: 'POST',
    path: `/${resource.screen.name}/merge`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'merge' },
    body: z.strictObject({ ids: z.array(z.string().regex(ID)).min(2).max(MAX_MERGED) }),
    answer: z.strictObject({ id: z.string() }),
    summary: 'Puts parcels for the same receiver into one.',
    async handle(call, { body }) {
      const answer = await operate(app, call, op =>
        once(op.tx, call, `/${resource.screen.name}/merge`, body, () => merge(op, body.ids)),
      )
      app.counts.drop(resource.table)
      return answer
    },
  }),
]

/** Parcels that go to the same door go together, in the oldest of them. */
async function merge(op: Operation, given: readonly string[]): Promise<{ id: string }> {
  const ids = [...new Set(given)].sort((a, b) => Number(BigInt(a) - BigInt(b)))
  const { tx } = op
  await lockOrdersOf(tx, ids)
  const rows: Shipment[] = []
  for (const id of ids) rows.push(await lockRow(op, resource, id))
  const [target, ...others] = rows
  if (!target || others.length === 0) throw new Refused(refuse('merge-two'))
  await requireAlike(op, rows)
  const otherIds = others.map(({ id }) => id)
  await tx.updateTable('shipment_line').set({ shipment_id: target.id }).where('shipment_id', 'in', otherIds).execute()
  // What went into one of them before is now in this one.
  await tx.updateTable('shipment').set({ merged_into: target.id }).where('merged_into', 'in', otherIds).execute()
  for (const other of others)
    await writeChange(op, resource, other, { status: 'MERGED', mergedInto: target.id }, 'merge')
  const parts = await named(tx, await linesOf(tx, target.id))
  if (parts.length > MAX_PARTS) throw new Refused(refuse('merge-much'))
  const changed = {
    parts,
    goodsName: goodsNameOf(rows.map(({ goodsName }) => goodsName)),
    isRepeat: rows.some(({ isRepeat }) => isRepeat),
    reprint: rows.some(({ printedAt, reprint }) => reprint || printedAt !== null),
  }
  await writeChange(op, resource, target, changed, 'merge')
  return { id: target.id }
}

async function requireAlike(op: Operation, rows: readonly Shipment[]): Promise<void> {
  const door = (row: Shipment) => JSON.stringify([row.memberId, ...Object.values(receiverOf(row))])
  if (new Set(rows.map(door)).size > 1) throw new Refused(refuse('merge-different'))
  const facts = await factsOf(op.tx, rows)
  for (const row of rows) {
    const { shipmentNo: no } = row
    if (row.status !== 'WAITING') throw new Refused(refuse('merge-held', { no }))
    if (row.waitsForStock) throw new Refused(refuse('merge-waits', { no }))
    if (facts.get(row.id)?.refundOpen) throw new Refused(refuse('merge-refund', { no }))
  }
}
