import { ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { hasGoods, isPlatform, type Order, ordersOf } from '#areas/orders/order/demo-trade.server.ts'
import { askRefund } from '#areas/orders/refund-application/demo.server.ts'
import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { digits, type Outside, type SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, owned, type World } from '#demo/world.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Row } from '#kit/server/database/database.ts'

/** In a business of the usual size. */
const NOTICES = 40
const UNREAD_DAYS = 6

const chance = chanceOf('live/refund-notice')

/** Order source → the name the platform's events come under. */
const SHOPS: Readonly<Record<string, string>> = {
  DOUYIN: 'douyin',
  WECHAT_SHOP: 'wechat-shop',
  XIAOHONGSHU: 'xiaohongshu',
}

/** Refunds the platforms told of: the money is back already, somebody has to enter it and look after the pupil. */
function planNotices(world: World): void {
  const { agenda, rows, scale } = world
  const random = chance(world)
  const count = Math.round(NOTICES * scale)
  const unread = Math.round(count / 4)
  const sold = ordersOf(world).filter(order => isPlatform(order.source) && order.paidAt !== null)
  const told = new Set<Order>()
  for (let tries = 0; told.size < count && tries < count * 20; tries += 1) {
    const isUnread = told.size < unread
    const from = isUnread ? Math.floor(sold.length * 0.94) : 0
    const order = sold[from + Math.floor((sold.length - from) * random.fraction())]
    if (!order || told.has(order)) continue
    const at = toldAt(world, order.paidAt ?? 0, isUnread)
    if (at === undefined) continue
    const index = told.size
    told.add(order)
    agenda.at(at, then => {
      const notice = random.chance(0.3)
        ? stranger(world, order, then, isUnread, index)
        : refunded(world, order, then, isUnread)
      rows.add('refund_notice', [notice])
    })
  }
}

/** What nobody has processed yet is of this week; what is older has been. */
function toldAt(world: World, paidAt: number, unread: boolean): number | undefined {
  const { now } = world
  const random = chance(world)
  if (unread) {
    const from = Math.max(paidAt, now.getTime() - UNREAD_DAYS * DAY_MS)
    return from + Math.floor((now.getTime() - from) * random.fraction())
  }
  const at = paidAt + random.whole(1, 240) * HOUR_MS
  return at < now.getTime() - 4 * DAY_MS ? at : undefined
}

/** Whoever looks after the pupil enters the refund; unless nobody has read of it yet. */
function refunded(world: World, order: Order, at: number, unread: boolean): NewRow<'refund_notice'> {
  const { agenda, now } = world
  const random = chance(world)
  const owner = ownerAt(order.member, now.getTime(), now)
  const processed = unread || !owner ? null : { at: processedAt(random, at), by: owner }
  const part = order.lines.some(({ offer }) => hasGoods(offer.grants)) && random.chance(0.4) ? 0.5 : 1
  if (processed)
    agenda.at(processed.at + 5 * MINUTE_MS, then =>
      askRefund(
        world,
        {
          order,
          applicant: processed.by,
          outcome: 'PAID',
          route: 'PLATFORM',
          paidBackFen: Math.floor(order.amountFen * part),
        },
        then,
      ),
    )
  return noticeRow(order, at, { no: order.orderNo, phone: order.member.phone, member: true }, owner, processed)
}

/** Bought and gave back before registering: a number that is no pupil's, allocated to a consultant all the same. */
function stranger(world: World, like: Order, at: number, unread: boolean, index: number): NewRow<'refund_notice'> {
  const { staff } = world
  const random = chance(world)
  const owner = random.pick(
    staff.filter(({ role, enabled, org }) => role === 'SALES' && enabled && org.startsWith('SALES_')),
  )
  const no = `69${String(random.whole(0, 99_999_999)).padStart(8, '0')}${String(index).padStart(9, '0')}`
  const processed = unread ? null : { at: processedAt(random, at), by: owner }
  return noticeRow(like, at, { no, phone: phoneAt(PHONES.lead + index), member: false }, owner, processed)
}

const processedAt = (random: Random, at: number): number => at + random.whole(10, 2_000) * MINUTE_MS

const noticeRow = (
  order: Order,
  at: number,
  buyer: { no: string; phone: string; member: boolean },
  owner: Colleague | null,
  processed: { at: number; by: Colleague } | null,
): NewRow<'refund_notice'> => ({
  source: SHOPS[order.source] ?? '',
  order_no: buyer.no,
  lead_phone: buyer.phone,
  phone: buyer.member ? buyer.phone : null,
  member_id: buyer.member ? order.member.id : null,
  ...owned(owner),
  status: processed ? 'READ' : 'UNREAD',
  created_at: new Date(at),
  processed_at: processed ? new Date(processed.at) : null,
  processed_by: processed?.by.id ?? null,
})

/** The platform has paid somebody back: a pupil of ours, or every third time somebody who never registered. */
async function wantBack({ db, clock }: Outside, random: Random, { phone }: Row): Promise<SimulatedEvent> {
  const [sold] = await db.read.rows(
    `select o.order_no, m.phone from sales_order o join member m on m.id = o.member_id
     where o.source = 'DOUYIN' and o.pay_state = 'PAID' and o.refund_state = 'NONE' order by o.id desc limit 1 offset $1`,
    [random.whole(0, 40)],
  )
  const orderNo = sold?.order_no ?? `${dayOf(clock.now()).replaceAll('-', '')}${digits(random, 10)}`
  const known = String(sold?.phone ?? phone)
  return random.chance(0.67)
    ? { source: 'douyin', type: 'voucher.refunded', data: { orderNo, leadMobile: known, mobilePhone: known } }
    : {
        source: 'douyin',
        type: 'voucher.refunded',
        data: { orderNo: `69${digits(random, 16)}`, leadMobile: `199${digits(random, 8)}` },
      }
}

export const demo: Story = {
  plan: planNotices,
  scenes: [[wantBack, 4]],
}
