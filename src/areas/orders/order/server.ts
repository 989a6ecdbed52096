import { keepsAccount } from '#areas/members/member/closing.server.ts'
import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { askExamination } from '#areas/orders/examination/asking.server.ts'
import { gives, unpaidOrderGiving } from '#areas/products/course-package/server.ts'
import { numbersKept } from '#engines/sequence/server.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { arrivals } from './arriving.server.ts'
import { ordersByDay, ordersByProduct } from './by-day.server.ts'
import { memberAnswers } from './by-member.server.ts'
import { couponInvariants, couponListeners } from './coupons.server.ts'
import { linesOf } from './lines.server.ts'
import { type Order, resource, workflow } from './model.ts'
import { type Offline, placeOffline } from './offline.server.ts'
import { orderClosed, jobs as payingJobs, listeners as payingListeners } from './paying.server.ts'
import type { Receiver } from './placing.server.ts'
import { quoteRoute } from './quote.server.ts'
import { receiverOf } from './receiver.server.ts'

export const routes: Routes = app => [...served(app), quoteRoute(app)]

const served = serve(resource, {
  workflow,
  async store(op, input, before, write) {
    if (before) return write(input)
    return placeOffline(op, input as Offline)
  },
  effects: {
    async changePrice(op, order, { amountFen, reason }) {
      await askExamination(op, {
        order: { ...order, orgId: await orgOf(op, order.id) },
        kind: 'PRICE',
        amountFen,
        beforeFen: order.amountFen,
        note: reason ?? '',
      })
      return { closesAt: null }
    },
    changeAddress: async (op, order, given) => {
      const receiver = receiverOf(given)
      if (!receiver) throw new Error('an address was asked for')
      await announce(op, addressChanged, { orderId: order.id, receiver })
      return {
        receiverName: receiver.name,
        receiverPhone: receiver.phone,
        receiverProvince: receiver.province,
        receiverAddress: receiver.address,
      }
    },
    sendAgain: (op, order) => announce(op, goodsAskedAgain, { orderId: order.id }),
    async close(op, order) {
      await announce(op, orderClosed, { orderId: order.id })
      await op.tx
        .updateTable('sales_order')
        .set({ closed_at: op.now, closes_at: null })
        .where('id', '=', order.id)
        .execute()
    },
  },
  detail: async (app, { id }) => ({ lines: await linesOf(app, id) }),
})

const orgOf = async ({ tx }: Operation, id: string): Promise<string | null> =>
  (await tx.selectFrom('sales_order').select('org_id').where('id', '=', id).executeTakeFirstOrThrow()).org_id

/** How far the goods of an order have come; logistics knows, and tells it here. */
export const setFulfilment = ({ tx }: Change, orderId: string, state: Order['fulfilState'], goodsRejected: boolean) =>
  tx
    .updateTable('sales_order')
    .set(eb => ({ fulfil_state: state, goods_rejected: goodsRejected, version: eb('version', '+', 1) }))
    .where('id', '=', orderId)
    .where(eb => eb.or([eb('fulfil_state', '<>', state), eb('goods_rejected', '<>', goodsRejected)]))
    .execute()

/** Goods that were not let go are asked for once more. */
export const goodsAskedAgain = defineAnnouncement<{ orderId: string }>('order-goods-asked-again')

/** The parcel must go elsewhere. */
export const addressChanged = defineAnnouncement<{ orderId: string; receiver: Receiver }>('order-address-changed')

const unpaidGiving = async (tx: Tx, packageId: string): Promise<string | undefined> => {
  const order = await tx
    .selectFrom('sales_order as o')
    .innerJoin('order_line as l', 'l.order_id', 'o.id')
    .select('o.order_no')
    .where('o.pay_state', 'in', ['UNPAID', 'EXAMINING'])
    .where(gives(packageId))
    .executeTakeFirst()
  return order?.order_no
}

