import { DAY_MS, type World } from '#demo/world.server.ts'
import { type Refund, refundsOf } from './demo-course.server.ts'
import { refundSubmitted } from './risk.server.ts'

/** As long as runs are kept. */
const KEPT_DAYS = 180
const HELD_FROM = 4
const REASON = '风险评分达到 4 分'

/** The score of the demo's script `refundScore`. */
function scoreOf({ row }: Refund, before: number): number {
  const [fen, days] = [Number(row.amount_fen), Number(row.days_since_paid)]
  return (fen > 200_000 ? 3 : fen > 50_000 ? 2 : 1) + (before > 2 ? 2 : 0) + (days > 60 ? 1 : 0)
}

/** What the demo's chain `refundRisk` decided about each refund of the last months; what it held, the approver released. */
export function runThroughChain(world: World): void {
  const seen = new Map<unknown, number>()
  const runs = refundsOf(world).flatMap(refund => {
    const { row } = refund
    const before = seen.get(row.member_id) ?? 0
    seen.set(row.member_id, before + 1)
    const createdAt = new Date(row.created_at as Date)
    if (createdAt.getTime() < world.now.getTime() - KEPT_DAYS * DAY_MS) return []
    const isHeld = scoreOf(refund, before) >= HELD_FROM
    if (isHeld)
      Object.assign(row, {
        hold: row.l1_by === null ? 'HELD' : 'RELEASED',
        hold_reason: REASON,
        released_by: row.l1_by,
      })
    return [
      {
        event: refundSubmitted.name,
        record_id: refund.id,
        record_no: String(row.refund_no),
        chain_record_id: world.ids.named('rule_chain', 'refundRisk'),
        edition: 2,
        result: 'DECIDED' as const,
        outcome: JSON.stringify(isHeld ? { hold: true, holdReason: REASON } : {}),
        ms: 4 + (refund.id % 9),
        fault: null,
        created_at: new Date(createdAt.getTime() + 1_000),
      },
    ]
  })
  world.rows.add('rule_run', runs)
}
