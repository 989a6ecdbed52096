import type { Actor } from '#kit/model/actor.ts'
import { byAnother, onlyBy } from '#kit/model/four-eyes.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { L2Reason } from './second-approval.model.ts'

/** What of a refund decides who may do what. */
type Deciding = {
  readonly applicantId: string
  readonly l1By: string | null
  readonly l2By: string | null
  readonly status: string
  readonly route: string
  readonly needsL2: boolean
  readonly payFailed: boolean
  readonly effectsOpen: number
  readonly hold: string
}
type Person = Pick<Actor, 'id'>
export type RefundFacts =
  | {
      /** Why finance has to agree as things are now, whatever was judged when it was asked for. */
      readonly reasons: readonly L2Reason[]
      /** It has waited for its chain longer than any takes. */
      readonly isStuck: boolean
    }
  | undefined

/** Nobody decides on what he asked for himself. */
export const notTheApplicant = byAnother('applicantId', 'refund-own-application')

/** Its chain decides first, and what it holds waits for somebody to let it go on. */
function waits({ hold }: Pick<Deciding, 'hold'>): Refusal | undefined {
  if (hold === 'JUDGING') return refuse('refund-judging')
  if (hold === 'HELD') return refuse('refund-held')
}

export function approver(row: Deciding, actor: Person): Refusal | undefined {
  return notTheApplicant(row, actor) ?? waits(row)
}

export function releaser(row: Deciding, actor: Person, facts: RefundFacts): Refusal | undefined {
  const isStuck = row.hold === 'JUDGING' && facts?.isStuck === true
  return row.hold === 'HELD' || isStuck ? notTheApplicant(row, actor) : refuse('refund-not-held')
}

const theApplicant = onlyBy('applicantId', 'refund-not-yours')

export function onlyTheApplicant(row: Deciding, actor: Person): Refusal | undefined {
  return theApplicant(row, actor) ?? notSent(row)
}

export function rejecter(row: Deciding, actor: Person): Refusal | undefined {
  return notTheApplicant(row, actor) ?? notSent(row)
}

/** Approved once more after it was sent, a refund may still be under way at the provider: it is seen through. */
function notSent({ status, payFailed }: Deciding): Refusal | undefined {
  if (status === 'L2_APPROVED' && payFailed) return refuse('refund-sent')
}

/** Judged anew each time it is decided on or paid, however often that was tried before. */
const needsFinance = (row: Deciding, facts: RefundFacts): boolean =>
  row.needsL2 || (facts !== undefined && facts.reasons.length > 0)

export function secondApprover(row: Deciding, actor: Person, facts: RefundFacts): Refusal | undefined {
  if (row.l2By !== null || !needsFinance(row, facts)) return refuse('refund-no-l2')
  if (row.l1By === actor.id) return refuse('refund-same-approver')
  return approver(row, actor)
}

/** Asking, approving and paying are the work of different people. */
export function payer(row: Deciding, actor: Person, facts: RefundFacts): Refusal | undefined {
  return row.route === 'ORIGINAL' ? payable(row, actor, facts) : refuse('refund-by-hand')
}

export function recorder(row: Deciding, actor: Person, facts: RefundFacts): Refusal | undefined {
  return row.route !== 'ORIGINAL' || row.payFailed ? payable(row, actor, facts) : refuse('refund-by-provider')
}

function payable(row: Deciding, actor: Person, facts: RefundFacts): Refusal | undefined {
  if (row.l2By === null && needsFinance(row, facts)) return refuse('refund-needs-l2')
  if (row.l1By === actor.id || row.l2By === actor.id) return refuse('refund-approver-pays')
  return approver(row, actor)
}

export function somethingLeft(row: Pick<Deciding, 'effectsOpen'>): Refusal | undefined {
  if (row.effectsOpen === 0) return refuse('refund-all-done')
}
