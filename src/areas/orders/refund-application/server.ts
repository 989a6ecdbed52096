import * as z from 'zod'
import { followOwner } from '#areas/members/member/handing-over.server.ts'
import {
  bookRefund,
  type LockedOrder,
  lockOrder,
  REFUNDS_WITHIN_PAID,
  reserveRefund,
} from '#areas/orders/order/server.ts'
import { daysBetween } from '#engines/entitlement/model.ts'
import { freeze, lockMember } from '#engines/entitlement/server.ts'
import { giveMoneyBack, moneyGivenBack } from '#engines/payment/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import { listen } from '#kit/server/announce.ts'
import type { Tx } from '#kit/server/database.ts'
import { attach } from '#kit/server/file.ts'
import type { Invariant } from '#kit/server/invariants.ts'
import { type Change, type Operation, operate } from '#kit/server/operation.ts'
import { type Routes, route } from '#kit/server/route.ts'
import { serve } from '#kit/server/serve.ts'
import { writeChange } from '#kit/server/step.ts'
import { calculate, decidedByTwo, divide, lineAmounts, lotParts, termsOf } from './calculation.server.ts'
import { beginEffects, effectDelivery, effectsOf, repeatEffects } from './effects.server.ts'
import { OPEN_STATES, type RefundApplication, resource, workflow } from './model.ts'

const served = serve(resource, {
  workflow,
  async store(op, input, _before, write) {
    const order = await lockPaidOrder(op, input.orderId)
    const calculation = await calculate(op.tx, { order, now: op.now, terms: termsOf(op.app.env) })
    const lines = divide(calculation, input.amountFen)
    if (!lines) throw onField('amountFen', 'refund-over-paid')
    if (input.amountFen !== calculation.suggestedFen && input.deviation === '') throw onField('deviation', 'refund-why')
    if (input.route === 'ORIGINAL' && !(await paymentOf(op.tx, order.id))) throw onField('route', 'refund-no-payment')
    const taken = { calculation: lines }
    await reserveRefund(op, order.id, lineAmounts(taken), 1)
    await freeze(op, order.memberId, lotParts(taken), 1)
    const id = await write({
      ...input,
      refundNo: await nextNumber(op.tx, 'R', op.now),
      memberId: order.memberId,
      applicantId: op.actor.id,
      suggestedFen: calculation.suggestedFen,
      calculation: lines,
      needsL2: decidedByTwo(input.amountFen, order, op.now, termsOf(op.app.env)),
      ...(await orderFacts(op, order.id)),
      products: [...new Set(lines.map(({ name }) => name))],
      // Whoever may see the order may see what is asked on it.
      ownerId: order.ownerId,
      orgId: order.orgId,
    })
    await op.tx
      .insertInto('refund_line')
      .values(lines.map(line => ({ refund_id: id, order_line_id: line.lineId, amount_fen: line.amountFen })))
      .execute()
    return id
  },
  // Member and order before the refund, as when it was asked for.
  lock: (op, id) => lockAround(op.tx, id),
  effects: {
    approve: async op => ({ l1By: op.actor.id }),
    approveL2: async op => ({ l2By: op.actor.id }),
    pay,
    retry: pay,
    async recordPaid(op, row, { transactionNo, proof }) {
      await attach(op.tx, op.actor.id, proof as string[], resource.screen.key, row.id)
      await finish(op, row)
      return {
        paidBy: op.actor.id,
        paidAt: op.now.toISOString(),
        endedAt: op.now.toISOString(),
        transactionNo: String(transactionNo),
        proof: proof as string[],
        failure: '',
      }
    },
    repeatEffects: (op, row) => repeatEffects(op, row.id),
    reject: release,
    withdraw: release,
  },
  constraints: {
    [REFUNDS_WITHIN_PAID]: { code: 'refund-over-paid', field: 'amountFen' },
    line_refunds_within_paid: { code: 'refund-over-paid', field: 'amountFen' },
    refund_application_transaction: { code: 'kit:taken', field: 'transactionNo' },
  },
  detail: async (app, row) => ({ effects: await effectsOf(app, row.id) }),
})

