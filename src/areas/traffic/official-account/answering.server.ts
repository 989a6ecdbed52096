import { sql } from 'kysely'
import { NotReached } from '#engines/platform/port.server.ts'
import { openAccounts, type Reported } from '#engines/platform/server.ts'
import { storable } from '#kit/model/storable.ts'
import type { App, Change } from '#kit/server/app.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { FORGOTTEN } from './following.model.ts'

const ANSWER = 'account-answer'
const MAX_ERROR = 200
/** Nobody is answered to what was said long ago. */
const FRESH_MS = 3_600_000
type Payload = { readonly id: string }
type Outcome = Reported | { readonly state: 'DROPPED' }

type Answer = {
  readonly accountId: string
  readonly followerId: string
  readonly at: Date
  readonly kind: 'WELCOME' | 'KEYWORD'
  readonly keyword: string | null
  readonly reply: string
}

const isLongAgo = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > FRESH_MS

/** Somebody is answered, by what the account says now. */
export async function answer(
  change: Change,
  { accountId, followerId, at, kind, keyword, reply }: Answer,
): Promise<void> {
  if (reply === '' || isLongAgo(at, change.now)) return
  const { rows } = await sql<{ id: string }>`
    insert into account_answer (account_id, follower_id, kind, keyword, reply, said_at, created_at)
    values (${accountId}, ${followerId}, ${kind}, ${keyword}, ${reply}, ${at}, ${change.now}) returning id`.execute(
    change.tx,
  )
  const id = String(rows[0]?.id)
  await deliver(change, { kind: ANSWER, key: id, payload: { id } })
}

type Sending = {
  readonly appId: string
  readonly status: string
  readonly openid: string
  readonly reply: string
  readonly saidAt: string
}

/** While the platform was out of reach time went by, the account was stopped, or the person was forgotten. */
const isOver = ({ status, openid, saidAt }: Sending, now: Date): boolean =>
  status === 'STOPPED' || openid.startsWith(FORGOTTEN) || isLongAgo(new Date(saidAt), now)

/** People read each one: as the menu, none is sent twice by itself. */
async function send(app: App, { id }: Payload, key: string): Promise<Outcome> {
  const now = app.clock.now()
  const { rows } = await sql<Sending>`
    update account_answer w set sending_at = ${now} from official_account a, account_follower f
    where w.id = ${id} and w.state = 'WAITING' and w.sending_at is null and a.id = w.account_id and f.id = w.follower_id
    returning a.app_id as "appId", a.status, f.openid, w.reply, w.said_at as "saidAt"`.execute(app.db.query)
  const [sending] = rows
  if (!sending) return { state: 'UNKNOWN', error: '' }
  if (isOver(sending, now)) return { state: 'DROPPED' }
  try {
    return await openAccounts(app).answer(sending.appId, sending.openid, sending.reply, key)
  } catch (error) {
    if (!(error instanceof NotReached)) return { state: 'UNKNOWN', error: String(error) }
    await sql`update account_answer set sending_at = null where id = ${id}`.execute(app.db.query)
    throw error
  }
}

export const answerDelivery = defineDelivery<Payload, Outcome>({
  kind: ANSWER,
  call: send,
  async settle({ tx }, { id }, outcome) {
    const error = 'error' in outcome ? storable(outcome.error, MAX_ERROR) : ''
    await sql`
      update account_answer set state = ${outcome.state}, error = ${error === '' ? null : error}
      where id = ${id} and state = 'WAITING'`.execute(tx)
  },
})
