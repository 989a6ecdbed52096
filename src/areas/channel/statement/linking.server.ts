import { sql } from 'kysely'
import { type Moved, messageMoved, send, ships } from '#engines/message/server.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import type { Statement } from './model.ts'
import { settings } from './settings.model.ts'
import { addressOf, tokenOf } from './token.server.ts'
import { statementByMail, statementByText, statementCode } from './told.model.ts'

const DAY_MS = 86_400_000
const ABOUT = 'statement-link'

/** Sends the partner's contact a link to the statement, by mail where there is one. Any link before it is over. */
export async function sendLink(op: Operation, row: Statement): Promise<Partial<Statement>> {
  const { app, tx, now } = op
  const { linkDays } = await settingsOf(app, settings, tx)
  const expiresAt = new Date(now.getTime() + linkDays * DAY_MS)
  await endLinks(op, row.id)
  const link = await tx
    .insertInto('statement_link')
    .values({ statement_id: row.id, sent_at: now, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { company, contact_phone, contact_email } = await tx
    .selectFrom('partner')
    .select(['company', 'contact_phone', 'contact_email'])
    .where('id', '=', row.partnerId)
    .executeTakeFirstOrThrow()
  await send(op, contact_email === null ? statementByText : statementByMail, {
    to: { partnerId: row.partnerId, address: contact_email ?? contact_phone },
    values: {
      company,
      month: row.periodFrom.slice(0, 7),
      no: row.statementNo,
      total: row.totalFen,
      until: expiresAt,
      link: addressOf(app, tokenOf(app, link.id, expiresAt)),
    },
    about: `${ABOUT}:${link.id}`,
  })
  return {
    linkState: 'SENDING',
    contactBy: null,
    linkBy: op.actor.id,
    linkSentAt: now.toISOString(),
    linkUntil: expiresAt.toISOString(),
  }
}

/** What was sent before opens nothing any more. */
export async function endLinks({ tx, now }: Pick<Change, 'tx' | 'now'>, statementId: string) {
  await tx
    .updateTable('statement_link')
    .set({ ended_at: now, code_digest: null, code_for: null, code_at: null })
    .where('statement_id', '=', statementId)
    .where('ended_at', 'is', null)
    .execute()
  return { linkState: 'NONE', contactBy: null, linkBy: null, linkSentAt: null, linkUntil: null } as const
}

const ARRIVED = { DELIVERED: 'SENT', FAILED: 'FAILED', WITHHELD: 'FAILED' } as const

/** Whoever sent it sees whether it has arrived. What the partner has done by it since says more. */
async function follow({ tx }: Change, { about, status }: Moved): Promise<void> {
  const [kind, linkId] = about.split(':')
  if (kind !== ABOUT || !(status in ARRIVED)) return
  const state = ARRIVED[status as keyof typeof ARRIVED]
  await sql`
    update settlement_statement s set link_state = ${state}, version = version + 1
    from statement_link l
    where l.id = ${linkId} and l.ended_at is null and s.id = l.statement_id and s.link_state in ('SENDING', 'SENT', 'FAILED') and s.link_state <> ${state}`.execute(
    tx,
  )
}

export const listeners = [listen(messageMoved, follow), ships(statementByMail, statementByText, statementCode)]
