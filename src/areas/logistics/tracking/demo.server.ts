import { shelfOf } from '#areas/logistics/base-product/demo.server.ts'
import { onePart } from '#areas/logistics/goods-kit/demo.server.ts'
import { move, openParcel, type Parcel, parcelSent } from '#areas/logistics/shipment/demo-parcels.server.ts'
import { moveCoinOrder } from '#areas/orders/coin-order/demo.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, MINUTE_MS, type World } from '#demo/world.server.ts'
import { messageTold } from '#engines/message/demo-told.server.ts'
import { parcelSent as parcelSentMessage } from './parcel-sent.model.ts'

/** After so long without a word the carrier is asked, and pays. */
const LOST_DAYS = 12
const TOLD_DAYS = 120

const chance = chanceOf('logistics/tracking')

type Leg = readonly [status: Parcel['trackingStatus'], content: string, hours: readonly [from: number, to: number]]

const PICKED: Leg = ['PICKED', '快件已由揽收员揽收', [2, 9]]
const TRANSIT: Leg = ['TRANSIT', '快件已到达转运中心', [8, 30]]
const DELIVERING: Leg = ['DELIVERING', '派件员正在派送，请保持电话畅通', [10, 40]]
const STATION: Leg = ['STATION', '快件已存放至小区驿站，请凭取件码领取', [2, 8]]
const SIGNED: Leg = ['SIGNED', '快件已签收，签收人：本人', [1, 20]]
const PROBLEM: Leg = ['PROBLEM', '收件地址不详，无法派送', [6, 20]]
const REFUSED: Leg = ['REJECTED', '收件人拒收', [1, 6]]
const RETURNING: Leg = ['RETURNING', '快件正在退回寄件人', [12, 40]]
const RETURNED: Leg = ['RETURNED', '退回件已签收', [30, 70]]

const ARRIVES = [PICKED, TRANSIT, DELIVERING, SIGNED]
const WAITS_AT_STATION = [PICKED, TRANSIT, DELIVERING, STATION, SIGNED]
const IS_DIFFICULT = [PICKED, TRANSIT, PROBLEM, DELIVERING, SIGNED]
const COMES_BACK = [PICKED, TRANSIT, DELIVERING, REFUSED, RETURNING, RETURNED]
const VANISHES = [PICKED, TRANSIT]

/** What the carrier tells of a parcel that has left. */
function track(world: World, parcel: Parcel, sentAt: number): void {
  const way = chance(world).weighted([
    [ARRIVES, 850],
    [WAITS_AT_STATION, 110],
    [IS_DIFFICULT, 18],
    [COMES_BACK, 14],
    [VANISHES, 8],
  ] as const)
  tell(world, parcel, way, sentAt)
  if (way === VANISHES)
    world.agenda.at(sentAt + LOST_DAYS * DAY_MS, at => {
      parcel.note = '快递确认丢件，已申请理赔'
      move(world, parcel, at, 'LOST', 'markLost')
      sendAgain(world, parcel, at + 2 * HOUR_MS)
    })
}

function tell(world: World, parcel: Parcel, way: readonly Leg[], before: number): void {
  const [leg, ...rest] = way
  if (!leg) return
  const [status, content, [from, to]] = leg
  world.agenda.at(before + chance(world).whole(from * 60, to * 60) * MINUTE_MS, at => {
    // Somebody ended it meanwhile: what was asked back is on its way already.
    if (parcel.status !== 'SENT') return
    // Of a parcel that came to its end long ago the last word is enough.
    const isOld = world.now.getTime() - at > TOLD_DAYS * DAY_MS
    if (!isOld || rest.length === 0)
      world.rows.add('tracking_event', [{ shipment_id: parcel.id, at: new Date(at), status, content }])
    parcel.trackingStatus = status
    parcel.lastEvent = content
    parcel.lastEventAt = at
    if (status === 'PICKED') tellReceiver(world, parcel, at)
    if (status === 'SIGNED') {
      parcel.signedAt = at
      move(world, parcel, at, 'SIGNED', 'track', null)
      if (parcel.coinOrder) moveCoinOrder(parcel.coinOrder, 'DONE')
    }
    if (status === 'RETURNED') takeBack(world, parcel, at)
    tell(world, parcel, rest, at)
  })
}

function tellReceiver(world: World, { id, member, goodsName, trackingNo }: Parcel, at: number): void {
  messageTold.tell(world, at, {
    message: parcelSentMessage,
    memberId: member.id,
    phone: member.phone,
    filled: { goods: goodsName, trackingNo: trackingNo ?? '' },
    about: `parcel-sent:${id}:${trackingNo}`,
  })
}

function takeBack(world: World, parcel: Parcel, at: number): void {
  move(world, parcel, at, 'RETURNED', 'receiveBack')
  shelfOf(world).receive(at, parcel.id, parcel.packed, colleague(world, 'LOGISTICS').id)
  for (const part of parcel.packed) part.returned = part.quantity
}

/** The same goods once more, asked for by the warehouse and let go by its manager. */
function sendAgain(world: World, parcel: Parcel, at: number): void {
  const { member, address, goodsName, packed, order, coinOrder } = parcel
  world.agenda.at(at, then => {
    if (order && (order.openRefunds > 0 || order.lines.some(({ refundedFen }) => refundedFen > 0))) return
    openParcel(world, then, {
      source: 'RESEND',
      member,
      address,
      goodsName,
      parts: packed.map(({ returned: _, lineId, ...part }) => (lineId === null ? part : { ...part, lineId })),
      ...(order ? { order } : {}),
      ...(coinOrder ? { coinOrder } : {}),
      resendOf: parcel.id,
      applicant: colleague(world, 'LOGISTICS'),
    })
  })
}

const TRACKING = `
  insert into tracking_event (shipment_id, at, status, content)
  select shipment_id, paid_at + interval '2 days', 'TRANSIT', '快件已到达转运中心' from sold where parcel = 'SENT'
  union all
  select shipment_id, paid_at + interval '5 days', 'SIGNED', '快件已签收，签收人：本人' from sold where parcel = 'SIGNED'`

export const demo: Story = {
  holds: { LOGISTICS: [...READ, 'update', 'export', 'reveal', 'refresh', 'receiveBack', 'resend', 'markLost'] },
  plan: world => parcelSent.hear(world, (at, parcel) => track(world, parcel, at)),
  bulk: { tables: ['tracking_event'], statements: [TRACKING] },
  enters: onePart,
}
