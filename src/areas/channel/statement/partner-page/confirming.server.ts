import { randomInt, timingSafeEqual } from 'node:crypto'
import { send } from '#engines/message/server.ts'
import { digestOf } from '#engines/settlement/server.ts'
import { fen } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { keyedDigest } from '#kit/server/access/seal.ts'
import type { App, Change } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { writeChange, writeLine } from '#kit/server/change/step.ts'
import { aboutToLock, type Tx } from '#kit/server/database/database.ts'
import { resource } from '../model.ts'
import { statementCode } from '../told.model.ts'
import { CODE_DIGITS, type Link, MOST_TRIES, type Standing, whyNoCode, whyNotConfirmed } from './link.model.ts'

type Row = {
  readonly link: Link
  readonly digest: Buffer | null
  readonly statementId: string
  readonly standing: Standing
  readonly statementNo: string
  readonly partnerId: string
  readonly partner: string
  readonly totalFen: string
  readonly linkState: string
  readonly contactBy: string | null
}

/** The link as it stands, for whoever only looks. */
export async function readLink(
  db: Pick<Tx, 'selectFrom'>,
  id: string,
): Promise<(Link & { statementId: string }) | undefined> {
  const row = await db.selectFrom('statement_link').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { ...linkOf(row), statementId: row.statement_id }
}

type Stored = {
  readonly expires_at: Date | string
  readonly ended_at: Date | string | null
  readonly codes: number
  readonly tries: number
  readonly code_at: Date | string | null
  readonly code_for: string | null
}

const linkOf = ({ expires_at, ended_at, codes, tries, code_at, code_for }: Stored): Link => ({
  expiresAt: new Date(expires_at),
  isEnded: ended_at !== null,
  codes,
  tries,
  code: code_at === null || code_for === null ? null : { at: new Date(code_at), of: code_for },
})

/** The statement first, then its link, as whoever sends one does: of many at once each sees what the one before has done. */
async function lockLink(tx: Tx, id: string): Promise<Row | undefined> {
  const known = await tx.selectFrom('statement_link').select('statement_id').where('id', '=', id).executeTakeFirst()
  if (!known) return undefined
  aboutToLock(tx, 'settlement_statement', known.statement_id)
  const statement = await tx
    .selectFrom('settlement_statement')
    .select(['id', 'status', 'statement_no', 'partner_id', 'total_fen', 'link_state', 'contact_by'])
    .select(eb => eb.selectFrom('partner').select('name').whereRef('partner.id', '=', 'partner_id').as('partner'))
    .where('id', '=', known.statement_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const link = await tx
    .selectFrom('statement_link')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return {
    link: linkOf(link),
    digest: link.code_digest,
    statementId: statement.id,
    standing: { isDraft: statement.status === 'DRAFT', digest: await digestOf({ tx }, statement.id) },
    statementNo: statement.statement_no,
    partnerId: statement.partner_id,
    partner: statement.partner ?? '',
    totalFen: statement.total_fen,
    linkState: statement.link_state,
    contactBy: statement.contact_by,
  }
}

/** Somebody outside changes something: the log names the partner, and where it came from. */
const outside = (app: App, tx: Tx, { now, address, requestId }: Call<'public'>, { partner }: Row): Change => ({
  app,
  tx,
  now,
  call: { actor: null, called: partner, now, address, requestId },
})

const codeDigest = ({ env }: App, linkId: string, nth: number, code: string): Buffer =>
  keyedDigest(env, 'statement-code', `${linkId} ${nth} ${code}`)

/** Sends a code to the partner's contact, for what was seen and nothing else. Says why not, or nothing. */
export const sendCode = (app: App, call: Call<'public'>, linkId: string, seen: string): Promise<Refusal | undefined> =>
  app.db.write(async tx => {
    const row = await lockLink(tx, linkId)
    if (!row) return refuse('link-unknown')
    const change = outside(app, tx, call, row)
    const refusal = whyNoCode(row.link, row.standing, seen, call.now)
    if (refusal) return refusal
    const partner = tx.selectFrom('partner').select(['contact_phone', 'contact_by']).where('id', '=', row.partnerId)
    const { contact_phone, contact_by } = await partner.executeTakeFirstOrThrow()
    if (contact_phone === null) return refuse('contact-gone')
    const nth = row.link.codes + 1
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
    await tx
      .updateTable('statement_link')
      .set({ codes: nth, tries: 0, code_digest: codeDigest(app, linkId, nth, code), code_for: seen, code_at: call.now })
      .where('id', '=', linkId)
      .execute()
    const before = { id: row.statementId, linkState: row.linkState, contactBy: row.contactBy }
    await writeChange(change, resource, before, { linkState: 'ASKED', contactBy: contact_by }, 'askCode')
    await send(change, statementCode, {
      to: { partnerId: row.partnerId, address: contact_phone },
      values: { code, no: row.statementNo, total: fen(row.totalFen) },
      about: `statement-code:${linkId}:${nth}`,
    })
  })

/** A wrong code is a try. Once none is left that stands in the timeline, for somebody may be guessing. */
async function countTry(change: Change, linkId: string, { link, statementId }: Row): Promise<void> {
  const tries = link.tries + 1
  await change.tx.updateTable('statement_link').set({ tries }).where('id', '=', linkId).execute()
  if (tries >= MOST_TRIES) await writeLine(change, resource, { recordId: statementId, action: 'spoilCode', diff: {} })
}

type Agreed = { readonly seen: string; readonly code: string; readonly name: string }

/**
 * Takes the partner's word: the right code, for exactly what its page showed. A wrong one counts, so it is answered and not thrown.
 * What was agreed to is kept as its digest, and the code is gone with it.
 */
export const confirmByPartner = (
  app: App,
  call: Call<'public'>,
  linkId: string,
  { seen, code, name }: Agreed,
): Promise<Refusal | undefined> =>
  app.db.write(async tx => {
    const row = await lockLink(tx, linkId)
    if (!row) return refuse('link-unknown')
    const change = outside(app, tx, call, row)
    const isRight = row.digest !== null && timingSafeEqual(row.digest, codeDigest(app, linkId, row.link.codes, code))
    const refusal = whyNotConfirmed(row.link, row.standing, { seen, isRight }, call.now)
    if (refusal?.code === 'code-wrong') await countTry(change, linkId, row)
    if (refusal) return refusal
    const at = call.now.toISOString()
    await tx
      .updateTable('statement_link')
      .set({ used_at: call.now, code_digest: null, code_for: null, code_at: null })
      .where('id', '=', linkId)
      .execute()
    const before = { id: row.statementId, status: 'DRAFT', linkState: row.linkState }
    const after = { confirmedName: name, confirmedVia: 'LINK', confirmedAt: at, digest: seen, stateSince: at }
    await writeChange(change, resource, before, { ...after, status: 'CHANNEL_CONFIRMED', linkState: 'USED' }, 'confirm')
  })
