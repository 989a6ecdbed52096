import * as z from 'zod'
import { numbersEnding } from '#engines/sequence/model.ts'
import {
  choice,
  code,
  dictionary,
  id,
  inDetail,
  instant,
  money,
  number,
  personal,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** How the cash of a cancelled order fares on its way back. */
const CASH_BACK = ['NONE', 'UNDER_WAY', 'DONE', 'FAILED'] as const
export type CashBack = (typeof CASH_BACK)[number]

/** One piece of goods for coins, and for some also a little cash. */
export const resource = defineResource({
  screen: area.screens['coin-order'],
  table: 'coin_order',
  record: z.strictObject({
    id: id(),
    orderNo: code(14),
    memberId: ref('member'),
    coinGoodsId: ref('coin-goods'),
    goodsName: text(100),
    coins: number(1, 10_000_000),
    cashFen: money(),
    paidFen: money(),
    cashBack: inDetail(z.enum(CASH_BACK)),
    status: choice({ WAITING: 'attention', APPROVED: 'busy', SENT: 'busy', DONE: 'done', CANCELLED: 'failed' }),
    receiverName: personal('name', 50),
    receiverPhone: personal('phone', 20),
    receiverProvince: dictionary('PROVINCE'),
    receiverAddress: personal('address', 200),
    createdAt: instant(),
    version: version(),
  }),
  title: 'orderNo',
  brief: ['orderNo', 'memberId', 'goodsName', 'coins', 'cashFen', 'paidFen'],
  evidence: [],
  list: {
    columns: [
      'orderNo',
      'memberId',
      'goodsName',
      'status',
      'coins',
      'cashFen',
      'paidFen',
      'receiverName',
      'receiverPhone',
      'receiverProvince',
      'createdAt',
    ],
    below: { createdAt: 'orderNo' },
    filters: ['status', 'coinGoodsId', 'createdAt', 'memberId', 'coins'],
    sort: ['coins', 'createdAt'],
    tabs: 'status',
    search: ['orderNo', 'memberId', 'goodsName'],
    ending: numbersEnding('C'),
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'createdAt' },
})
export type CoinOrder = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'coin-order',
  table: 'coin_order',
  label: { name: 'order_no', note: { column: 'goods_name', personal: null }, tone: null },
  search: ['order_no'],
  whose: { column: 'member_id', to: 'member' },
  scope: 'owned',
})

export type CoinOrderFacts = { readonly cashBack: CashBack }

export const workflow = defineWorkflowWith<CoinOrderFacts>()(resource)({
  field: 'status',
  // Sent and done are told by whoever sends.
  arrivals: ['WAITING', 'SENT', 'DONE'],
  path: () => ['status.WAITING', 'status.APPROVED', 'status.SENT', 'status.DONE'],
  steps: {
    approve: { from: ['WAITING'], to: 'APPROVED', guard: paidWhole, awaits: true, back: 'stays' },
    cancel: { from: ['WAITING', 'APPROVED'], to: 'CANCELLED', reason: true, aside: true, danger: true, back: 'stays' },
    repeatCashBack: { from: ['CANCELLED'], guard: cashCameNotBack, amount: 'paidFen', back: 'stays' },
  },
})

function paidWhole({ paidFen, cashFen }: Pick<CoinOrder, 'paidFen' | 'cashFen'>): Refusal | undefined {
  if (paidFen < cashFen) return refuse('cash-missing')
}

function cashCameNotBack(_row: CoinOrder, _actor: unknown, { cashBack }: CoinOrderFacts): Refusal | undefined {
  if (cashBack !== 'FAILED') return refuse('cash-not-failed')
}
