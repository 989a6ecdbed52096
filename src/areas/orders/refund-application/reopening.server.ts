import { lockMember } from '#areas/members/member/holding.server.ts'
import { lockOrderOfRecord, reserveRefund } from '#areas/orders/order/refunds.server.ts'
import { freeze } from '#engines/entitlement/server.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Terms } from './arithmetic.model.ts'
import type { SuggestedLine } from './calculation.model.ts'
import { known, lineAmounts, lotParts, requirePaid } from './calculation.server.ts'
import { needsWhy, reasonsToAsk } from './judging.server.ts'
import type { RefundApplication } from './model.ts'
import { waitsForChain } from './risk.server.ts'
import { isMore, withReasons } from './second-approval.model.ts'
import { type Calculation, divide, type Known } from './suggesting.model.ts'

/**
 * An application that was ended by mistake stands again: its money is set aside and what it would take back is held once more.
 * It is judged as if it were asked for now, by the terms it was asked for under. What was free meanwhile may be spent, or asked
 * for by another: then it has to be asked for anew. Where nobody had decided on it, its chain decides first, as the first time.
 */
export async function reopen(
  op: Operation,
  row: RefundApplication,
  before: Partial<RefundApplication>,
): Promise<Partial<RefundApplication>> {
  await lockMember(op.tx, row.memberId)
  const terms = await requireOpenable(op, row)
  const order = requirePaid(await lockOrderOfRecord(op, row.orderId))
  const facts = await known(op.app, op.tx, { order, now: op.now, terms })
  requireThere(row, facts)
  const judgement = await judgedAnew(op, row, { order, known: facts, now: op.now })
  await reserveRefund(op, row.orderId, lineAmounts(row), 1)
  await freeze(op, row.memberId, lotParts(row), 1)
  const isJudging = before.status === 'SUBMITTED' && (await waitsForChain(op, row.id))
  return { ...judgement, ...(isJudging ? ({ hold: 'JUDGING', holdReason: '', releasedBy: null } as const) : {}) }
}

/** What it would take back is there, and goods are where they were. */
function requireThere(row: RefundApplication, { lines }: Known): void {
  const unsent = new Map(lines.map(line => [line.lineId, line.unsentPieces]))
  if (row.calculation.some(line => line.unsentPieces !== unsent.get(line.lineId)))
    throw new Refused(refuse('reopen-goods-left'))
  const lots = new Map(lines.flatMap(line => line.lots).map(lot => [lot.lotId, lot]))
  for (const { lotId, units, debt } of lotParts(row)) {
    const lot = lots.get(lotId)
    // Coins may fall below nothing, so their balance refuses nothing by itself.
    if (!lot || units > lot.leftUnits || debt > lot.owableUnits) throw new Refused(refuse('reopen-spent'))
  }
}

type Judgement = Pick<RefundApplication, 'calculation' | 'suggestedFen' | 'needsL2' | 'l2Reasons'>

/** Nobody gave a reason for, or agreed to, what it has become by what else was asked for or paid: then it does not stand again. */
async function judgedAnew(
  op: Operation,
  row: RefundApplication,
  at: Parameters<typeof reasonsToAsk>[1],
): Promise<Judgement> {
  const { amountFen, payee, deviation } = row
  const choices = new Map(row.calculation.flatMap(({ lineId, unsent }) => (unsent ? [[lineId, unsent] as const] : [])))
  const divided = divide(at.known, amountFen, choices)
  if (!divided || needsWhy(amountFen, deviation, divided.calculation)) throw new Refused(refuse('reopen-judged'))
  const { calculation } = divided
  const fresh = await reasonsToAsk(op.tx, at, { amountFen, payee, lines: row.calculation, calculation })
  if (isMore(row.l2Reasons, fresh)) throw new Refused(refuse('reopen-judged'))
  const l2Reasons = withReasons(row.l2Reasons, fresh)
  return {
    calculation: row.calculation.map(line => ({ ...line, ...suggestedOf(calculation, line.lineId) })),
    suggestedFen: fen(calculation.suggestedFen),
    needsL2: row.needsL2 || l2Reasons.length > 0,
    l2Reasons,
  }
}

/** What is said of a line at this moment, without what it takes back. */
function suggestedOf({ lines }: Calculation, lineId: string): Partial<SuggestedLine> {
  const line = lines.find(one => one.lineId === lineId)
  if (!line) return {}
  const { lots: _lots, leftFen: _left, keptFen: _kept, ...said } = line
  return said
}

/** What ended here the provider may have paid after all, and one that was judged by no terms that are known cannot be judged again. */
async function requireOpenable({ tx }: Operation, { refundNo, terms }: RefundApplication): Promise<Terms> {
  const paid = await tx
    .selectFrom('provider_refund')
    .select('id')
    .where('refund_no', '=', refundNo)
    .where('status', '=', 'SUCCESS')
    .executeTakeFirst()
  if (paid) throw new Refused(refuse('reopen-paid'))
  if (terms === null) throw new Refused(refuse('reopen-old'))
  return terms
}
