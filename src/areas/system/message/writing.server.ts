import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { fillIn, holesIn, type Judged, judge, type Kind } from '#engines/message/model.ts'
import {
  consentOf,
  messageMoved,
  type Receiver,
  templateInForce,
  type Wanted,
  type Words,
} from '#engines/message/server.ts'
import type { App, Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { deliver } from '#kit/server/change/outbox.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { settings } from './settings.model.ts'

/** The calls that hand messages over, by the id of the message: a kind for each, so that a code waits behind no advertising. */
export const SENDING: Readonly<Record<Kind, string>> = {
  CODE: 'message-code',
  NOTICE: 'message',
  MARKETING: 'message-marketing',
}
const MAX_TEXT = 2_000
const MAX_TITLE = 100

/** Writes down what somebody is to be told, and when it leaves. Told before, it is not told again. */
export async function writeMessage(change: Change, wanted: Wanted): Promise<void> {
  const { tx, now, app } = change
  const { message, to, filled, about, trial, words: agreed, wordsOfId = null } = wanted
  const { channel, kind } = message
  const { templateId, editionId, providerCode, ...words } = trial ?? agreed ?? (await wordsOf(change, wanted))
  const isCode = kind === 'CODE'
  const body = fillIn(words.body, filled).slice(0, MAX_TEXT)
  const title = (isCode ? words.title : fillIn(words.title, filled)).slice(0, MAX_TITLE)
  const memberId = 'memberId' in to ? to.memberId : null
  const judged: Judged | { status: 'UNREAD' } =
    channel === 'WEB'
      ? { status: 'UNREAD' }
      : await judgeNow(change, { kind, memberId, hasAddress: to.address !== null, phone: addressIn(channel, to).phone })
  const row = await tx
    .insertInto('message')
    .values({
      template_id: templateId,
      edition_id: editionId,
      channel,
      kind,
      status: judged.status,
      cause: 'cause' in judged ? judged.cause : null,
      member_id: memberId,
      staff_id: 'staffId' in to ? to.staffId : null,
      lead_id: 'leadId' in to ? to.leadId : null,
      partner_id: 'partnerId' in to ? to.partnerId : null,
      ...addressIn(channel, to),
      title,
      body: isCode ? '' : body,
      digest: digestOf(app, body),
      filled: isCode ? null : JSON.stringify(filled),
      sealed: isCode && judged.status === 'SENDING' ? seal(app, { title, body, filled }) : null,
      provider_code: providerCode,
      about,
      is_test: trial !== undefined,
      words_of_id: wordsOfId,
      scheduled_at: 'at' in judged ? judged.at : null,
      state_since: now,
      created_at: now,
    })
    .onConflict(told => told.column('about').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  if (judged.status === 'UNREAD') return app.signals.send(tx, 'message', { staffId: staffOf(to), messageId: row.id })
  if (judged.status !== 'WITHHELD') await queue(change, { id: row.id, kind }, 'at' in judged ? judged.at : now)
  const cause = 'cause' in judged ? judged.cause : null
  await announce(change, messageMoved, { about, status: judged.status, cause, isHandedOver: false })
}

/** The outbox hands it over; what it is stays in its own row. */
export const queue = (
  change: Pick<Change, 'tx' | 'now'>,
  { id, kind }: { readonly id: string; readonly kind: Kind },
  dueAt: Date,
) => deliver(change, { kind: SENDING[kind], key: id, payload: { id }, dueAt })

/** What is published, unless it has holes nothing is put into: then the words it was shipped with. */
async function wordsOf({ app, tx }: Change, { message, filled }: Wanted): Promise<Words> {
  const inForce = await ask(app, templateInForce, { tx, code: message.code })
  if (inForce && holesIn(inForce.title + inForce.body).every(name => name in filled)) return inForce
  const { title, body } = message
  return {
    title,
    body,
    providerCode: inForce?.providerCode ?? null,
    templateId: inForce?.templateId ?? null,
    editionId: null,
  }
}

function staffOf(to: Receiver): string {
  if (!('staffId' in to)) throw new Error('only colleagues have a console to be told in')
  return to.staffId
}

const addressIn = (channel: string, { address }: Receiver) =>
  channel === 'SMS' ? { phone: address, email: null } : { phone: null, email: channel === 'EMAIL' ? address : null }

type Bound = {
  readonly kind: Kind
  readonly memberId: string | null
  readonly hasAddress: boolean
  /** The number it goes to, where it goes to one. */
  readonly phone: string | null
  readonly id?: string
}

/** Whether it leaves now, later or not at all, by what is known at this moment. */
export async function judgeNow(
  { app, tx, now }: Change,
  { kind, memberId, hasAddress, phone, id }: Bound,
): Promise<Judged> {
  const terms = await settingsOf(app, settings, tx)
  if (kind !== 'MARKETING') return judge({ kind, hasAddress, now, terms, consent: 'NONE', lastAt: null })
  const consent = memberId === null ? 'NONE' : await ask(app, consentOf, { tx, memberId, phone })
  const lastAt = memberId === null ? null : await lastMarketing(tx, memberId, id)
  return judge({ kind, hasAddress, now, terms, consent, lastAt })
}

/** By when it left, not by when it was written: it may have waited for days. Two who advertise to one member at the same moment wait for each other. */
async function lastMarketing(tx: Tx, memberId: string, but: string | undefined): Promise<Date | null> {
  await sql`select pg_advisory_xact_lock(hashtext(${`message:marketing:${memberId}`}))`.execute(tx)
  const last = await tx
    .selectFrom('message')
    .select(sql<string | null>`max(coalesce(sent_at, state_since))`.as('at'))
    .where('member_id', '=', memberId)
    .where('kind', '=', 'MARKETING')
    .where('status', 'not in', ['WITHHELD', 'FAILED'])
    .where('id', '<>', but ?? '0')
    .executeTakeFirst()
  return last?.at ? new Date(last.at) : null
}

/** Keyed: of a code of six digits a plain digest would tell everything. */
const digestOf = ({ env }: App, text: string): string =>
  createHmac('sha256', env.CODE_SECRET ?? '')
    .update(`message:${text}`)
    .digest('hex')

type Secret = Pick<Words, 'title' | 'body'> & { readonly filled: Readonly<Record<string, string>> }
const ALGORITHM = 'aes-256-gcm'
const [NONCE, TAG] = [12, 16]
const keyOf = ({ env }: App): Buffer => createHash('sha256').update(`message:${env.CODE_SECRET}`).digest()

function seal(app: App, secret: Secret): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(ALGORITHM, keyOf(app), nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

export function unseal(app: App, sealed: Buffer): Secret {
  const cipher = createDecipheriv(ALGORITHM, keyOf(app), sealed.subarray(0, NONCE))
  cipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  const text = Buffer.concat([cipher.update(sealed.subarray(NONCE + TAG)), cipher.final()])
  return JSON.parse(text.toString('utf8')) as Secret
}
