import { type Paid, paidByMember } from '#areas/members/member/lead-path.server.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { fen } from '#kit/model/money.ts'
import type { App } from '#kit/server/app.ts'
import { answer } from '#kit/server/change/question.ts'
import { binder, boundsSql } from '#kit/server/list/scope.ts'
import { sees } from '#kit/server/list/sees.ts'
import { resource } from './model.ts'

/** What the member paid first with money: that it was paid stands with the member, how much is told to whoever sees the order. */
async function boughtBy(app: App, memberId: string, actor: Actor): Promise<Paid[]> {
  const first = await app.db.query
    .selectFrom('sales_order')
    .select(['id', 'paid_at', 'paid_fen'])
    .where('member_id', '=', memberId)
    .where('paid_fen', '>', '0')
    .orderBy('paid_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!first || first.paid_at === null) return []
  const isSeen = await sees(app, resource, first.id, actor)
  return [{ kind: 'BOUGHT', id: first.id, at: first.paid_at, fen: isSeen ? fen(first.paid_fen) : null }]
}

const MOST_REFUNDS = 50

/** Every refund since, to whoever may list it. */
async function refundedTo({ db }: App, memberId: string, actor: Actor): Promise<Paid[]> {
  const { screen } = refundApplication
  if (!can(actor, screen.key, 'list')) return []
  const { bind, values } = binder()
  const whose = bind(memberId)
  const rule = boundsSql(refundApplication, scopeOf(actor, screen.key), bind)
  const rows = await db.read.rows(
    `select t.id::text as id, t.paid_at as at, t.amount_fen as fen from refund_application t
     where t.member_id = ${whose} and t.status = 'PAID'${rule && ` and ${rule}`} order by t.paid_at, t.id limit ${MOST_REFUNDS}`,
    values,
  )
  return rows.map(
    ({ id, at, fen: told }): Paid => ({ kind: 'REFUNDED', id: String(id), at: String(at), fen: fen(String(told)) }),
  )
}

export const memberAnswers = [
  answer(paidByMember, async (app, { memberId, actor }) =>
    (await Promise.all([boughtBy(app, memberId, actor), refundedTo(app, memberId, actor)])).flat(),
  ),
]
