import * as z from 'zod'
import { grant } from '#engines/entitlement/model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import {
  branch,
  choice,
  code,
  dictionary,
  files,
  flag,
  lines as formLines,
  id,
  inDetail,
  instant,
  longText,
  money,
  optional,
  personal,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** One product of an order, with the share of the money that is its own. */
export const orderLine = z.strictObject({
  id: z.string(),
  productName: z.string(),
  quantity: z.int(),
  listFen: z.int(),
  amountFen: z.int(),
  paidFen: z.int(),
  reservedFen: z.int(),
  refundedFen: z.int(),
  grants: z.array(grant),
})
export type OrderLine = z.infer<typeof orderLine>

/** A product somebody orders by hand, and how many of it. */
const orderedProduct = z.strictObject({ productId: ref('product'), quantity: z.int().min(1).max(100) })
export type OrderedProduct = z.infer<typeof orderedProduct>
export const MAX_PRODUCTS = 10

/** Where goods go, as people enter it. */
export const receiver = {
  receiverName: personal('name', 50),
  receiverPhone: personal('phone', 20),
  receiverProvince: dictionary('PROVINCE'),
  receiverAddress: personal('address', 200),
}

/** Three axes that never mix: what was paid, what was sent, what was given back. */
export const resource = defineResource({
  screen: area.screens.order,
  table: 'sales_order',
  record: z.strictObject({
    id: id(),
    orderNo: code(18),
    memberId: ref('member'),
    productName: text(100),
    listFen: money(),
    discountFen: money(),
    amountFen: money(),
    paidFen: money(),
    reservedFen: money(),
    refundedFen: money(),
    payState: choice({ UNPAID: 'idle', EXAMINING: 'attention', PAID: 'done', CLOSED: 'failed' }),
    fulfilState: choice({ NOT_NEEDED: 'idle', WAITING: 'attention', PARTIAL: 'busy', SENT: 'busy', DONE: 'done' }),
    goodsRejected: flag(),
    refundState: choice({ NONE: 'idle', PARTIAL: 'special', FULL: 'failed' }),
    source: dictionary('ORDER_SOURCE'),
    channel: dictionary('CHANNEL'),
    /** The sales link it came by. */
    linkId: optional(ref('link')),
    soldBy: optional(ref('staff')),
    /** The department that sold it, as it was then. */
    soldOrgId: optional(branch('department', 'org')),
    ownerId: optional(ref('staff')),
    ownerChanged: flag(),
    offSale: flag(),
    receiverName: optional(receiver.receiverName),
    receiverPhone: optional(receiver.receiverPhone),
    receiverProvince: optional(receiver.receiverProvince),
    receiverAddress: optional(receiver.receiverAddress),
    note: longText(500),
    createdAt: instant(),
    paidAt: optional(instant()),
    closesAt: optional(instant()),
    lines: inDetail(z.array(orderLine)),
    version: version(),
  }),
  title: 'orderNo',
  brief: ['orderNo', 'memberId', 'productName', 'amountFen', 'closesAt'],
  list: {
    columns: [
      'orderNo',
      'memberId',
      'productName',
      'amountFen',
      'payState',
      'fulfilState',
      'createdAt',
      'paidFen',
      'refundState',
      'reservedFen',
      'source',
      'channel',
      'soldBy',
      'ownerId',
      'paidAt',
      'linkId',
    ],
    below: { fulfilState: 'payState', createdAt: 'orderNo' },
    filters: [
      'payState',
      'refundState',
      'createdAt',
      'memberId',
      'fulfilState',
      'goodsRejected',
      'source',
      'channel',
      'ownerId',
      'soldBy',
      'ownerChanged',
      'amountFen',
      'paidAt',
      'linkId',
      'soldOrgId',
    ],
    sort: ['amountFen', 'createdAt', 'paidAt'],
    tabs: 'payState',
    side: 'department',
    search: ['orderNo', 'memberId', 'productName'],
    ending: numbersEnding(''),
  },
  // What is taken in the shop or by bank: examined by somebody else before it counts as paid.
  create: ['memberId'],
  asks: {
    products: formLines(orderedProduct, MAX_PRODUCTS),
    couponId: optional(id()),
    amountFen: money(),
    payChannel: dictionary('PAY_CHANNEL'),
    transactionNo: code(64),
    /** The whole transfer, where it pays other orders too. */
    transferFen: optional(money(1)),
    proof: files('image', 3, 1),
    /** An earlier order of the member that went where this one goes. */
    receiverOrderId: optional(id()),
    ...Object.fromEntries(Object.entries(receiver).map(([name, field]) => [name, optional(field)])),
    note: longText(500),
  },
  edit: ['note'],
  actions: ['list', 'detail', 'create', 'update', 'export', 'reveal'],
  scope: 'owned',
})
export type Order = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'payState',
  // Closed by a rejected examination, or with an undone redemption.
  arrivals: ['UNPAID', 'EXAMINING', 'PAID', 'CLOSED'],
  path: order => [
    order.payState === 'EXAMINING' ? 'payState.EXAMINING' : 'payState.UNPAID',
    'payState.PAID',
    ...(willBeSent(order) ? ['fulfilState.SENT', 'fulfilState.DONE'] : []),
  ],
  steps: {
    changePrice: {
      from: ['UNPAID'],
      to: 'EXAMINING',
      aside: true,
      alone: true,
      reason: true,
      input: { amountFen: money() },
      back: 'stays',
    },
    changeAddress: {
      from: ['UNPAID', 'EXAMINING', 'PAID'],
      aside: true,
      alone: true,
      guard: nothingLeft,
      input: receiver,
      back: 'stays',
    },
    sendAgain: { from: ['PAID'], aside: true, guard: goodsWereRejected, back: 'stays' },
    close: { from: ['UNPAID'], to: 'CLOSED', aside: true, reason: true, danger: true, back: 'stays' },
  },
})

