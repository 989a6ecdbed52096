import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { colleague, DAY_MS, named, type World } from '#demo/world.server.ts'
import { DAYS_TO_DECIDE } from './model.ts'

/** A good on the shelf. */
type Stocked = {
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly costFen: number
  readonly valueFen: number
  readonly delivery: number
}
/** So many of a good. */
type Pieces = { readonly baseProductId: string; readonly quantity: number }
type Place = Stocked & { onHand: number; locked: number; warnAt: number; movements: number; closed: boolean }
type Cause = NewRow<'stock_movement'>['cause']
type Moved = { readonly note?: string; readonly shipmentId?: number; readonly staffId?: string | null }

/** What lies on the shelf and what of it is promised. Suppliers deliver before it runs short, unless they cannot. */
export type Shelf = {
  /** Promises all parts or none; says which. */
  hold(at: number, parts: readonly Pieces[]): boolean
  release(parts: readonly Pieces[]): void
  send(at: number, shipmentId: number, parts: readonly Pieces[], staffId: string): void
  receive(at: number, shipmentId: number, parts: readonly Pieces[], staffId: string): void
  /** Somebody takes so many that few are left, and nothing is delivered afterwards. */
  runLow(at: number, sku: string, note: string): void
  /** Somebody counted no more than is promised, somebody else confirmed it; nothing is delivered afterwards. */
  count(at: number, sku: string): void
  store(): void
}

export function openShelf(world: World, goods: readonly Stocked[]): Shelf {
  const { now, since, rows } = world
  const keeper = colleague(world, 'LOGISTICS')
  const chief = colleague(world, 'WAREHOUSE_MANAGER')
  const places = new Map<string, Place>(
    goods.map(good => [
      String(good.id),
      { ...good, onHand: 0, locked: 0, warnAt: Math.round(good.delivery / 5), movements: 0, closed: false },
    ]),
  )
  const placeOf = (id: string): Place => places.get(id) as Place
  const placeNamed = (sku: string): Place => named([...places.values()], place => place.sku === sku, sku)

  const move = (at: number, place: Place, cause: Cause, quantity: number, moved: Moved = {}) => {
    place.onHand += quantity
    place.movements += 1
    const movement: NewRow<'stock_movement'> = {
      base_product_id: place.id,
      cause,
      quantity,
      balance_after: place.onHand,
      note: moved.note ?? '',
      shipment_id: moved.shipmentId ?? null,
      staff_id: moved.staffId === undefined ? keeper.id : moved.staffId,
      created_at: new Date(at),
    }
    rows.add('stock_movement', [movement])
  }
  const restock = (at: number, place: Place, wanted: number) => {
    while (!place.closed && place.onHand - place.locked - wanted < place.warnAt)
      move(at, place, 'IN', place.delivery, { note: '供应商到货' })
  }
  for (const place of places.values()) move(since.getTime(), place, 'IN', 2 * place.delivery, { note: '期初入库' })

  return {
    hold(at, parts) {
      for (const { baseProductId, quantity } of parts) restock(at, placeOf(baseProductId), quantity)
      if (parts.some(({ baseProductId: id, quantity }) => placeOf(id).onHand - placeOf(id).locked < quantity))
        return false
      for (const { baseProductId, quantity } of parts) placeOf(baseProductId).locked += quantity
      return true
    },
    release(parts) {
      for (const { baseProductId, quantity } of parts) placeOf(baseProductId).locked -= quantity
    },
    send(at, shipmentId, parts, staffId) {
      for (const { baseProductId, quantity } of parts) {
        placeOf(baseProductId).locked -= quantity
        move(at, placeOf(baseProductId), 'SENT', -quantity, { shipmentId, staffId })
      }
    },
    receive(at, shipmentId, parts, staffId) {
      for (const { baseProductId, quantity } of parts)
        move(at, placeOf(baseProductId), 'RETURNED', quantity, { shipmentId, staffId })
    },
    runLow(at, sku, note) {
      const place = placeNamed(sku)
      place.closed = true
      const taken = place.onHand - place.locked - Math.floor(place.warnAt / 2)
      if (taken > 0) move(at, place, 'OUT', -taken, { note })
    },
    count(at, sku) {
      const place = placeNamed(sku)
      const book = place.onHand
      const found = place.locked
      place.closed = true
      if (found !== book) move(at, place, 'CHECK', found - book, { note: '盘点', staffId: chief.id })
      rows.add('stock_check', [checkRow(place, found, { book, at, keeper, decidedBy: chief })])
    },
    store() {
      // Counted this morning, and not confirmed yet.
      const open = placeNamed('CB-DAILY')
      const counted = { at: now.getTime() - DAY_MS / 8, keeper, book: open.onHand }
      rows.add(
        'base_product',
        [...places.values()].map(place => placeRow(place, since)),
      )
      rows.add('stock_check', [checkRow(open, Math.max(0, open.onHand - 2), counted)])
    },
  }
}

type Counted = { at: number; keeper: Colleague; book: number; decidedBy?: Colleague }

function checkRow(place: Place, counted: number, { at, keeper, book, decidedBy }: Counted): NewRow<'stock_check'> {
  const countedAt = decidedBy ? at - DAY_MS / 6 : at
  return {
    base_product_id: place.id,
    counted,
    note: '月度盘点',
    status: decidedBy ? 'APPROVED' : 'WAITING',
    book,
    applicant_id: keeper.id,
    decided_by: decidedBy?.id ?? null,
    created_at: new Date(countedAt),
    expires_at: new Date(countedAt + DAYS_TO_DECIDE * DAY_MS),
    decided_at: decidedBy ? new Date(at) : null,
  }
}

const placeRow = (place: Place, since: Date) => ({
  id: place.id,
  sku: place.sku,
  name: place.name,
  unit: place.unit,
  on_hand: place.onHand,
  locked: place.locked,
  warn_at: place.warnAt,
  cost_fen: place.costFen,
  value_fen: place.valueFen,
  created_at: since,
  // Each movement is a change of what lies there.
  version: 1 + place.movements,
})
