import { daysBetween } from '#engines/entitlement/model.ts'
import { defineNode, defineRuleEvent, rules } from '#engines/rule/declared.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Terms } from './arithmetic.model.ts'
import type { CalculatedLine } from './calculation.model.ts'
import { resource } from './model.ts'
import { MAX_HOLD_REASON, RISK_FACTS, riskFacts, riskOutcome, SHIPPED_RISK, tightened } from './risk.model.ts'
import type { L2Reason } from './second-approval.model.ts'
import { sumsOf } from './second-approval.server.ts'

const texts = resource.screen.name
/** A person waits for the refund to be judged. */
const MOST_MS = 1_500

/** A refund was asked for: nobody decides on it before its chain has (decision 058). */
export const refundSubmitted = defineRuleEvent({
  name: 'refundSubmitted',
  texts,
  facts: RISK_FACTS,
  outcome: riskOutcome,
  shipped: SHIPPED_RISK,
  ms: MOST_MS,
  read,
  async settle(change, recordId, { outcome, edition }) {
    const row = await change.tx
      .selectFrom('refund_application')
      .select(['id', 'hold', 'hold_reason as holdReason', 'needs_l2 as needsL2', 'l2_reasons as l2Reasons'])
      .where('id', '=', recordId)
      .forUpdate()
      .executeTakeFirst()
    if (row?.hold !== 'JUDGING') return
    const before = { ...row, l2Reasons: row.l2Reasons as L2Reason[] }
    await writeChange(change, resource, before, tightened(before, outcome, edition), 'judged')
  },
})

async function read(app: App, id: string) {
  const row = await app.db.query.selectFrom('refund_application').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const now = app.clock.now()
  const { count } = await app.db.query
    .selectFrom('refund_application')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('member_id', '=', row.member_id)
    .where('id', '<', id)
    .executeTakeFirstOrThrow()
  const paidOn = dayOf(row.order_paid_at === null ? now : new Date(row.order_paid_at))
  const refund = {
    ...row,
    amountFen: Number(row.amount_fen),
    suggestedFen: Number(row.suggested_fen),
    calculation: row.calculation as CalculatedLine[],
  }
  const facts = riskFacts(refund, {
    sumFen: (await sumsOf(app.db.query, [row.member_id], now)).get(row.member_id) ?? 0,
    daysSincePaid: daysBetween(paidOn, dayOf(now)),
    refundsBefore: Number(count),
    // The database keeps the terms of whatever is open (refund_application_terms).
    terms: row.terms as Terms,
  })
  return { no: row.refund_no, facts }
}

const holdRefund = defineNode({
  name: 'holdRefund',
  texts,
  type: 'common',
  parameters: { reason: 'text' },
  run: (_asked, { reason }) => ({ hold: true, holdReason: reason.slice(0, MAX_HOLD_REASON) }),
})
const askL2 = defineNode({ name: 'askL2', texts, type: 'common', parameters: {}, run: () => ({ askL2: true }) })

export const listeners = [rules({ events: [refundSubmitted], nodes: [holdRefund, askL2] })]