/** What it sends is settled when it is paid: until then nothing is said of it. */
export const isBeforePayment = ({ payState }: Pick<Order, 'payState'>): boolean =>
  payState === 'UNPAID' || payState === 'EXAMINING'

/** Before it is paid its goods tell, which only the detail knows. */
function willBeSent(order: Pick<Order, 'payState' | 'fulfilState'> & Partial<Pick<Order, 'lines'>>): boolean {
  if (!isBeforePayment(order)) return order.fulfilState !== 'NOT_NEEDED'
  return order.lines?.some(({ grants }) => grants.some(({ kind }) => kind === 'GOODS')) ?? false
}

/** A parcel on its way does not turn round, and an order whose money went back sends none. */
function nothingLeft(row: Pick<Order, 'fulfilState' | 'refundState'>): Refusal | undefined {
  if (row.refundState === 'FULL') return refuse('fully-refunded')
  if (row.fulfilState !== 'NOT_NEEDED' && row.fulfilState !== 'WAITING') return refuse('already-sent')
}

/** What a colleague did not let go can be asked for again, unless its money is asked back. */
function goodsWereRejected(row: Pick<Order, 'goodsRejected' | 'reservedFen'>): Refusal | undefined {
  if (!row.goodsRejected) return refuse('nothing-rejected')
  if (row.reservedFen > 0) return refuse('refund-open')
}

export const reference = defineReference({
  name: 'order',
  table: 'sales_order',
  label: { name: 'order_no', note: { column: 'product_name', personal: null }, tone: 'pay_state', saysState: true },
  search: ['order_no'],
  whose: { column: 'member_id', to: 'member' },
  scope: 'owned',
})

/** What may still be asked back: paid, less what is refunded and what open applications hold. */
export const refundableFen = (order: Pick<Order, 'paidFen' | 'reservedFen' | 'refundedFen'>): number =>
  order.paidFen - order.refundedFen - order.reservedFen

/** Cuts an amount into parts in proportion to their weights, down to the last fen: the parts make the whole. */
export function shareOut(totalFen: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return weights.map((_, index) => (index === 0 ? totalFen : 0))
  let [given, weighed] = [0, 0]
  // Each part is the difference of two rounded sums, so that no fen is lost or made on the way.
  return weights.map(weight => {
    weighed += weight
    const upTo = Number((BigInt(totalFen) * BigInt(weighed)) / BigInt(sum))
    const part = upTo - given
    given = upTo
    return part
  })
}
