import { sql } from 'kysely'
import { credit } from '#areas/members/member/credit.server.ts'
import { ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { isPlatform, type Order, ordersOf, productNameOf } from '#areas/orders/order/demo-trade.server.ts'
import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { digits, type Outside, type SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, owned, type World } from '#demo/world.server.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { atDoors } from './demo-doors.server.ts'
import {
  type Certificate,
  type Facts,
  leadPhoneOf,
  statusOf,
  timeOf,
  told,
  type Verified,
  valueIn,
} from './facts.model.ts'
import { PLATFORM_OF, type Platform, shopOf } from './platforms.server.ts'

const chance = chanceOf('live/platform-order')

/** In a business of the usual size: bought and not registered yet. */
const WAITING = 60
const AUTHORS = ['墨香老师', '写字课堂', '小楷日记', '妈妈练字社'] as const
const ROOMS = ['周末练字直播', '开学季专场', '硬笔公开课'] as const
/** What each platform says of an order that is paid, in use, and given back. */
const SAYS: Readonly<Record<'paid' | 'used' | 'back' | 'asked' | 'refunded', Readonly<Record<Platform, string>>>> = {
  paid: { DOUYIN: '201', WECHAT_SHOP: '20', XIAOHONGSHU: '4' },
  used: { DOUYIN: '201', WECHAT_SHOP: '100', XIAOHONGSHU: '7' },
  back: { DOUYIN: '1', WECHAT_SHOP: '200', XIAOHONGSHU: '8' },
  asked: { DOUYIN: '300', WECHAT_SHOP: 'MERCHANT_PROCESSING', XIAOHONGSHU: '2' },
  refunded: { DOUYIN: '301', WECHAT_SHOP: 'MERCHANT_REFUND_SUCCESS', XIAOHONGSHU: '3' },
}
/** Numbers that only forward to the buyer's, as platforms lend them. */
const LENT_PREFIX = '170'

type Row = NewRow<'platform_order'>
const iso = (at: number): string => new Date(at).toISOString()

/** What follows from the facts is stored beside them, as when events bring them. */
function rowOf(world: World, platform: Platform, orderNo: string, facts: Facts, more: Partial<Row>): Row {
  const verified = valueIn<Verified>(facts, 'verified')
  return {
    platform,
    order_no: orderNo,
    facts,
    status: statusOf(facts, more.member_id !== undefined && more.member_id !== null),
    product_name: valueIn<string>(facts, 'productName'),
    amount_fen: valueIn<number>(facts, 'amountFen'),
    platform_status: valueIn<string>(facts, 'platformStatus'),
    after_sale: valueIn<string>(facts, 'afterSale'),
    chat_added: facts.chatAdded !== undefined,
    author: valueIn<string>(facts, 'author'),
    room: valueIn<string>(facts, 'room'),
    lead_phone: leadPhoneOf(facts).leadPhone,
    phone_kind: leadPhoneOf(facts).phoneKind,
    last4: valueIn<Certificate>(facts, 'certificate')?.last4 ?? null,
    verify_state: verified?.isOn ? 'VERIFIED' : 'NONE',
    verified_at: verified?.isOn ? timeOf(facts, 'verified') : null,
    verify_id: verified?.verifyId ?? null,
    refund_state: facts.refunded ? 'REFUNDED' : valueIn<boolean>(facts, 'refundAsked') ? 'ASKED' : 'NONE',
    paid_at: timeOf(facts, 'paid'),
    claimed_at: timeOf(facts, 'claimed'),
    registered_at: timeOf(facts, 'registered'),
    refunded_at: timeOf(facts, 'refunded'),
    created_at: timeOf(facts, 'paid') ?? world.now,
    exception: 'NONE',
    member_id: null,
    order_id: null,
    refunded_fen: null,
    owner_id: null,
    org_id: null,
    ...more,
  }
}

function bought(world: World, platform: Platform, at: number, what: { product: string; fen: number }): Facts {
  const random = chance(world)
  const code = digits(random, 12)
  return told({}, iso(at), {
    paid: true,
    productName: what.product.slice(0, 100),
    amountFen: what.fen,
    platformStatus: SAYS.paid[platform],
    author: random.pick(AUTHORS),
    room: random.chance(0.7) ? random.pick(ROOMS) : undefined,
    certificate: platform === 'DOUYIN' ? { id: `C${code}`, code: `E${code}`, last4: code.slice(-4) } : undefined,
  })
}

const givenBack = (facts: Facts, platform: Platform, at: string, refundedFen: number): Facts =>
  told(facts, at, {
    refunded: true,
    refundedFen,
    platformStatus: SAYS.back[platform],
    afterSale: SAYS.refunded[platform],
  })

/** Those whose buyers are members: the order of ours by which the course was opened stands beside. */
function ofMembers(world: World, refunds: ReadonlyMap<string, Date>): Row[] {
  const random = chance(world)
  return ordersOf(world).flatMap((order: Order): Row[] => {
    if (!isPlatform(order.source) || order.paidAt === null || order.payState !== 'PAID') return []
    const paidAt = order.paidAt
    const platform = order.source as Platform
    let facts = bought(world, platform, paidAt, { product: productNameOf(order), fen: order.amountFen })
    const claimedAt = Math.min(paidAt + random.whole(5, 600) * MINUTE_MS, world.now.getTime())
    facts = told(facts, iso(claimedAt), {
      claimed: true,
      registered: true,
      ownPhone: order.member.phone,
      platformStatus: SAYS.used[platform],
      chatAdded: (platform === 'XIAOHONGSHU' && random.chance(0.7)) || undefined,
    })
    const verifiedAt = claimedAt + random.whole(1, 40) * MINUTE_MS
    if (platform === 'DOUYIN' && verifiedAt < world.now.getTime() && random.chance(0.85))
      facts = told(facts, iso(verifiedAt), { verified: { isOn: true, verifyId: `V${digits(random, 10)}` } })
    const refundedAt = refunds.get(`${shopOf(platform)} ${order.orderNo}`)
    if (refundedAt) facts = givenBack(facts, platform, refundedAt.toISOString(), order.amountFen)
    return [
      rowOf(world, platform, order.orderNo, facts, {
        member_id: order.member.id,
        order_id: order.id,
        refunded_fen: refundedAt ? order.amountFen : null,
        ...owned(ownerAt(order.member, world.now.getTime(), world.now)),
      }),
    ]
  })
}

const askedBack = (platform: Platform) => ({ refundAsked: true, afterSale: SAYS.asked[platform] })

/** Bought lately by people who have not registered: some wait for the course too long, some gave it back. */
function ofStrangers(world: World, taken: number): Row[] {
  const random = chance(world)
  return Array.from({ length: Math.max(3, Math.round(WAITING * world.scale)) }, (_, index): Row => {
    const platform = random.pick(['DOUYIN', 'DOUYIN', 'WECHAT_SHOP', 'XIAOHONGSHU'] as const)
    const at = world.now.getTime() - Math.floor(random.fraction() ** 2 * 4 * DAY_MS) - MINUTE_MS
    let facts = bought(world, platform, at, { product: '硬笔入门体验课', fen: random.pick([900, 1_990, 2_990]) })
    const isClaimed = random.chance(0.4)
    if (isClaimed)
      facts = told(facts, iso(at + 30_000), { claimed: true, ownPhone: phoneAt(PHONES.lead + taken + index) })
    // Until its person claims the course, the shop lends a number for the parcel.
    else if (platform === 'WECHAT_SHOP')
      facts = told(facts, iso(at), { platformPhone: { number: `${LENT_PREFIX}${digits(random, 8)}`, isVirtual: true } })
    if (random.chance(0.1)) facts = told(facts, iso(at + 40_000), askedBack(platform))
    const isLate = !isClaimed && world.now.getTime() - at > DAY_MS
    return rowOf(world, platform, `6${digits(random, 17)}`, facts, { exception: isLate ? 'UNCLAIMED' : 'NONE' })
  })
}

/** A refund of somebody who never registered came with its number alone. */
const ofRefunds = (world: World, known: ReadonlySet<string>): Row[] =>
  world.rows.of('refund_notice').flatMap((notice): Row[] => {
    const platform = PLATFORM_OF[notice.source as keyof typeof PLATFORM_OF] as Platform | undefined
    if (!platform || known.has(`${notice.source} ${notice.order_no}`) || notice.member_id != null) return []
    const at = new Date(notice.created_at as Date).getTime()
    const paid = bought(world, platform, at - 5 * HOUR_MS, { product: '硬笔入门体验课', fen: 1_990 })
    const facts = told(givenBack(paid, platform, iso(at), 1_990), iso(at), { ownPhone: notice.lead_phone ?? undefined })
    return [rowOf(world, platform, String(notice.order_no), facts, { refunded_fen: 1_990 })]
  })

function end(world: World): void {
  const notices = world.rows.of('refund_notice')
  const refunds = new Map(
    notices.map(({ source, order_no, created_at }) => [`${source} ${order_no}`, new Date(created_at as Date)]),
  )
  const members = ofMembers(world, refunds)
  const known = new Set(members.map(({ platform, order_no }) => `${shopOf(platform)} ${order_no}`))
  const rows = [...members, ...ofRefunds(world, known), ...ofStrangers(world, notices.length)]
  world.rows.add(
    'platform_order',
    byTime(rows, ({ created_at }) => new Date(created_at as string)),
  )
}

/** Somebody buys on a platform: told late, twice and in any order, as platforms do. */
async function buy({ clock }: Outside, random: Random): Promise<SimulatedEvent> {
  const source = random.pick(['douyin', 'douyin', 'wechat-shop', 'xiaohongshu'] as const)
  const at = clock.now().getTime() - random.whole(0, 20) * MINUTE_MS
  const code = digits(random, 12)
  return {
    source,
    type: 'platform-order.told',
    data: {
      orderNo: `6${digits(random, 17)}`,
      at: iso(at),
      paidAt: iso(at),
      product: '硬笔入门体验课',
      amountFen: random.pick([900, 1_990, 2_990]),
      status: SAYS.paid[PLATFORM_OF[source]],
      author: random.pick(AUTHORS),
      room: random.pick(ROOMS),
      ...(source === 'wechat-shop' ? { buyerMobile: `${LENT_PREFIX}${digits(random, 8)}`, isVirtual: true } : {}),
      ...(source === 'douyin' ? { certificate: { id: `C${code}`, code: `E${code}`, last4: code.slice(-4) } } : {}),
    },
  }
}

/** What was bought lately is claimed, or given back; the platform may tell either before the purchase. */
async function goOn({ db, clock }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
  const [row] = await db.read.rows(
    `select platform, order_no, product_name from platform_order where status = 'BOUGHT' order by id desc limit 1 offset $1`,
    [random.whole(0, 20)],
  )
  if (!row) return undefined
  const source = shopOf(String(row.platform))
  const orderNo = String(row.order_no)
  const at = clock.now().toISOString()
  if (random.chance(0.2)) return { source, type: 'voucher.refunded', data: { orderNo, at } }
  const { platform } = row as { platform: Platform }
  if (random.chance(0.1))
    return {
      source,
      type: 'platform-order.told',
      data: { orderNo, at, isRefundAsked: true, afterSale: SAYS.asked[platform] },
    }
  const product = String(row.product_name)
  const isChatAdded = source === 'xiaohongshu' && random.chance(0.5)
  return {
    source,
    type: 'voucher.claimed',
    data: { orderNo, at, product, phone: `199${digits(random, 8)}`, ...(isChatAdded ? { isChatAdded } : {}) },
  }
}

/** Who bought there came by that, and belongs where the rule says. */
async function tellBuyers(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into lead_touch (member_id, key, came_by, source, channel, consent, about, first_at, last_at)
    select member_id, 'platform:' || platform || ':' || order_no, 'PLATFORM_ORDER', platform,
      case platform when 'DOUYIN' then case when room is null then 'DOUYIN_VIDEO' else 'DOUYIN_LIVE' end
        when 'XIAOHONGSHU' then 'XIAOHONGSHU_NOTE' else platform end, 'PLATFORM_ORDER', product_name, paid_at, paid_at
    from platform_order where member_id is not null and paid_at is not null order by id
    returning member_id as id`.execute(tx)
  await credit({ tx }, [...new Set(rows.map(({ id }) => id))])
}

export const demo: Story = {
  end,
  stored: tellBuyers,
  scenes: [[buy, 5], [goOn, 4], ...atDoors],
}
