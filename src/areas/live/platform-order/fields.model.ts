import {
  choice,
  code,
  dictionary,
  flag,
  id,
  instant,
  money,
  optional,
  personal,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { WRONG_STATE } from '#kit/model/workflow.ts'
import { CANCEL_MS } from './facts.model.ts'

/** An order another platform sold. Three screens stand on it, each on one platform's. */
export const platformFields = (words: { status: string; afterSale: string }) => ({
  id: id(),
  platform: choice({ DOUYIN: 'idle', WECHAT_SHOP: 'idle', XIAOHONGSHU: 'idle' }),
  orderNo: code(64),
  status: choice({
    UNPAID: 'idle',
    BOUGHT: 'attention',
    CLAIMED: 'busy',
    REGISTERED: 'busy',
    VERIFIED: 'done',
    REFUNDED: 'failed',
    CLOSED: 'idle',
  }),
  exception: choice({
    NONE: 'idle',
    UNCLAIMED: 'attention',
    PHONE_MISMATCH: 'attention',
    REFUNDED_ACTIVE: 'failed',
    SAME_PHONE: 'attention',
    PRODUCT_UNKNOWN: 'attention',
  }),
  productName: optional(text(100)),
  skuId: optional(code(64)),
  amountFen: optional(money()),
  platformStatus: optional(dictionary(words.status)),
  afterSale: optional(dictionary(words.afterSale)),
  refundState: choice({ NONE: 'idle', ASKED: 'attention', REFUNDED: 'failed' }),
  refundedFen: optional(money()),
  leadPhone: optional(personal('phone', 40)),
  phoneKind: optional(choice({ OWN: 'done', DECRYPTED: 'busy', VIRTUAL: 'idle' })),
  memberId: optional(ref('member')),
  registered: flag(),
  orderId: optional(ref('order')),
  frozen: flag(),
  ownerId: optional(ref('staff')),
  author: optional(text(100)),
  room: optional(text(100)),
  boundBy: optional(ref('staff')),
  paidAt: optional(instant()),
  claimedAt: optional(instant()),
  registeredAt: optional(instant()),
  refundedAt: optional(instant()),
  regrantedAt: optional(instant()),
  syncedAt: optional(instant()),
  createdAt: instant(),
  version: version(),
})

/** Only Douyin sells certificates that are verified. */
export const verifyFields = {
  last4: optional(text(4)),
  verifyState: choice({ NONE: 'idle', ASKED: 'busy', VERIFIED: 'done', CANCELLING: 'busy', FAILED: 'failed' }),
  verifiedAt: optional(instant()),
  verifyError: optional(text(200)),
}

/** Every state is told by events, or follows from what was told: no step makes one. */
export const ARRIVALS = ['UNPAID', 'BOUGHT', 'CLAIMED', 'REGISTERED', 'VERIFIED', 'REFUNDED', 'CLOSED'] as const

type Row = {
  readonly status: string
  readonly memberId: string | null
  readonly frozen: boolean
  readonly exception: string
  readonly regrantedAt: string | null
  readonly paidAt: string | null
}

/** `holdsFree`: something of what it gave is left, and not held; `isCertified`: the platform has told of a voucher. */
export type PlatformFacts =
  | { readonly now: number; readonly holdsFree: boolean; readonly isCertified: boolean }
  | undefined

const unbound = ({ memberId }: Row): Refusal | undefined =>
  memberId === null ? undefined : refuse('live/platform-order:already-bound')

function mayRegrant({ memberId, regrantedAt, paidAt }: Row): Refusal | undefined {
  if (memberId === null) return refuse('live/platform-order:bind-first')
  if (paidAt === null) return refuse('live/platform-order:not-paid')
  if (regrantedAt !== null) return refuse('live/platform-order:regranted-once')
}

function mayFreeze({ frozen }: Row, _actor: unknown, facts: PlatformFacts): Refusal | undefined {
  if (facts?.holdsFree) return undefined
  return refuse(frozen ? 'live/platform-order:frozen-already' : 'live/platform-order:nothing-held')
}

/** An order in order waits for nobody. */
const isException = ({ exception }: Row): Refusal | undefined =>
  exception === 'NONE' ? refuse(WRONG_STATE, { state: 'exception.NONE' }) : undefined

/** What people do about an order, whatever platform sold it. */
export const commonSteps = {
  bindMember: {
    from: ['UNPAID', 'BOUGHT', 'CLAIMED', 'VERIFIED', 'REFUNDED', 'CLOSED'],
    guard: unbound,
    reason: true,
    alone: true,
    /** One of them: a lead becomes the member. */
    input: { memberId: optional(ref('member')), leadId: optional(ref('lead')) },
    back: 'stays',
  },
  regrant: {
    from: ['REGISTERED', 'VERIFIED'],
    guard: mayRegrant,
    reason: true,
    alone: true,
    aside: true,
    input: { productId: optional(ref('product')) },
    back: 'stays',
  },
  freeze: { from: 'any', guard: mayFreeze, reason: true, danger: true, aside: true, back: 'undo' },
  handle: {
    from: 'any',
    guard: isException,
    reason: true,
    awaits: true,
    only: { exception: ['UNCLAIMED', 'PHONE_MISMATCH', 'REFUNDED_ACTIVE', 'SAME_PHONE', 'PRODUCT_UNKNOWN'] },
    back: 'undo',
  },
  sync: { from: 'any', aside: true, back: 'idle' },
} as const

/** The states of an order whose course needs no voucher to be verified. */
export const STATES_WITHOUT_VOUCHER = ['UNPAID', 'BOUGHT', 'CLAIMED', 'REGISTERED', 'REFUNDED', 'CLOSED'] as const

/** The way of an order that is bound and in use once its person is registered. */
export const WORKFLOW_WITHOUT_VOUCHER = {
  field: 'status',
  arrivals: ARRIVALS,
  path: () => ['status.BOUGHT', 'status.CLAIMED', 'status.REGISTERED'],
  steps: commonSteps,
} as const

type Verifiable = {
  readonly verifyState: string
  readonly verifiedAt: string | null
  readonly refundState: string
  readonly last4: string | null
}

export function mayVerify(
  { verifyState, refundState, last4 }: Verifiable,
  _actor: unknown,
  facts: PlatformFacts,
): Refusal | undefined {
  if (verifyState === 'VERIFIED') return refuse('live/platform-order:verified-already')
  if (verifyState === 'ASKED' || verifyState === 'CANCELLING') return refuse('live/platform-order:platform-asked')
  if (refundState !== 'NONE') return refuse('live/platform-order:refund-stands')
  // Of some the platform tells no end of the code.
  if (last4 === null && facts && !facts.isCertified) return refuse('live/platform-order:no-certificate')
}

/** The platform takes a verification back within the hour. */
export function mayCancel(
  { verifyState, verifiedAt }: Verifiable,
  _actor: unknown,
  facts: PlatformFacts,
): Refusal | undefined {
  if (verifyState !== 'VERIFIED' || verifiedAt === null) return refuse('live/platform-order:not-verified')
  if (facts && cancelLeftMs(verifiedAt, facts.now) <= 0) return refuse('live/platform-order:cancel-late')
}

export const cancelLeftMs = (verifiedAt: string, now: number): number => Date.parse(verifiedAt) + CANCEL_MS - now
