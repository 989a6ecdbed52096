import { sql } from 'kysely'
import { type Paid, paidByMember } from '#areas/members/member/lead-path.server.ts'
import { firstPaid } from '#areas/members/member/leads.server.ts'
import { fen } from '#kit/model/money.ts'
import type { App } from '#kit/server/app.ts'
import { answer } from '#kit/server/change/question.ts'

const firstPaidAt = async ({ db }: App, memberId: string): Promise<string | null> => {
  const { at } = await db.query
    .selectFrom('sales_order')
    .select(eb => eb.fn.min('paid_at').as('at'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return at
}

const MOST_REFUNDS = 50

/** What the member paid first with money, and every refund since. */
async function paidOf({ db }: App, memberId: string): Promise<Paid[]> {
  const { rows } = await sql<Omit<Paid, 'fen'> & { fen: string }>`
    (select 'BOUGHT' as kind, id, paid_at as at, paid_fen as fen from sales_order
      where member_id = ${memberId} and paid_fen > 0 order by paid_at, id limit 1)
    union all
    (select 'REFUNDED', id, paid_at, amount_fen from refund_application
      where member_id = ${memberId} and status = 'PAID' order by paid_at, id limit ${MOST_REFUNDS})`.execute(db.query)
  return rows.map(({ fen: told, ...one }) => ({ ...one, fen: fen(told) }))
}

export const memberAnswers = [
  answer(firstPaid, (app, { memberId }) => firstPaidAt(app, memberId)),
  answer(paidByMember, (app, { memberId }) => paidOf(app, memberId)),
]
