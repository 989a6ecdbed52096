import { resource as trackingResource } from '#areas/logistics/tracking/model.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Assortment, named, type Part } from './assortment.server.ts'
import type { Address } from './builders.server.ts'
import { type Business, instant, owned } from './business.server.ts'
import { worthOf } from './goods-out.server.ts'
import { insertRows, type NewRow } from './insert-rows.server.ts'
import type { Colleague } from './organisation.server.ts'
import { track } from './tracking.server.ts'
import { type Member, type Order, ownerAt } from './trade.server.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** The same goods to the same member within this time are looked at twice. */
const REPEAT_DAYS = 30
const SPLIT_EVERY = 8
const HOLDINGS = ['地址不完整，联系家长确认', '家长要求放假后再寄', '等待同一家庭的另一单合并'] as const

type Row = NewRow<'shipment'>
export type Packed = Part & { readonly lineId: number | null; returned: number }

export type Parcel = {
  readonly id: number
  readonly no: string
  readonly source: Row['source']
  readonly order: Order | null
  readonly coinOrderId: number | null
  readonly resendOf: number | null
  readonly member: Member
  readonly address: Address
  readonly goodsName: string
  packed: readonly Packed[]
  readonly applicant: Colleague | null
  readonly isRepeat: boolean
  readonly createdAt: number
  /** Told when it has left, and when it has arrived. */
  readonly told: { sent?(): void; signed?(): void }
  waits: boolean
  status: NonNullable<Row['status']>
  stateSince: number | null
  decidedBy: Colleague | null
  note: string
  printedAt: number | null
  carrier: string | null
  trackingNo: string | null
  trackingStatus: NonNullable<Row['tracking_status']>
  lastEvent: string
  lastEventAt: number | null
  sentAt: number | null
  signedAt: number | null
  version: number
}

export type NewParcel = Pick<Parcel, 'source' | 'member' | 'address' | 'goodsName'> & {
  readonly parts: readonly (Part & { readonly lineId?: number })[]
  readonly order?: Order
  readonly coinOrderId?: number
  readonly resendOf?: number
  readonly applicant?: Colleague
  readonly told?: Parcel['told']
  /** Looked at only after so long. */
  readonly lateDays?: number
}

/** What a paid order has to send, mostly in one parcel. */
export function sendGoods(business: Business, order: Order, at: number): void {
  const { random, assortment } = business
  if (!order.address) return
  const goods = order.lines.flatMap(({ id, offer, quantity }) =>
    partsOf(assortment, offer.grants, quantity).map(part => ({ ...part, lineId: id })),
  )
  const kits = order.lines.flatMap(({ offer }) =>
    offer.grants.flatMap(({ kitId, name }) => (kitId === null ? [] : [name])),
  )
  const source = order.source === 'REDEMPTION' ? ('REDEMPTION' as const) : ('ORDER' as const)
  const about = {
    source,
    member: order.member,
    address: order.address,
    order,
    goodsName: [...new Set(kits)].join('、'),
  }
  // Where one part comes late to the packing table, the rest goes ahead.
  const isSplit = goods.length > 1 && order.id % SPLIT_EVERY === 0
  const cuts = isSplit ? [goods.slice(0, 1), goods.slice(1)] : [goods]
  for (const [index, parts] of cuts.entries())
    openParcel(business, at, { ...about, parts, ...(index > 0 ? { lateDays: random.whole(7, 12) } : {}) })
}

/** The base products in these grants. */
export const partsOf = (
  { kits }: Assortment,
  grants: readonly { readonly kitId: string | null; readonly quantity: number }[],
  times: number,
): Part[] =>
  grants.flatMap(({ kitId, quantity }) =>
    kitId === null
      ? []
      : named(kits, ({ id }) => String(id) === kitId, 'kit').parts.map(part => ({
          ...part,
          quantity: part.quantity * quantity * times,
        })),
  )

/** Promises goods to somebody. Others look at it, it is packed, and the carrier does the rest. */
export function openParcel(business: Business, at: number, asked: NewParcel): Parcel {
  const { ids, numbers, shelf, random, agenda } = business
  const { parts, member, order, goodsName } = asked
  const parcel: Parcel = {
    id: ids.next('shipment'),
    no: numbers.next('S', at),
    source: asked.source,
    order: order ?? null,
    coinOrderId: asked.coinOrderId ?? null,
    resendOf: asked.resendOf ?? null,
    member,
    address: asked.address,
    goodsName,
    packed: parts.map(({ lineId, ...part }) => ({ ...part, lineId: lineId ?? null, returned: 0 })),
    applicant: asked.applicant ?? null,
    isRepeat: isRepeat(asked, at),
    createdAt: at,
    told: asked.told ?? {},
    waits: !shelf.hold(at, parts),
    status: 'TO_APPROVE',
    stateSince: null,
    decidedBy: null,
    note: '',
    printedAt: null,
    carrier: null,
    trackingNo: null,
    trackingStatus: 'PENDING',
    lastEvent: '',
    lastEventAt: null,
    sentAt: null,
    signedAt: null,
    version: 1,
  }
  business.parcels.push(parcel)
  member.parcels.push(parcel)
  order?.parcels.push(parcel)
  agenda.at(at + (asked.lateDays ?? 0) * DAY_MS + random.whole(40, 1_100) * MINUTE_MS, then =>
    decide(business, parcel, then),
  )
  return parcel
}

