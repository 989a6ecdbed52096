import { goodOf } from '#areas/logistics/base-product/demo.server.ts'
import { onePart, partOf, partsOf } from '#areas/logistics/goods-kit/demo.server.ts'
import { ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { goodsGiven } from '#areas/members/member/demo-learning.server.ts'
import { coinOrderApproved } from '#areas/orders/coin-order/demo.server.ts'
import { type Order, orderPaid, orderUndone } from '#areas/orders/order/demo-trade.server.ts'
import { type Goods, goodsAsked, refundPaid } from '#areas/orders/refund-application/demo-course.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, instant, owned, type World } from '#demo/world.server.ts'
import { bulk } from './demo-bulk.server.ts'
import { cancelParcels, holdOne, openParcel, type Parcel, parcelsOf, parcelsOfOrder } from './demo-parcels.server.ts'

const SPLIT_EVERY = 8

const chance = chanceOf('logistics/shipment: goods')

/** Whatever others promise has to be sent, and stays here when they take it back. */
function plan(world: World): void {
  orderPaid.hear(world, (at, order) => sendGoods(world, order, at))
  orderUndone.hear(world, (at, order) => void cancelParcels(world, order, () => true, at))
  goodsAsked.hear(world, (_, { order, lineId }) => goodsOf(world, order, lineId))
  refundPaid.hear(world, (at, { order, isOf }) => ({
    cancelled: cancelParcels(world, order, isOf, at),
    out: piecesOut(world, order),
  }))
  coinOrderApproved.hear(world, (at, order) =>
    openParcel(world, at, {
      source: 'COIN_ORDER',
      member: order.member,
      address: order.address,
      goodsName: order.goods.name,
      parts: [partOf(world, order.goods.sku, 1)],
      coinOrder: order,
      applicant: colleague(world, 'LOGISTICS'),
    }),
  )
  goodsGiven.hear(world, (at, { member, address, giver, sku, quantity }) => {
    const part = partOf(world, sku, quantity)
    openParcel(world, at, { source: 'GIFT', member, address, goodsName: part.name, parts: [part], applicant: giver })
  })
}

/** What a paid order has to send, mostly in one parcel. */
function sendGoods(world: World, order: Order, at: number): void {
  if (!order.address) return
  const goods = order.lines.flatMap(({ id, offer, quantity }) =>
    partsOf(world, offer.grants, quantity).map(part => ({ ...part, lineId: id })),
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
    openParcel(world, at, { ...about, parts, ...(index > 0 ? { lateDays: chance(world).whole(7, 12) } : {}) })
}

const isOut = ({ status }: Parcel): boolean => status === 'SENT' || status === 'SIGNED' || status === 'RETURNED'

/** Pieces of an order that have left and not come back. */
const piecesOut = (world: World, order: Order): number =>
  parcelsOfOrder(world, order)
    .filter(isOut)
    .flatMap(({ packed }) => packed)
    .reduce((sum, { quantity, returned }) => sum + quantity - returned, 0)

function goodsOf(world: World, order: Order, lineId: number): Goods {
  const parts = (isWanted: (parcel: Parcel) => boolean) =>
    parcelsOfOrder(world, order)
      .filter(isWanted)
      .flatMap(({ packed }) => packed)
      .filter(part => part.lineId === lineId)
  const worth = (packed: Parcel['packed']) =>
    packed.reduce((sum, { sku, quantity, returned }) => sum + (quantity - returned) * goodOf(world, sku).valueFen, 0)
  const unsent = parts(({ status, sentAt }) => status !== 'CANCELLED' && sentAt === null)
  return {
    sentFen: worth(parts(isOut)),
    unsentFen: worth(unsent),
    unsentPieces: unsent.reduce((sum, { quantity }) => sum + quantity, 0),
  }
}

function end(world: World): void {
  holdOne(world)
  const parcels = parcelsOf(world).all
  world.rows.add(
    'shipment',
    parcels.map(parcel => parcelRow(parcel, world.now)),
  )
  world.rows.add(
    'shipment_line',
    parcels.flatMap(parcel => lineRows(world, parcel)),
  )
}

function lineRows(world: World, parcel: Parcel) {
  const isOpen = ['TO_APPROVE', 'WAITING', 'HELD'].includes(parcel.status)
  return parcel.packed.map(({ baseProductId, sku, quantity, lineId, returned, kitEditionId }) => ({
    shipment_id: parcel.id,
    base_product_id: baseProductId,
    order_id: parcel.order?.id ?? null,
    order_line_id: lineId,
    coin_order_id: parcel.coinOrder?.id ?? null,
    kit_edition_id: kitEditionId ?? null,
    quantity,
    locked: isOpen && !parcel.waits ? quantity : 0,
    returned,
    value_fen: parcel.sentAt === null ? null : goodOf(world, sku).valueFen,
  }))
}

const parcelRow = (parcel: Parcel, now: Date) => ({
  id: parcel.id,
  shipment_no: parcel.no,
  source: parcel.source,
  order_id: parcel.order?.id ?? null,
  coin_order_id: parcel.coinOrder?.id ?? null,
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
  })),
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

export const demo: Story = {
  holds: {
    LOGISTICS: [
      ...READ,
      'update',
      'export',
      'reveal',
      'send',
      'hold',
      'release',
      'split',
      'merge',
      'print',
      'import',
      'undoImport',
    ],
  },
  plan,
  end,
  bulk,
  enters: onePart,
}