export const routes: Routes = app => [
  ...served(app),
  route({
    method: 'GET',
    path: `/${resource.screen.name}/suggestion`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'create' },
    query: z.strictObject({ orderId: z.string().regex(ID) }),
    answer: z.strictObject({
      suggestedFen: z.int(),
      leftFen: z.int(),
      isOriginal: z.boolean(),
      lines: z.array(z.record(z.string(), z.unknown())),
    }),
    summary: 'What an order should give back if it were asked for now, and how that comes about.',
    handle: (call, { query }) =>
      operate(app, call, async op => {
        const order = await lockPaidOrder(op, query.orderId)
        const { lines, suggestedFen, leftFen } = await calculate(op.tx, {
          order,
          now: call.now,
          terms: termsOf(app.env),
        })
        return { lines, suggestedFen, leftFen, isOriginal: (await paymentOf(op.tx, order.id)) !== undefined }
      }),
  }),
]

const onField = (field: string, code: string): Refused =>
  new Refused(refuse(code), 'validation', { fields: { [field]: refuse(code) } })

async function lockPaidOrder(op: Operation, id: string): Promise<LockedOrder> {
  const found = await op.tx.selectFrom('sales_order').select('member_id').where('id', '=', id).executeTakeFirst()
  if (found) await lockMember(op.tx, found.member_id)
  const order = await lockOrder(op, id)
  if (order.payState !== 'PAID') throw new Refused(refuse('refund-order-unpaid'))
  return order
}

