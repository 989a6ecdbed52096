import { sql } from 'kysely'
import type { Part } from '#areas/logistics/base-product/stock.server.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { NamedPart } from '../parts.model.ts'

/** One part of a parcel, and whose it is. */
export type Line = {
  readonly id: string
  readonly baseProductId: string
  readonly orderId: string | null
  readonly orderLineId: string | null
  readonly coinOrderId: string | null
  /** The edition of the kit it is packed by. */
  readonly kitEditionId: string | null
  readonly quantity: number
  readonly locked: number
  readonly returned: number
}

export const linesOf = (tx: Pick<Tx, 'selectFrom'>, shipmentId: string): Promise<Line[]> =>
  tx
    .selectFrom('shipment_line')
    .select(['id', 'base_product_id as baseProductId', 'order_id as orderId', 'order_line_id as orderLineId'])
    .select(['coin_order_id as coinOrderId', 'kit_edition_id as kitEditionId', 'quantity', 'locked', 'returned'])
    .where('shipment_id', '=', shipmentId)
    .orderBy('id')
    .execute()

/** All of its goods are set aside once more; whoever asks has taken them from what is free. */
export const lockAgain = (tx: Tx, shipmentId: string) =>
  tx
    .updateTable('shipment_line')
    .set(eb => ({ locked: eb.ref('quantity') }))
    .where('shipment_id', '=', shipmentId)
    .execute()

/** What lines hold on the shelf, for giving it free. */
export const heldBy = (lines: readonly Line[]): Part[] =>
  lines.flatMap(({ baseProductId, locked }) => (locked > 0 ? [{ baseProductId, quantity: locked }] : []))

export const unlock = (tx: Tx, shipmentIds: readonly string[]) =>
  tx
    .updateTable('shipment_line')
    .set({ locked: 0 })
    .where('shipment_id', 'in', [...shipmentIds])
    .where('locked', '>', 0)
    .execute()

/** What the goods are worth on the day they leave: a refund deducts that, whatever they cost later. */
export const keepValues = (tx: Tx, shipmentId: string) =>
  sql`
    update shipment_line l set value_fen = p.value_fen from base_product p
    where p.id = l.base_product_id and l.shipment_id = ${shipmentId}`.execute(tx)

export type Taken = { readonly line: Line; readonly quantity: number }

/** Which lines give what is wanted, in their order; nothing when they do not have that many. */
export function takeFrom(
  lines: readonly Line[],
  wanted: readonly Part[],
  room: (line: Line) => number,
): Taken[] | undefined {
  const taken: Taken[] = []
  for (const { baseProductId, quantity } of wanted) {
    let missing = quantity
    for (const line of lines) {
      if (missing === 0 || line.baseProductId !== baseProductId) continue
      const part = Math.min(room(line), missing)
      if (part > 0) taken.push({ line, quantity: part })
      missing -= part
    }
    if (missing > 0) return undefined
  }
  return taken
}

/** These pieces are back on the shelf. */
export async function markReturned(tx: Tx, taken: readonly Taken[]): Promise<void> {
  for (const { line, quantity } of taken)
    await tx
      .updateTable('shipment_line')
      .set({ returned: line.returned + quantity })
      .where('id', '=', line.id)
      .execute()
}

/** The carrier was asked where the parcel is. */
export const markAsked = (tx: Tx, shipmentId: string, at: Date) =>
  tx.updateTable('shipment').set({ asked_at: at }).where('id', '=', shipmentId).execute()

/** Each base product once: the same one may not be asked for twice. */
export const chosenParts = (given: readonly NamedPart[]): Part[] => {
  const sums = new Map<string, number>()
  for (const { baseProductId, quantity } of given)
    if (quantity > 0) sums.set(baseProductId, (sums.get(baseProductId) ?? 0) + quantity)
  return [...sums].map(([baseProductId, quantity]) => ({ baseProductId, quantity }))
}

/** The parts of a parcel as people read them, by what the shelf calls them now. */
export async function named(tx: Tx, lines: readonly Part[]): Promise<NamedPart[]> {
  const sums = new Map<string, number>()
  for (const { baseProductId, quantity } of lines) sums.set(baseProductId, (sums.get(baseProductId) ?? 0) + quantity)
  const known = await tx
    .selectFrom('base_product')
    .select(['id', 'sku', 'name'])
    .where('id', 'in', [...sums.keys()])
    .orderBy('id')
    .execute()
  return known.map(({ id, sku, name }) => ({ baseProductId: id, sku, name, quantity: sums.get(id) ?? 0 }))
}

const MAX_NAME = 100

/** What a parcel is called: its kits, each once. */
export const goodsNameOf = (names: readonly string[]): string => {
  const whole = [...new Set(names.flatMap(name => name.split('、')))].join('、')
  return whole.length > MAX_NAME ? `${whole.slice(0, MAX_NAME - 1)}…` : whole
}
