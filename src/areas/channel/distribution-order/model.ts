import * as z from 'zod'
import { VERDICTS } from '#engines/settlement/model.ts'
import {
  choice,
  dictionary,
  flag,
  id,
  instant,
  money,
  optional,
  permille,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

/** What became of a partner's share of an order: nothing yet before its month is settled, then how it was judged. */
const ENTRIES = { WAITING: 'idle', ...VERDICTS } as const

/** An order a partner brought, or is paid for, with its share and the statement that stands on. It follows the order, and what is settled. */
export const resource = defineResource({
  screen: area.screens['distribution-order'],
  table: 'distribution_order',
  record: z.strictObject({
    id: id(),
    orderId: ref('order'),
    partnerId: ref('app-channel'),
    memberId: ref('member'),
    entry: choice(ENTRIES),
    part: choice({ OPEN: 'idle', COUNTED: 'done', NOT_COUNTED: 'idle' }),
    kind: optional(choice({ FIRST_ORDER: 'idle', SHARE: 'idle' })),
    priceFen: optional(money()),
    sharePermille: optional(permille(1, 1_000)),
    paidFen: money(),
    refundedFen: money(),
    isRefunded: flag(),
    commissionFen: money(),
    statementId: optional(ref('statement')),
    channel: dictionary('CHANNEL'),
    linkId: optional(ref('link')),
    ownerId: optional(ref('staff')),
    paidAt: instant(),
    judgedAt: optional(instant()),
    version: version(),
  }),
  title: 'orderId',
  brief: ['orderId', 'partnerId', 'paidFen', 'commissionFen'],
  list: {
    columns: [
      'orderId',
      'partnerId',
      'memberId',
      'entry',
      'paidFen',
      'commissionFen',
      'refundedFen',
      'kind',
      'sharePermille',
      'priceFen',
      'statementId',
      'paidAt',
      'channel',
      'linkId',
      'ownerId',
      'judgedAt',
    ],
    below: { paidAt: 'orderId', refundedFen: 'paidFen', priceFen: 'kind' },
    filters: [
      'partnerId',
      'paidAt',
      'entry',
      'part',
      'kind',
      'channel',
      'statementId',
      'orderId',
      'memberId',
      'ownerId',
      'isRefunded',
    ],
    sort: ['paidAt', 'paidFen', 'commissionFen'],
    usual: 'paidAt:desc',
    tabs: 'part',
    search: ['orderId'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
})
export type DistributionOrder = RecordOf<typeof resource>

/** Where all orders await settlement, what is paid for them is not nothing, but unknown. */
export const knownCommission = (fen: number, orders: { readonly open: number; readonly settled: number }) =>
  orders.open > 0 && orders.settled === 0 ? null : fen