async function lockAround(tx: Tx, id: string): Promise<void> {
  const found = await tx
    .selectFrom('refund_application')
    .select(['member_id', 'order_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return
  await lockMember(tx, found.member_id)
  await tx.selectFrom('sales_order').select('id').where('id', '=', found.order_id).forUpdate().execute()
}

/** What refunds are counted by and found by: frozen on the order, and so on what is asked of it. */
async function orderFacts({ tx, now }: Operation, orderId: string) {
  const order = await tx
    .selectFrom('sales_order')
    .select(['paid_at as orderPaidAt', 'sold_by as soldBy', 'channel'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const paidOn = dayOf(order.orderPaidAt === null ? now : new Date(order.orderPaidAt))
  return { ...order, daysSincePaid: Math.max(0, daysBetween(paidOn, dayOf(now))) }
}

/** The payment of an order that a provider can give back. */
const paymentOf = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('payment')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', '=', 'RECEIVED')
    .where('provider', 'in', ['WECHAT', 'ALIPAY'])
    .executeTakeFirst()

/** Asks the provider to give the money back, under the refund's own number: asked twice, it is paid once. */
async function pay(op: Operation, row: RefundApplication): Promise<Partial<RefundApplication>> {
  const payment = await paymentOf(op.tx, row.orderId)
  if (!payment) throw new Refused(refuse('refund-no-payment'))
  await giveMoneyBack(op, {
    paymentId: payment.id,
    refundNo: row.refundNo,
    refundId: row.id,
    amountFen: row.amountFen,
  })
  return { paidBy: op.actor.id, failure: '' }
}

/** A refund that will not be paid gives its money and what it froze free at once. */
async function release(op: Operation, row: RefundApplication): Promise<Partial<RefundApplication>> {
  await reserveRefund(op, row.orderId, lineAmounts(row), -1)
  await freeze(op, row.memberId, lotParts(row), -1)
  return { endedAt: op.now.toISOString() }
}

/** The money is back: the books follow at once, and what else follows is ticked off one by one. */
async function finish(change: Change, row: Pick<RefundApplication, 'id' | 'orderId' | 'calculation'>): Promise<void> {
  await bookRefund(change, row.orderId, lineAmounts(row))
  await beginEffects(change, row.id)
}

export const listeners = [
  followOwner('refund_application'),
  listen(moneyGivenBack, async (change, { refundId, status, error }) => {
    if (refundId === null) return
    await lockAround(change.tx, refundId)
    const row = await change.tx
      .selectFrom('refund_application')
      .select(['id', 'order_id as orderId', 'status', 'calculation', 'failure'])
      .where('id', '=', refundId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // A refund the provider gave up, or left to a person, may have been paid after all: what was paid counts.
    if (status === 'SUCCESS' && ['PAYING', 'FAILED', 'ABNORMAL'].includes(row.status)) {
      await finish(change, { ...row, calculation: row.calculation as RefundApplication['calculation'] })
      return writeChange(change, resource, row, { status: 'PAID', paidAt: change.now, endedAt: change.now }, 'paid')
    }
    if (status === 'SUCCESS' || row.status !== 'PAYING') return
    const failed = status === 'ABNORMAL' ? 'ABNORMAL' : 'FAILED'
    return writeChange(change, resource, row, { status: failed, failure: error, payFailed: true }, 'fail')
  }),
]

export const deliveries = [effectDelivery]

const open = OPEN_STATES.map(state => `'${state}'`).join(', ')
export const invariants: readonly Invariant[] = [
  {
    name: 'a refund belongs to the member, the owner and the department of its order',
    query: `
      select r.id from refund_application r join sales_order o on o.id = r.order_id
      where (r.member_id, r.owner_id, r.org_id) is distinct from (o.member_id, o.owner_id, o.org_id)`,
  },
  {
    name: 'a refund is counted under the seller, the channel and the payment of its order, and the products of its lines',
    query: `
      select r.id from refund_application r join sales_order o on o.id = r.order_id
      where (r.order_paid_at, r.sold_by, r.channel) is distinct from (o.paid_at, o.sold_by, o.channel)
        or not exists (
          select from refund_line x join order_line l on l.id = x.order_line_id where x.refund_id = r.id
          having array_agg(distinct l.product_name) @> r.products and array_agg(distinct l.product_name) <@ r.products)`,
  },
  {
    name: 'a refund has an end when it is paid, rejected or withdrawn, and only then',
    query: `
      select id, status, ended_at from refund_application
      where (ended_at is not null) <> (status in ('PAID', 'REJECTED', 'WITHDRAWN')) or (status = 'PAID' and ended_at is distinct from paid_at)`,
  },
  {
    name: 'a refund is the sum of its lines',
    query: `
      select r.id, r.amount_fen, sum(l.amount_fen) as lines from refund_application r left join refund_line l on l.refund_id = r.id
      group by r.id having r.amount_fen <> coalesce(sum(l.amount_fen), 0)`,
  },
  {
    name: 'a line has given back what its paid refunds say, and set aside what its open ones ask',
    query: `
      select l.id from order_line l left join (
        select x.order_line_id,
          sum(x.amount_fen) filter (where r.status = 'PAID') as paid, sum(x.amount_fen) filter (where r.status in (${open})) as open
        from refund_line x join refund_application r on r.id = x.refund_id group by 1
      ) r on r.order_line_id = l.id
      where (l.refunded_fen, l.reserved_fen) is distinct from (coalesce(r.paid, 0), coalesce(r.open, 0))`,
  },
  {
    name: 'asking, approving and paying a refund are the work of different people',
    query: `
      select id from refund_application where applicant_id in (l1_by, l2_by, paid_by) or l1_by in (l2_by, paid_by) or l2_by = paid_by`,
  },
  {
    name: 'a refund tells how much of its checklist is left',
    query: `
      select r.id, r.effects_open, count(e.id) filter (where e.status <> 'DONE') as open
      from refund_application r left join refund_effect e on e.refund_id = r.id
      group by r.id having r.effects_open <> count(e.id) filter (where e.status <> 'DONE')`,
  },
  {
    name: 'nobody decided on a refund he asked for, and nobody but the applicant withdrew one',
    query: `
      select l.id, l.action, r.id as refund_id from operation_log l join refund_application r on r.id = l.record_id
      where l.page = 'order-refundApply' and l.code = 0
        and ((l.action in ('approve', 'approveL2', 'pay', 'recordPaid', 'reject') and l.actor_id = r.applicant_id)
          or (l.action = 'withdraw' and l.actor_id <> r.applicant_id))`,
  },
]
