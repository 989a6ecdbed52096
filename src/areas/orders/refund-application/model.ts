import * as z from 'zod'
import { keptRun } from '#engines/rule/kept-run.model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import {
  branch,
  choice,
  code,
  dictionary,
  files,
  flag,
  id,
  inDetail,
  instant,
  kept,
  lines,
  longText,
  money,
  names,
  number,
  optional,
  personal,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { calculatedLine, terms, unsentLine } from './calculation.model.ts'
import {
  approver,
  onlyTheApplicant,
  payer,
  type RefundFacts,
  recorder,
  rejecter,
  releaser,
  secondApprover,
  somethingLeft,
} from './deciding.model.ts'
import { effect } from './effects.model.ts'
import { MAX_HOLD_REASON } from './risk.model.ts'
import { l2Reason } from './second-approval.model.ts'

/** Somebody asks to give money back on an order. Asking sets the money aside; others decide, pay, and see it through. */
export const resource = defineResource({
  screen: area.screens['refund-application'],
  table: 'refund_application',
  record: z.strictObject({
    id: id(),
    refundNo: code(14),
    orderId: ref('order'),
    memberId: ref('member'),
    amountFen: money(1),
    suggestedFen: money(),
    deviation: longText(200),
    reason: dictionary('REFUND_REASON'),
    route: choice({ ORIGINAL: 'busy', OFFLINE: 'special', PLATFORM: 'idle' }),
    // Who gives back what goes the way it came.
    provider: optional(choice({ WECHAT: 'idle', ALIPAY: 'idle' })),
    // Who gets money that does not go back the way it came.
    payee: optional(choice({ PAYER: 'idle', OTHER: 'attention' })),
    payeeName: optional(personal('name', 50)),
    payeeAccount: optional(personal('account', 64)),
    note: longText(500),
    status: choice({
      SUBMITTED: 'attention',
      L1_APPROVED: 'attention',
      L2_APPROVED: 'attention',
      PAYING: 'busy',
      PAID: 'done',
      FAILED: 'failed',
      ABNORMAL: 'failed',
      REJECTED: 'failed',
      WITHDRAWN: 'idle',
    }),
    needsL2: flag(),
    l2Reasons: lines(l2Reason, 10),
    // Whether its chain is still to decide, or has held it until somebody lets it go on.
    hold: choice({ NONE: 'idle', JUDGING: 'busy', HELD: 'attention', RELEASED: 'done' }),
    holdReason: longText(MAX_HOLD_REASON),
    releasedBy: optional(ref('staff')),
    applicantId: ref('staff'),
    l1By: optional(ref('staff')),
    l2By: optional(ref('staff')),
    paidBy: optional(ref('staff')),
    transactionNo: optional(code(64)),
    proof: files('image', 3),
    failure: longText(500),
    effectsOpen: number(0, 100),
    createdAt: instant(),
    stateSince: optional(instant()),
    paidAt: optional(instant()),
    endedAt: optional(instant()),
    payFailed: flag(),
    orderPaidAt: optional(instant()),
    daysSincePaid: number(0, 100_000),
    soldBy: optional(ref('staff')),
    soldOrgId: optional(branch('department', 'org')),
    channel: dictionary('CHANNEL'),
    products: names(),
    calculation: lines(calculatedLine, 100),
    // Those ended before they were kept have none.
    terms: optional(kept(terms)),
    effects: inDetail(z.array(effect)),
    ruleRuns: inDetail(z.array(keptRun)),
    version: version(),
  }),
  title: 'refundNo',
  brief: ['refundNo', 'memberId', 'amountFen', 'route', 'provider', 'payee'],
  evidence: ['failure', 'proof', 'holdReason', 'calculation', 'l2Reasons', 'deviation', 'note', 'effects', 'ruleRuns'],
  list: {
    columns: [
      'refundNo',
      'status',
      'orderId',
      'memberId',
      'amountFen',
      'suggestedFen',
      'reason',
      'route',
      'applicantId',
      'createdAt',
      'paidAt',
    ],
    below: { createdAt: 'refundNo', reason: 'orderId', applicantId: 'memberId' },
    filters: [
      'status',
      'reason',
      'createdAt',
      'applicantId',
      'memberId',
      'orderId',
      'route',
      'amountFen',
      'paidAt',
      'endedAt',
      'payFailed',
      'soldBy',
      'channel',
      'products',
      'orderPaidAt',
      'daysSincePaid',
      'soldOrgId',
    ],
    sort: ['amountFen', 'createdAt', 'paidAt'],
    tabs: 'status',
    search: ['refundNo', 'transactionNo', 'orderId', 'memberId'],
    ending: numbersEnding('R'),
  },
  create: ['orderId', 'amountFen', 'deviation', 'reason', 'route', 'payee', 'payeeName', 'payeeAccount', 'note'],
  // Lines nobody speaks of are decided by the amount.
  asks: { unsent: lines(unsentLine, 100) },
  actions: ['list', 'detail', 'create', 'export', 'reveal'],
  scope: 'owned',
  asked: { by: 'applicantId', state: 'status' },
  // A day for whoever decides or pays; a provider may take three (decision 032).
  clock: {
    since: 'stateSince',
    hours: { SUBMITTED: 24, L1_APPROVED: 24, L2_APPROVED: 24, PAYING: 72, FAILED: 24, ABNORMAL: 24 },
  },
})
export type RefundApplication = RecordOf<typeof resource>

