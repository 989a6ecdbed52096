import type { Waiting } from '#kit/model/waiting.ts'
import type { Order } from '../../src/areas/orders/order/model.ts'
import type { RefundApplication } from '../../src/areas/orders/refund-application/model.ts'
import type { DictionaryType } from '../../src/areas/system/dictionary/model.ts'
import type { Label, StepRefusal } from '../../src/kit/model/resource.ts'
import type { Calls, Sent } from './page.tsx'

/** Rows as lists answer them; a test names only what matters to it. */

type Around = { labels?: Record<string, Label>; steps?: Record<string, StepRefusal | null>; waiting?: Waiting | null }
type Part<T> = { [K in keyof T]?: T[K] extends number ? number : T[K] } & Around

const MEMBER: Label = { id: '70', name: '李小墨', note: '138****8000', tone: 'MEMBER' }
const STAFF: Label = { id: '8', name: '王芳', note: 'wangfang', tone: null }

export const order = (id: string, part: Part<Order> = {}) => ({
  id,
  orderNo: `2026030200000000${id.padStart(2, '0')}`,
  memberId: '70',
  productName: '硬笔年课',
  amountFen: 129_900,
  paidFen: 129_900,
  reservedFen: 0,
  refundedFen: 0,
  payState: 'PAID',
  fulfilState: 'WAITING',
  refundState: 'NONE',
  source: 'APP',
  ownerId: '8',
  note: '',
  createdAt: '2026-03-01T06:03:00.000Z',
  paidAt: null,
  version: 1,
  labels: { memberId: MEMBER, ownerId: STAFF },
  steps: {},
  ...part,
})

export const refund = (id: string, part: Part<RefundApplication> = {}) => ({
  id,
  refundNo: `R202603020${id.padStart(4, '0')}`,
  orderId: '5',
  memberId: '70',
  amountFen: 12_800,
  suggestedFen: 12_800,
  deviation: '',
  reason: 'NO_TIME',
  route: 'ORIGINAL',
  provider: null,
  payee: null,
  payeeName: null,
  payeeAccount: null,
  note: '',
  status: 'SUBMITTED',
  needsL2: false,
  l2Reasons: [],
  applicantId: '8',
  l1By: null,
  l2By: null,
  paidBy: null,
  transactionNo: null,
  proof: [],
  failure: '',
  effectsOpen: 0,
  createdAt: '2026-03-01T06:03:00.000Z',
  paidAt: null,
  calculation: [
    {
      lineId: '9',
      name: '硬笔年课',
      paidFen: 129_900,
      takenFen: 0,
      usedFen: 117_100,
      goodsFen: 0,
      suggestedFen: 12_800,
      amountFen: 12_800,
      inWindow: false,
      unsent: null,
      unsentFen: 0,
      unsentPieces: 0,
      parts: [],
    },
  ],
  effects: [],
  version: 1,
  labels: {
    orderId: { id: '5', name: '202603020000000005', note: '硬笔年课', tone: 'PAID' },
    memberId: MEMBER,
    applicantId: STAFF,
  },
  steps: {},
  ...part,
})

export const dictionaryType = (id: string, part: Part<DictionaryType> = {}) => ({
  id,
  name: `Type ${id}`,
  code: `TYPE_${id}`,
  note: '',
  builtIn: false,
  createdAt: '2026-03-01T06:03:00.000Z',
  items: [],
  version: 1,
  labels: {},
  steps: {},
  ...part,
})

const DICTIONARIES: Readonly<Record<string, [k: string, v: string][]>> = {
  ORDER_SOURCE: [
    ['App', 'APP'],
    ['Micro shop', 'SHOP'],
  ],
  REFUND_REASON: [
    ['No time', 'NO_TIME'],
    ['Course too hard', 'TOO_HARD'],
  ],
}

/** What any list with dictionaries and references asks beside its rows. */
export const commonCalls: Calls = {
  'POST /api/common/attachMore': ({ body }) => {
    const [{ target }] = body as [{ target: string }]
    return { kvList: (DICTIONARIES[target] ?? []).map(([k, v]) => ({ k, v, colour: null, enabled: true })) }
  },
  'GET /api/common/reference/member': sent => labelsOf(sent, [MEMBER, { ...MEMBER, id: '71', name: '张明' }]),
  'GET /api/common/reference/staff': sent => labelsOf(sent, [STAFF, { ...STAFF, id: '9', name: '赵强' }]),
  'GET /api/common/reference/order': sent =>
    labelsOf(sent, [{ id: '5', name: '202603020000000005', note: '硬笔年课', tone: 'PAID' }]),
  'GET /api/common/reference/department/tree': () => ({ nodes: [], isWhole: true }),
}

function labelsOf({ query }: Sent, labels: readonly Label[]): readonly Label[] {
  if (query.ids !== undefined) return labels.filter(({ id }) => String(query.ids).split(',').includes(id))
  return labels.filter(({ name }) => name.startsWith(String(query.query ?? '')))
}
