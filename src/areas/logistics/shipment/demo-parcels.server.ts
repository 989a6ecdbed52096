import { shelfOf } from '#areas/logistics/base-product/demo.server.ts'
import type { Part } from '#areas/logistics/goods-kit/demo.server.ts'
import { resource } from '#areas/logistics/tracking/model.ts'
import type { Member } from '#areas/members/member/demo-joining.server.ts'
import { type CoinOrder, moveCoinOrder } from '#areas/orders/coin-order/demo.server.ts'
import type { Order } from '#areas/orders/order/demo-trade.server.ts'
import type { Address } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import {
  chanceOf,
  colleague,
  DAY_MS,
  defineWord,
  HOUR_MS,
  MINUTE_MS,
  remembered,
  type World,
} from '#demo/world.server.ts'

const chance = chanceOf('logistics/shipment')

/** The same goods to the same member within this time are looked at twice. */
const REPEAT_DAYS = 30
const HOLDINGS = ['地址不完整，联系家长确认', '家长要求放假后再寄', '等待同一家庭的另一单合并'] as const

type Row = NewRow<'shipment'>
type Packed = Part & { readonly lineId: number | null; returned: number }

export type Parcel = {
  readonly id: number
  readonly no: string
  readonly source: Row['source']
  readonly order: Order | null
  readonly coinOrder: CoinOrder | null
  readonly resendOf: number | null
  readonly member: Member
  readonly address: Address
  readonly goodsName: string
  packed: readonly Packed[]
  readonly applicant: Colleague | null
  readonly isRepeat: boolean
  readonly createdAt: number
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

type NewParcel = Pick<Parcel, 'source' | 'member' | 'address' | 'goodsName'> & {
  readonly parts: readonly (Part & { readonly lineId?: number })[]
  readonly order?: Order
  readonly coinOrder?: CoinOrder
  readonly resendOf?: number
  readonly applicant?: Colleague
  /** Looked at only after so long. */
  readonly lateDays?: number
}

/** It has left: the carrier tells the rest. */
export const parcelSent = defineWord<Parcel>()

type Parcels = {
  readonly all: Parcel[]
  readonly ofOrder: Map<Order, Parcel[]>
  readonly ofMember: Map<Member, Parcel[]>
}

/** In order of time. */
export const parcelsOf = remembered((): Parcels => ({ all: [], ofOrder: new Map(), ofMember: new Map() }))

export const parcelsOfOrder = (world: World, order: Order): readonly Parcel[] =>
  parcelsOf(world).ofOrder.get(order) ?? []

function keep(world: World, parcel: Parcel): void {
  const { all, ofOrder, ofMember } = parcelsOf(world)
  const { order, member } = parcel
  all.push(parcel)
  ofMember.set(member, [...(ofMember.get(member) ?? []), parcel])
  if (order) ofOrder.set(order, [...(ofOrder.get(order) ?? []), parcel])
}

/** Promises goods to somebody. Others look at it, it is packed, and the carrier does the rest. */
export function openParcel(world: World, at: number, asked: NewParcel): void {
  const { ids, numbers, agenda } = world
  const { parts, member, order, goodsName } = asked
  const parcel: Parcel = {
    id: ids.next('shipment'),
    no: numbers.next('S', at),
    source: asked.source,
    order: order ?? null,
    coinOrder: asked.coinOrder ?? null,
    resendOf: asked.resendOf ?? null,
    member,
    address: asked.address,
    goodsName,
    packed: parts.map(({ lineId, ...part }) => ({ ...part, lineId: lineId ?? null, returned: 0 })),
    applicant: asked.applicant ?? null,
    isRepeat: isRepeat(world, asked, at),
    createdAt: at,
    waits: !shelfOf(world).hold(at, parts),
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
  keep(world, parcel)
  if (order) order.fulfilment = fulfilmentOf(parcelsOfOrder(world, order))
  agenda.at(at + (asked.lateDays ?? 0) * DAY_MS + chance(world).whole(40, 1_100) * MINUTE_MS, then =>
    decide(world, parcel, then),
  )
}

/** The same goods went to the same member a short while ago, and not by the same order. */
function isRepeat(world: World, { member, parts, order, resendOf }: NewParcel, at: number): boolean {
  const skus = new Set(parts.map(({ sku }) => sku))
  return (parcelsOf(world).ofMember.get(member) ?? []).some(
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
function decide(world: World, parcel: Parcel, at: number): void {
  const { agenda } = world
  const random = chance(world)
  if (parcel.status !== 'TO_APPROVE') return
  if (isBlocked(parcel)) {
    agenda.at(at + DAY_MS, then => decide(world, parcel, then))
    return
  }
  parcel.decidedBy = colleague(world, 'WAREHOUSE_MANAGER')
  if (parcel.source === 'GIFT' && random.chance(0.2)) {
    parcel.note = '本月赠送已达上限'
    move(world, parcel, at, 'REJECTED', 'reject')
    if (!parcel.waits) shelfOf(world).release(parcel.packed)
    return
  }
  move(world, parcel, at, 'WAITING', 'approve')
  agenda.at(at + random.whole(6, 60) * HOUR_MS, then => send(world, parcel, then))
}

function send(world: World, parcel: Parcel, at: number): void {
  const { agenda } = world
  const random = chance(world)
  if (parcel.status !== 'WAITING') return
  if (parcel.waits || isBlocked(parcel)) {
    agenda.at(at + DAY_MS, then => send(world, parcel, then))
    return
  }
  if (parcel.note === '' && random.chance(0.012)) {
    parcel.note = random.pick(HOLDINGS)
    move(world, parcel, at, 'HELD', 'hold')
    agenda.at(at + random.whole(4, 9) * DAY_MS, then => {
      if (parcel.status !== 'HELD') return
      move(world, parcel, then, 'WAITING', 'release')
      send(world, parcel, then)
    })
    return
  }
  const packer = colleague(world, 'LOGISTICS')
  parcel.printedAt = at - random.whole(10, 120) * MINUTE_MS
  parcel.carrier = random.weighted(CARRIERS)
  parcel.trackingNo = `${parcel.carrier}${String(parcel.id).padStart(6, '0')}${random.whole(100_000, 999_999)}`
  parcel.sentAt = at
  parcel.lastEventAt = at
  parcel.trackingStatus = 'SHIPPED'
  move(world, parcel, at, 'SENT', 'send')
  shelfOf(world).send(at, parcel.id, parcel.packed, packer.id)
  if (parcel.coinOrder) moveCoinOrder(parcel.coinOrder, 'SENT')
  parcelSent.tell(world, at, parcel)
}

const CARRIERS = [
  ['YTO', 40],
  ['ZTO', 35],
  ['SF', 15],
  ['JD', 8],
  ['EMS', 2],
] as const

/** The next state, with its line in the timeline. */
export function move(
  world: World,
  parcel: Parcel,
  at: number,
  status: Parcel['status'],
  action: string,
  actor: Colleague | null = action === 'approve' || action === 'reject'
    ? colleague(world, 'WAREHOUSE_MANAGER')
    : colleague(world, 'LOGISTICS'),
): void {
  const before = parcel.status
  parcel.status = status
  parcel.stateSince = at
  parcel.version += 1
  if (parcel.order) parcel.order.fulfilment = fulfilmentOf(parcelsOfOrder(world, parcel.order))
  // Whoever looks at a timeline looks at a late one: parcels of long ago have none, for half of one would be a lie.
  if (world.now.getTime() - parcel.createdAt > LOGGED_DAYS * DAY_MS) return
  world.log.write({
    at,
    actor,
    resource: { ...resource, screen: { key: PAGES[action] ?? 'order-logistics' } },
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
export function holdOne(world: World): void {
  const parcels = parcelsOf(world).all
  const waiting = parcels.filter(({ status, waits }) => status === 'WAITING' && !waits)
  const parcel = waiting.at(-1)
  if (!parcel || parcels.some(({ status }) => status === 'HELD')) return
  parcel.note = chance(world).pick(HOLDINGS)
  // Not a while ago: it may have been approved since.
  move(world, parcel, world.now.getTime(), 'HELD', 'hold')
}

/** What has not left of these lines stays here. Answers how many parcels it touched. */
export function cancelParcels(
  world: World,
  order: Order,
  isOf: (lineId: number | null) => boolean,
  at: number,
): number {
  const open = parcelsOfOrder(world, order).filter(
    ({ status, packed }) =>
      (status === 'TO_APPROVE' || status === 'WAITING' || status === 'HELD') && packed.some(part => isOf(part.lineId)),
  )
  for (const parcel of open) {
    const rest = parcel.packed.filter(part => !isOf(part.lineId))
    if (!parcel.waits) shelfOf(world).release(parcel.packed.filter(part => isOf(part.lineId)))
    if (rest.length > 0) {
      parcel.packed = rest
      continue
    }
    move(world, parcel, at, 'CANCELLED', 'cancel', null)
    parcel.waits = false
  }
  return open.length
}

/** How far the goods of an order have come; as logistics reckons it. */
function fulfilmentOf(parcels: readonly Parcel[]): Order['fulfilment'] {
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
