import { ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { type Order, orderClosed, orderPaid, orderPlaced, sumOf } from '#areas/orders/order/demo-trade.server.ts'
import { resource as orderResource } from '#areas/orders/order/model.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, instant, owned, type World } from '#demo/world.server.ts'
import { flagsOf, resource } from './model.ts'

const chance = chanceOf('orders/examination')

const AGREEMENTS = ['老学员转介绍，按约定优惠', '兄弟姐妹同报', '活动价延期一天'] as const
const PAY_CHANNELS = ['BANK', 'WECHAT', 'ALIPAY', 'CASH'] as const

/** Money taken in the shop: a second person looks at it. */
function takeByHand(world: World, order: Order, at: number): void {
  const random = chance(world)
  const applicant = order.soldBy ?? colleague(world, 'SALES_MANAGER_COPY')
  const payChannel = random.pick(PAY_CHANNELS)
  const transactionNo = `${random.whole(10, 99)}${String(order.id).padStart(8, '0')}${random.whole(1_000, 9_999)}`
  const decided = order.paidAt ?? order.closedAt
  const examiner = decided === null ? null : examinerOf(world, applicant)
  order.examination = { id: world.ids.next('order_examination'), by: examiner }
  const row = {
    ...examined(world, order, order.examination.id, at),
    kind: 'OFFLINE',
    amount_fen: order.amountFen,
    before_fen: order.amountFen,
    flags: flagged(order, order.amountFen, order.amountFen),
    pay_channel: payChannel,
    transaction_no: transactionNo,
    status: order.paidAt !== null ? 'APPROVED' : order.closedAt !== null ? 'REJECTED' : 'WAITING',
    applicant_id: applicant.id,
    decided_by: examiner?.id ?? null,
    decided_at: instant(decided),
    version: decided === null ? 1 : 2,
  } as const
  world.rows.add('order_examination', [row])
  order.offlineNo = transactionNo
  world.log.write({
    at,
    actor: applicant,
    resource: orderResource,
    action: 'create',
    recordId: order.id,
    after: { payState: 'EXAMINING', amountFen: order.amountFen, orderNo: order.orderNo },
  })
}

/** Another price than the product's: examined while the member waits, unless it is still open. */
function agreePrice(world: World, order: Order, at: number): void {
  const random = chance(world)
  const isOpen = order.payState === 'EXAMINING'
  const applicant = order.soldBy as Colleague
  const examiner = isOpen ? null : examinerOf(world, applicant)
  const decidedAt = isOpen ? null : at + Math.floor(((order.paidAt ?? order.closedAt ?? at) - at) / 2)
  const asked = isOpen ? order.amountFen - random.pick([2_000, 5_000]) : order.amountFen
  const row = {
    ...examined(world, order, world.ids.next('order_examination'), at),
    kind: 'PRICE',
    amount_fen: asked,
    before_fen: order.agreedFrom ?? order.amountFen,
    flags: flagged(order, asked, order.agreedFrom ?? order.amountFen),
    pay_channel: null,
    transaction_no: null,
    note: random.pick(AGREEMENTS),
    status: isOpen ? 'WAITING' : 'APPROVED',
    applicant_id: applicant.id,
    decided_by: examiner?.id ?? null,
    decided_at: decidedAt === null ? null : new Date(decidedAt),
    version: isOpen ? 1 : 2,
  } as const
  world.rows.add('order_examination', [row])
  order.version += isOpen ? 1 : 2
  world.log.write({
    at,
    actor: applicant,
    resource: orderResource,
    action: 'changePrice',
    recordId: order.id,
    before: { payState: 'UNPAID' },
    after: { payState: 'EXAMINING' },
    reason: random.pick(AGREEMENTS),
  })
  if (decidedAt === null) return
  world.log.write({
    at: decidedAt,
    actor: examiner,
    resource: orderResource,
    action: 'examine',
    recordId: order.id,
    before: { payState: 'EXAMINING' },
    after: { payState: 'UNPAID' },
  })
}

const examined = ({ now }: World, order: Order, id: number, at: number) => ({
  id,
  order_id: order.id,
  member_id: order.member.id,
  list_fen: sumOf(order, line => line.listFen),
  note: '',
  ...owned(ownerAt(order.member, now.getTime(), now)),
  created_at: new Date(at),
})

const flagged = (order: Order, amountFen: number, beforeFen: number): string[] =>
  flagsOf({
    amountFen,
    beforeFen,
    listFen: sumOf(order, line => line.listFen),
    isOffSale: false,
    isProofSeen: false,
    isOwnerChanged: false,
    isShared: false,
  })

/** The applicant's manager, or finance where the applicant leads. */
const examinerOf = (world: World, applicant: Colleague): Colleague =>
  chance(world).pick(
    world.staff.filter(
      ({ id, role, org }) =>
        id !== applicant.id && (role === 'FINANCE' || (role === 'SALES_MANAGER_COPY' && org === applicant.org)),
    ),
  )

/** What became of the money stands in the examination's own timeline too. */
function logDecision({ log }: World, { examination }: Order, at: number, status: 'APPROVED' | 'REJECTED'): void {
  if (!examination) return
  log.write({
    at,
    actor: examination.by,
    resource,
    action: status === 'APPROVED' ? 'approve' : 'reject',
    recordId: examination.id,
    before: { status: 'WAITING' },
    after: { status },
    ...(status === 'APPROVED' ? {} : { reason: '账上没有这笔款' }),
  })
}

/** Money taken by hand has been seen by a second person, or waits for one. */
const EXAMINATIONS = `
  insert into order_examination (order_id, member_id, kind, amount_fen, before_fen, list_fen, pay_channel, transaction_no, status, applicant_id,
    decided_by, decided_at, owner_id, org_id, created_at, version)
  select s.order_id, s.member_id, 'OFFLINE', s.fen, o.list_fen, o.list_fen, 'BANK', 'T' || s.order_no,
    case when s.pay_state = 'PAID' then 'APPROVED' else 'WAITING' end, s.owner_id,
    case when s.pay_state = 'PAID' then (select min(p.id) from staff p where p.id <> s.owner_id) end, s.paid_at, s.owner_id, s.org_id, s.at,
    case when s.pay_state = 'PAID' then 2 else 1 end
  from sold s join offer o on o.slot = s.slot where s.source = 'OFFLINE' order by s.k`

export const demo: Story = {
  holds: {
    SALES_MANAGER_COPY: [...READ, 'approve', 'reject'],
    FINANCE: [...READ, 'export', 'approve', 'reject'],
    AUDITOR: READ,
  },
  plan(world) {
    orderPlaced.hear(world, (at, order) => {
      if (order.source === 'OFFLINE') takeByHand(world, order, at)
      else if (order.agreedFrom !== null) agreePrice(world, order, at)
    })
    orderPaid.hear(world, (at, order) => logDecision(world, order, at, 'APPROVED'))
    orderClosed.hear(world, (at, order) => logDecision(world, order, at, 'REJECTED'))
  },
  proved: {
    table: 'order_examination',
    read: (tx, newest) =>
      tx
        .selectFrom('order_examination')
        .select(['id', 'amount_fen as fen', 'transaction_no as no', 'applicant_id as staff_id', 'created_at as at'])
        .where('kind', '=', 'OFFLINE')
        .orderBy('id', 'desc')
        .limit(newest)
        .execute(),
  },
  bulk: { tables: ['order_examination'], statements: [EXAMINATIONS] },
}