/** States in which the money is set aside and what would be taken back is frozen. */
export const OPEN_STATES = ['SUBMITTED', 'L1_APPROVED', 'L2_APPROVED', 'PAYING', 'FAILED', 'ABNORMAL'] as const

/** What every decision on the money goes by: how much of which order, what should go back, why finance is asked, and what is taken back for it. */
const MONEY = {
  amount: 'amountFen',
  shows: ['orderId', 'suggestedFen', 'deviation', 'l2Reasons', 'calculation'],
  awaits: true,
} as const

export const workflow = defineWorkflowWith<RefundFacts>()(resource)({
  field: 'status',
  arrivals: ['SUBMITTED', 'PAID', 'FAILED', 'ABNORMAL'],
  outside: ['PAYING'],
  path: ({ needsL2, l2By, route }) => [
    'status.SUBMITTED',
    'status.L1_APPROVED',
    ...(needsL2 || l2By !== null ? ['status.L2_APPROVED'] : []),
    ...(route === 'ORIGINAL' ? ['status.PAYING'] : []),
    'status.PAID',
  ],
  steps: {
    approve: {
      ...MONEY,
      from: ['SUBMITTED'],
      to: 'L1_APPROVED',
      guard: approver,
      tells: 'needsL2',
      back: 'undo',
    },
    release: { from: ['SUBMITTED'], guard: releaser, awaits: true, shows: ['holdReason'], reason: true, back: 'stays' },
    // A payment that did not succeed may have become one finance must agree to before it is tried again.
    approveL2: {
      ...MONEY,
      from: ['L1_APPROVED', 'FAILED', 'ABNORMAL'],
      to: 'L2_APPROVED',
      guard: secondApprover,
      back: 'undo',
    },
    pay: {
      ...MONEY,
      from: ['L1_APPROVED', 'L2_APPROVED'],
      to: 'PAYING',
      guard: payer,
      tells: 'provider',
      back: 'stays',
    },
    retry: { ...MONEY, from: ['FAILED', 'ABNORMAL'], to: 'PAYING', guard: payer, tells: 'provider', back: 'stays' },
    recordPaid: {
      ...MONEY,
      from: ['L1_APPROVED', 'L2_APPROVED', 'FAILED', 'ABNORMAL'],
      to: 'PAID',
      alone: true,
      guard: recorder,
      tells: 'route',
      input: { transactionNo: code(64), proof: files('image', 3, 1) },
      back: 'stays',
    },
    repeatEffects: { from: ['PAID'], guard: somethingLeft, back: 'stays' },
    reject: {
      from: ['SUBMITTED', 'L1_APPROVED', 'L2_APPROVED', 'FAILED'],
      to: 'REJECTED',
      guard: rejecter,
      reason: true,
      danger: true,
      back: 'undo',
    },
    withdraw: {
      from: ['SUBMITTED', 'L1_APPROVED', 'L2_APPROVED'],
      to: 'WITHDRAWN',
      guard: onlyTheApplicant,
      back: 'undo',
    },
  },
})

/** Its chain decides, the provider is asked, or the checklist of a paid refund is being worked through. */
export const isUnderWay = ({
  status,
  hold,
  effects,
}: Pick<RefundApplication, 'status' | 'hold' | 'effects'>): boolean =>
  status === 'PAYING' || hold === 'JUDGING' || effects.some(effect => effect.status === 'WAITING')
