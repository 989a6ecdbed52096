import type { Selectable } from 'kysely'
import { withoutAddress } from '#engines/message/model.ts'
import type { Outcome, Outgoing } from '#engines/message/port.server.ts'
import { type Outside, providerOf } from '#engines/message/providers.server.ts'
import type { App, Change } from '#kit/server/app.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { AskAgain, defineDelivery } from '#kit/server/change/outbox.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import { moveMessage } from './moving.server.ts'
import { askLater } from './reporting.server.ts'
import { judgeNow, queue, SENDING, unseal } from './writing.server.ts'

type Payload = { readonly id: string }
type Stored = Selectable<Schema['message']>
/** Nothing was said to anybody: it is over already, or waits for another time. */
type Handed =
  | (Exclude<Outcome, { kind: 'later' }> & { readonly attempt: number })
  | { readonly kind: 'unreached'; readonly said: string; readonly attempt: number }
  | { readonly kind: 'none' }

/** A provider that cannot be reached is tried for most of an hour. */
const MOST_TRIES = 10
/** A code that comes later than this is of no use to anybody. */
const CODE_MS = 10 * 60_000

/**
 * Speaks to a provider at most once for each attempt. The row is claimed first, in a transaction of its own: whoever finds it
 * claimed, after a crash or a lease that ran out, does not know whether it left, and says so instead of sending it again.
 */
export const sending = Object.values(SENDING).map(kind =>
  defineDelivery<Payload, Handed>({
    kind,
    call: handOver,
    settle: (change, { id }, handed) => settle(change, id, handed),
  }),
)

async function handOver(app: App, { id }: Payload): Promise<Handed> {
  const claimed = await app.db.write(tx => claim(ownChange(app, tx, app.clock.now(), `message:${id}`), id))
  if (claimed === 'none') return { kind: 'none' }
  const { attempt } = claimed
  if (!('message' in claimed)) return { kind: 'unknown', said: '', attempt }
  const { channel, message } = claimed
  const answered = await providerOf(app, channel)
    .send(message)
    .catch((error): Outcome => ({ kind: 'unknown', said: String(error) }))
  const outcome = { ...answered, said: withoutAddress(answered.said, message.address) }
  if (outcome.kind !== 'later') return { ...outcome, attempt }
  if (claimed.isLast) return { kind: 'unreached', said: outcome.said, attempt }
  await app.db.query
    .updateTable('message')
    .set({ claimed_at: null })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .execute()
  throw new AskAgain(outcome.said)
}

type Claimed =
  | 'none'
  | { readonly attempt: number }
  | { readonly attempt: number; readonly channel: Outside; readonly message: Outgoing; readonly isLast: boolean }

async function claim(change: Change, id: string): Promise<Claimed> {
  const { app, tx, now } = change
  const row = await tx.selectFrom('message').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row || row.channel === 'WEB' || (row.status !== 'SENDING' && row.status !== 'SCHEDULED')) return 'none'
  // Handed over already: its report is on its way.
  if (row.sent_at !== null) return 'none'
  if (row.claimed_at !== null) return { attempt: row.attempt }
  if (row.kind === 'MARKETING' && !(await mayLeave(change, row))) return 'none'
  if (row.kind === 'CODE' && now.getTime() - new Date(row.created_at).getTime() > CODE_MS) {
    await tx.updateTable('message').set({ sealed: null }).where('id', '=', id).execute()
    await moveMessage(change, row, { status: 'FAILED', cause: 'TOO_LATE', endedAt: now.toISOString() }, 'fail')
    return 'none'
  }
  const secret = row.sealed && unseal(app, row.sealed)
  await tx
    .updateTable('message')
    .set({ claimed_at: now, status: 'SENDING', cause: null, tries: row.tries + 1, sealed: null })
    .where('id', '=', id)
    .execute()
  const { title, body, filled } = secret ?? { ...row, filled: (row.filled ?? {}) as Record<string, string> }
  return {
    attempt: row.attempt,
    channel: row.channel,
    // Of a code nothing is left to try again with.
    isLast: row.kind === 'CODE' || row.tries + 1 >= MOST_TRIES,
    message: {
      key: `${id}-${row.attempt}`,
      address: row.phone ?? row.email ?? '',
      title,
      text: body,
      providerCode: row.provider_code,
      values: filled,
    },
  }
}

/** Consent may have ended, and the quiet hours may have been set anew, while it waited. */
async function mayLeave(change: Change, row: Stored): Promise<boolean> {
  const judged = await judgeNow(change, {
    kind: row.kind,
    memberId: row.member_id,
    hasAddress: (row.phone ?? row.email) !== null,
    phone: row.phone,
    id: row.id,
  })
  if (judged.status === 'SENDING') return true
  const { status, cause } = judged
  if (status === 'SCHEDULED') await queue(change, row, judged.at)
  await moveMessage(
    change,
    row,
    { status, cause, ...(status === 'SCHEDULED' ? { scheduledAt: judged.at.toISOString() } : {}) },
    'hold',
  )
  return false
}

/** What a report has told meanwhile stands: it knows better than whoever handed the message over. */
async function settle(change: Change, id: string, handed: Handed): Promise<void> {
  if (handed.kind === 'none') return
  const { tx, now } = change
  const row = await tx
    .selectFrom('message')
    .select(['id', 'status', 'cause', 'channel', 'attempt', 'claimed_at'])
    .where('id', '=', id)
    .where('status', 'in', ['SENDING', 'UNKNOWN'])
    .where('attempt', '=', handed.attempt)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  const at = now.toISOString()
  const told = { result: handed.said.slice(0, 200) }
  if (handed.kind === 'refused' || handed.kind === 'unreached') {
    const cause = handed.kind === 'unreached' ? 'NOT_REACHED' : handed.fault
    return moveMessage(change, row, { ...told, status: 'FAILED', cause, endedAt: at }, 'fail')
  }
  // Of what nobody answered for, the hour it was asked at is known; a provider looks for it by that.
  const sentAt = handed.kind === 'unknown' && row.claimed_at !== null ? new Date(row.claimed_at).toISOString() : at
  const sent = { ...told, sentAt }
  if (handed.kind === 'taken' && row.channel === 'EMAIL')
    return moveMessage(change, row, { ...sent, status: 'DELIVERED', cause: null, endedAt: at }, 'handOver')
  if (handed.kind === 'taken') await moveMessage(change, row, { ...sent, status: 'SENDING', cause: null }, 'handOver')
  else await moveMessage(change, row, { ...sent, status: 'UNKNOWN', cause: 'NO_ANSWER' }, 'lose')
  if (row.channel === 'SMS') await askLater(change, id, row.attempt)
}
