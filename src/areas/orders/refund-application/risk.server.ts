import { daysBetween } from '#engines/entitlement/model.ts'
import { defineNode, defineRuleEvent, rules } from '#engines/rule/declared.server.ts'
import { throughChain } from '#engines/rule/server.ts'
import { storable } from '#kit/model/storable.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App, Change } from '#kit/server/app.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import type { Terms } from './arithmetic.model.ts'
import type { CalculatedLine } from './calculation.model.ts'
import { type RefundApplication, resource } from './model.ts'
import { MAX_HOLD_REASON, RISK_FACTS, riskFacts, riskOutcome, SHIPPED_RISK, tightened } from './risk.model.ts'
import type { L2Reason } from './second-approval.model.ts'
import { sumsOf } from './second-approval.server.ts'
import { settings } from './settings.model.ts'

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
  async settle(change, recordId, { outcome, edition, version }) {
    const row = await change.tx
      .selectFrom('refund_application')
      .select(['id', 'version', 'hold', 'hold_reason as holdReason', 'needs_l2 as needsL2', 'l2_reasons as l2Reasons'])
      .where('id', '=', recordId)
      .forUpdate()
      .executeTakeFirst()
    if (row?.hold !== 'JUDGING') return
    // Withdrawn, or standing again: what was decided is about facts that may be others now.
    if (row.version !== version) throw new AskAgain(`version ${version} was judged, and it is version ${row.version}`)
    const before = { ...row, l2Reasons: row.l2Reasons as L2Reason[] }
    await writeChange(change, resource, before, tightened(before, outcome, edition), 'judged')
  },
})

/** Where a chain is in force the refund waits for it from now on, whatever one decided before. */
export async function waitsForChain(change: Change, id: string): Promise<boolean> {
  if (!(await throughChain(change, refundSubmitted, id))) return false
  await change.tx
    .updateTable('refund_application')
    .set({ ...WAITING, judging_since: change.now })
    .where('id', '=', id)
    .execute()
  return true
}
const WAITING = { hold: 'JUDGING', hold_reason: '', released_by: null } as const

/** No chain takes so long, nor the way to it: somebody may let the refund go on. */
const STUCK_MINUTES = 10

/** Which of these have waited too long for their chain. */
export async function stuckOf(app: App, db: Reading, rows: readonly Pick<RefundApplication, 'id' | 'hold'>[]) {
  const judging = rows.filter(({ hold }) => hold === 'JUDGING').map(({ id }) => id)
  if (judging.length === 0) return new Set<string>()
  const stuck = await db
    .selectFrom('refund_application')
    .select('id')
    .where('id', 'in', judging)
    .where('judging_since', '<', new Date(app.clock.now().getTime() - STUCK_MINUTES * 60_000).toISOString())
    .execute()
  return new Set(stuck.map(({ id }) => id))
}

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
    // The database keeps the terms of whatever is open (refund_application_terms); of what ended long ago a test run may ask.
    terms: (row.terms as Terms | null) ?? (await settingsOf(app, settings)),
  })
  return { no: row.refund_no, version: row.version, facts }
}

const holdRefund = defineNode({
  name: 'holdRefund',
  texts,
  type: 'common',
  parameters: { reason: 'text' },
  answers: ['hold', 'holdReason'],
  run: (_asked, { reason }) => ({ hold: true, holdReason: storable(reason, MAX_HOLD_REASON) }),
})
const askL2 = defineNode({
  name: 'askL2',
  texts,
  type: 'common',
  parameters: {},
  answers: ['askL2'],
  run: () => ({ askL2: true }),
})

export const listeners = [rules({ events: [refundSubmitted], nodes: [holdRefund, askL2] })]