export const answers = [
  answer(unpaidOrderGiving, (_app, { tx, packageId }) => unpaidGiving(tx, packageId)),
  ...memberAnswers,
]
export const events = arrivals
export const listeners = [
  ...payingListeners,
  ...couponListeners,
  followOwner('sales_order'),
  keepsAccount('sales_order', "pay_state in ('UNPAID', 'EXAMINING')", 'orders/order:unpaid-keeps'),
  keepsAccount('sales_order', 'reserved_fen > 0', 'orders/order:refund-keeps'),
  forgets({
    table: 'sales_order',
    becomes: { receiver_name: 'null', receiver_phone: 'null', receiver_address: 'null', note: "''" },
    known: ['receiver_name', 'receiver_phone', 'receiver_address'],
  }),
]
export const jobs = payingJobs

export const rollUps = [...ordersByDay, ordersByProduct]
/** Orders beside which something else stands than their lines add up to. */
const OTHERWISE_PAID = `
  from sales_order o left join paid_by_product_of(array(select distinct order_id from order_line where paid_fen > 0)) s on s.order_id = o.id
  where o.paid_by_product <> coalesce(s.sums, '{}')`

export const invariants: readonly Invariant[] = [
  // Others may come with a number from elsewhere.
  ...numbersKept('', { table: 'sales_order', no: 'order_no', givenAt: 'created_at', where: "source = 'REDEMPTION'" }),
  seenByOwner('sales_order'),
  ...couponInvariants,
  {
    name: 'no commission is reversed beyond what was earned, and none twice for one refund',
    query: `
      select order_line_id, sum(amount_fen) as left_fen from commission_entry group by 1 having sum(amount_fen) < 0
      union all
      select order_line_id, count(*) from commission_entry where cause = 'REVERSED' group by order_line_id, refund_id having count(*) > 1`,
  },
  {
    name: 'what an order has set aside is what its open refunds ask',
    query: `
      select o.id, o.reserved_fen, coalesce(r.fen, 0) as asked_fen
      from sales_order o left join (
        select order_id, sum(amount_fen) as fen from refund_application
        where status in ('SUBMITTED', 'L1_APPROVED', 'L2_APPROVED', 'PAYING', 'FAILED', 'ABNORMAL') group by order_id
      ) r on r.order_id = o.id
      where o.reserved_fen <> coalesce(r.fen, 0)`,
  },
  {
    name: 'refunds asked and paid stay within what was paid',
    query:
      'select id, paid_fen, reserved_fen, refunded_fen from sales_order where reserved_fen + refunded_fen > paid_fen',
  },
  {
    name: "an order's refund state tells what was refunded",
    query: `
      select id, refund_state, paid_fen, refunded_fen from sales_order
      where refund_state <> case when refunded_fen = 0 then 'NONE' when refunded_fen < paid_fen then 'PARTIAL' else 'FULL' end`,
  },
  {
    name: "the shares of an order's lines add up to the order",
    query: `
      select o.id from sales_order o join (
        select order_id, sum(list_fen) as list, sum(amount_fen) as amount, sum(paid_fen) as paid, sum(reserved_fen) as reserved,
          sum(refunded_fen) as refunded
        from order_line group by order_id
      ) l on l.order_id = o.id
      where (l.list, l.amount, l.paid, l.reserved, l.refunded)
        is distinct from (o.list_fen, o.amount_fen, o.paid_fen, o.reserved_fen, o.refunded_fen)`,
  },
  {
    name: 'what an order says was paid for each product is what its lines say',
    query: `select o.id ${OTHERWISE_PAID}`,
    repair: `update sales_order set paid_by_product = w.sums from (select o.id, coalesce(s.sums, '{}') as sums ${OTHERWISE_PAID}) w where sales_order.id = w.id`,
  },
  {
    name: 'an order under examination has one open examination, and no other order has',
    query: `
      select o.id from sales_order o left join order_examination e on e.order_id = o.id and e.status = 'WAITING'
      where (o.pay_state = 'EXAMINING') <> (e.id is not null)`,
  },
  {
    name: 'a paid order holds the whole amount, any other none',
    query: `select id from sales_order where paid_fen <> case when pay_state = 'PAID' then amount_fen else 0 end`,
  },
]