/** The same goods went to the same member a short while ago, and not by the same order. */
function isRepeat({ member, parts, order, resendOf }: NewParcel, at: number): boolean {
  const skus = new Set(parts.map(({ sku }) => sku))
  return member.parcels.some(
    ({ status, createdAt, packed, order: other }) =>
      status !== 'REJECTED' &&
      status !== 'CANCELLED' &&
      at - createdAt < REPEAT_DAYS * DAY_MS &&
      (resendOf !== undefined || !order || other !== order) &&
      packed.some(({ sku }) => skus.has(sku)),
  )
}

const isBlocked = ({ order }: Parcel): boolean => order !== null && order.openRefunds > 0

/** Nothing is approved or sent while a refund is open: it is looked at again the next day. */
function decide(business: Business, parcel: Parcel, at: number): void {
  const { agenda, random } = business
  if (parcel.status !== 'TO_APPROVE') return
  if (isBlocked(parcel)) {
    agenda.at(at + DAY_MS, then => decide(business, parcel, then))
    return
  }
  parcel.decidedBy = colleague(business, 'WAREHOUSE_MANAGER')
  if (parcel.source === 'GIFT' && random.chance(0.2)) {
    parcel.note = '本月赠送已达上限'
    move(business, parcel, at, 'REJECTED', 'reject')
    if (!parcel.waits) business.shelf.release(parcel.packed)
    return
  }
  move(business, parcel, at, 'WAITING', 'approve')
  agenda.at(at + random.whole(6, 60) * HOUR_MS, then => send(business, parcel, then))
}

function send(business: Business, parcel: Parcel, at: number): void {
  const { agenda, random, shelf } = business
  if (parcel.status !== 'WAITING') return
  if (parcel.waits || isBlocked(parcel)) {
    agenda.at(at + DAY_MS, then => send(business, parcel, then))
    return
  }
  if (parcel.note === '' && random.chance(0.012)) {
    parcel.note = random.pick(HOLDINGS)
    move(business, parcel, at, 'HELD', 'hold')
    agenda.at(at + random.whole(4, 9) * DAY_MS, then => {
      if (parcel.status !== 'HELD') return
      move(business, parcel, then, 'WAITING', 'release')
      send(business, parcel, then)
    })
    return
  }
  const packer = colleague(business, 'LOGISTICS')
  parcel.printedAt = at - random.whole(10, 120) * MINUTE_MS
  parcel.carrier = random.weighted(CARRIERS)
  parcel.trackingNo = `${parcel.carrier}${String(parcel.id).padStart(6, '0')}${random.whole(100_000, 999_999)}`
  parcel.sentAt = at
  parcel.lastEventAt = at
  parcel.trackingStatus = 'SHIPPED'
  move(business, parcel, at, 'SENT', 'send')
  shelf.send(at, parcel.id, parcel.packed, packer.id)
  parcel.told.sent?.()
  track(business, parcel, at)
}

const CARRIERS = [
  ['YTO', 40],
  ['ZTO', 35],
  ['SF', 15],
  ['JD', 8],
  ['EMS', 2],
] as const

const colleague = ({ staff }: Business, role: Colleague['role']): Colleague =>
  named(staff, one => one.role === role, role)

/** The next state, with its line in the timeline. */
export function move(
  business: Business,
  parcel: Parcel,
  at: number,
  status: Parcel['status'],
  action: string,
  actor: Colleague | null = action === 'approve' || action === 'reject'
    ? colleague(business, 'WAREHOUSE_MANAGER')
    : colleague(business, 'LOGISTICS'),
): void {
  const before = parcel.status
  parcel.status = status
  parcel.stateSince = at
  parcel.version += 1
  // Whoever looks at a timeline looks at a late one: parcels of long ago have none, for half of one would be a lie.
  if (business.now.getTime() - parcel.createdAt > LOGGED_DAYS * DAY_MS) return
  business.log.write({
    at,
    actor,
    resource: { ...trackingResource, screen: { key: PAGES[action] ?? 'order-logistics' } },
    action,
    recordId: parcel.id,
    before: { status: before },
    after: { status },
    reason: action === 'hold' || action === 'reject' ? parcel.note : undefined,
  })
}

const LOGGED_DAYS = 120

/** On which of the three screens a step is taken. */
const PAGES: Readonly<Record<string, string>> = {
  approve: 'order-examineSend',
  reject: 'order-examineSend',
  hold: 'order-sendGoods',
  release: 'order-sendGoods',
  send: 'order-sendGoods',
}

