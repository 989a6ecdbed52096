import { type Assortment, named } from './assortment.server.ts'
import type { Business } from './business.server.ts'
import type { Packed, Parcel } from './parcels.server.ts'
import type { Order } from './trade.server.ts'

/** Pieces of an order that have left and not come back. */
export const piecesOut = ({ parcels }: Order): number =>
  parcels
    .filter(({ status }) => status === 'SENT' || status === 'SIGNED' || status === 'RETURNED')
    .flatMap(({ packed }) => packed)
    .reduce((sum, { quantity, returned }) => sum + quantity - returned, 0)

/** What of a line is out, and what has not left, at list value. */
export function goodsOf({ assortment }: Business, order: Order, lineId: number) {
  const parts = (isWanted: (parcel: Parcel) => boolean) =>
    order.parcels
      .filter(isWanted)
      .flatMap(({ packed }) => packed)
      .filter(part => part.lineId === lineId)
  const worth = (packed: readonly Packed[]) =>
    packed.reduce((sum, { sku, quantity, returned }) => sum + (quantity - returned) * worthOf(assortment, sku), 0)
  const unsent = parts(({ status, sentAt }) => status !== 'CANCELLED' && sentAt === null)
  return {
    sentFen: worth(parts(({ status }) => status === 'SENT' || status === 'SIGNED' || status === 'RETURNED')),
    unsentFen: worth(unsent),
    unsentPieces: unsent.reduce((sum, { quantity }) => sum + quantity, 0),
  }
}

export const worthOf = ({ goods }: Assortment, sku: string): number =>
  named(goods, good => good.sku === sku, sku).valueFen
