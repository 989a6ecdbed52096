import * as z from 'zod'
import {
  choice,
  code,
  dictionary,
  id,
  instant,
  longText,
  money,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Three axes that never mix: what was paid, what was sent, what was given back. */
export const resource = defineResource({
  screen: area.screens.order,
  table: 'sales_order',
  record: z.strictObject({
    id: id(),
    orderNo: code(18),
    memberId: ref('member'),
    productName: text(100),
    amountFen: money(),
    paidFen: money(),
    reservedFen: money(),
    refundedFen: money(),
    payState: choice({ UNPAID: 'idle', EXAMINING: 'attention', PAID: 'done', CLOSED: 'failed' }),
    fulfilState: choice({ NOT_NEEDED: 'idle', WAITING: 'attention', PARTIAL: 'busy', SENT: 'busy', DONE: 'done' }),
    refundState: choice({ NONE: 'idle', PARTIAL: 'special', FULL: 'failed' }),
    source: dictionary('ORDER_SOURCE'),
    ownerId: optional(ref('staff')),
    note: longText(500),
    createdAt: instant(),
    paidAt: optional(instant()),
    version: version(),
  }),
  title: 'orderNo',
  list: {
    columns: [
      'orderNo',
      'memberId',
      'productName',
      'amountFen',
      'payState',
      'paidFen',
      'refundState',
      'reservedFen',
      'fulfilState',
      'source',
      'ownerId',
      'createdAt',
      'paidAt',
    ],
    filters: [
      'payState',
      'refundState',
      'createdAt',
      'memberId',
      'fulfilState',
      'source',
      'ownerId',
      'amountFen',
      'paidAt',
    ],
    sort: ['amountFen', 'createdAt', 'paidAt'],
    tabs: 'payState',
    search: ['orderNo', 'memberId', 'productName'],
  },
  edit: ['note'],
  actions: ['list', 'detail', 'update', 'export', 'reveal'],
  scope: 'owned',
})
export type Order = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'payState',
  arrivals: ['UNPAID', 'EXAMINING', 'PAID'],
  steps: {
    close: { from: ['UNPAID'], to: 'CLOSED', reason: true, danger: true },
  },
})

export const reference = defineReference({
  name: 'order',
  table: 'sales_order',
  label: { name: 'order_no', note: { column: 'product_name', personal: null }, tone: 'pay_state' },
  search: ['order_no'],
  scope: 'owned',
  pages: ['order-list', 'order-refundApply'],
})

/** What may still be asked back: paid, less what is refunded and what open applications hold. */
export const refundableFen = (order: Pick<Order, 'paidFen' | 'reservedFen' | 'refundedFen'>): number =>
  order.paidFen - order.refundedFen - order.reservedFen