/** Somebody always keeps one back at the moment. */
export function holdOne(business: Business): void {
  const { parcels, now, random } = business
  const waiting = parcels.filter(({ status, waits }) => status === 'WAITING' && !waits)
  const parcel = waiting.at(-1)
  if (!parcel || parcels.some(({ status }) => status === 'HELD')) return
  parcel.note = random.pick(HOLDINGS)
  // Not a while ago: it may have been approved since.
  move(business, parcel, now.getTime(), 'HELD', 'hold')
}

/** What has not left of these lines stays here. Answers how many parcels it touched. */
export function cancelParcels(
  business: Business,
  order: Order,
  isOf: (lineId: number | null) => boolean,
  at: number,
): number {
  const open = order.parcels.filter(
    ({ status, packed }) =>
      (status === 'TO_APPROVE' || status === 'WAITING' || status === 'HELD') && packed.some(part => isOf(part.lineId)),
  )
  for (const parcel of open) {
    const rest = parcel.packed.filter(part => !isOf(part.lineId))
    if (!parcel.waits) business.shelf.release(parcel.packed.filter(part => isOf(part.lineId)))
    if (rest.length > 0) {
      parcel.packed = rest
      continue
    }
    move(business, parcel, at, 'CANCELLED', 'cancel', null)
    parcel.waits = false
  }
  return open.length
}

/** How far the goods of an order have come; as logistics reckons it. */
export function fulfilmentOf({ parcels }: Order): NonNullable<NewRow<'sales_order'>['fulfil_state']> {
  const isLive = ({ status }: Parcel) => status !== 'REJECTED' && status !== 'CANCELLED'
  const counted = parcels.filter(
    parcel =>
      isLive(parcel) &&
      !(
        (parcel.status === 'LOST' || parcel.status === 'RETURNED') &&
        parcels.some(other => other.resendOf === parcel.id && isLive(other))
      ),
  )
  const sent = counted.filter(({ sentAt }) => sentAt !== null)
  if (counted.length === 0) return 'NOT_NEEDED'
  if (sent.length === 0) return 'WAITING'
  if (sent.length < counted.length) return 'PARTIAL'
  return counted.every(({ status }) => status === 'SIGNED' || status === 'RETURNED') ? 'DONE' : 'SENT'
}

/** A family sends its parcels back. */
export function takeParcelsBack(business: Business, order: Order, at: number): void {
  for (const parcel of order.parcels) {
    if (parcel.status !== 'SIGNED') continue
    move(business, parcel, at, 'RETURNED', 'receiveBack')
    business.shelf.receive(at, parcel.id, parcel.packed, colleague(business, 'LOGISTICS').id)
    for (const part of parcel.packed) part.returned = part.quantity
  }
}

export async function storeParcels(tx: Tx, { parcels, rows, now, assortment }: Business): Promise<void> {
  await insertRows(
    tx,
    'shipment',
    parcels.map(parcel => parcelRow(parcel, now)),
  )
  const isOpen = ({ status }: Parcel) => status === 'TO_APPROVE' || status === 'WAITING' || status === 'HELD'
  for (const parcel of parcels)
    for (const { baseProductId, sku, quantity, lineId, returned } of parcel.packed)
      rows.shipment_line.push({
        shipment_id: parcel.id,
        base_product_id: baseProductId,
        order_id: parcel.order?.id ?? null,
        order_line_id: lineId,
        coin_order_id: parcel.coinOrderId,
        quantity,
        locked: isOpen(parcel) && !parcel.waits ? quantity : 0,
        returned,
        value_fen: parcel.sentAt === null ? null : worthOf(assortment, sku),
      })
}

const parcelRow = (parcel: Parcel, now: Date) => ({
  id: parcel.id,
  shipment_no: parcel.no,
  source: parcel.source,
  order_id: parcel.order?.id ?? null,
  coin_order_id: parcel.coinOrderId,
  resend_of: parcel.resendOf,
  member_id: parcel.member.id,
  receiver_name: parcel.member.guardianName,
  receiver_phone: parcel.member.phone,
  province: parcel.address.province,
  receiver_address: parcel.address.address,
  goods_name: parcel.goodsName,
  parts: parcel.packed.map(({ baseProductId, sku, name, quantity }) => ({
    baseProductId,
    sku,
    name,
    quantity,
  })) as never,
  waits_for_stock: parcel.waits,
  status: parcel.status,
  is_repeat: parcel.isRepeat,
  applicant_id: parcel.applicant?.id ?? null,
  decided_by: parcel.decidedBy?.id ?? null,
  note: parcel.note,
  printed_at: instant(parcel.printedAt),
  carrier: parcel.carrier,
  tracking_no: parcel.trackingNo,
  tracking_status: parcel.trackingStatus,
  last_event: parcel.lastEvent,
  last_event_at: instant(parcel.lastEventAt),
  sent_at: instant(parcel.sentAt),
  signed_at: instant(parcel.signedAt),
  ...owned(ownerAt(parcel.member, now.getTime(), now)),
  created_at: new Date(parcel.createdAt),
  state_since: new Date(parcel.stateSince ?? parcel.createdAt),
  version: parcel.version,
})
