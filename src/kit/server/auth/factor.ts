import { randomBytes } from 'node:crypto'
import { keyedDigest, seal, sealText, unseal, unsealText } from '../access/seal.ts'
import { base32, isTotp, keyUri, SECRET_BYTES, stepOfCode } from '../access/totp.ts'
import type { App } from '../app.ts'
import type { Database, Tx } from '../database/database.ts'
import { grouped } from './one-time.ts'

type Keys = Pick<App, 'env'>

/** What the app on somebody's telephone calls this console. */
const ISSUER = 'Inkstone'
const BEGUN_MS = 900_000
const TICKET_MS = 300_000
export const RECOVERY_CODES = 10

const secretOf = (staffId: string) => `second-factor:${staffId}`
const recoveryOf = (staffId: string) => `recovery-code:${staffId}`
const TICKET = 'second-step'

/** However it was typed or pasted: case, width, blanks and the dash tell nothing. */
const plainCode = (typed: string): string => typed.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '')

export type UsedCode = 'CODE' | 'RECOVERY'

/** Uses a code up, in the transaction of what it opens: of the same code twice at once, one is right. */
export async function takeCode(
  tx: Tx,
  { env }: Keys,
  staffId: string,
  typed: string,
  now: Date,
): Promise<UsedCode | undefined> {
  const code = plainCode(typed)
  if (!isTotp(code)) return (await takeRecoveryCode(tx, { env }, staffId, code, now)) ? 'RECOVERY' : undefined
  const kept = await tx
    .selectFrom('second_factor')
    .select(['secret', 'last_step'])
    .where('staff_id', '=', staffId)
    .forUpdate()
    .executeTakeFirst()
  const secret = kept && unseal(env, secretOf(staffId), kept.secret)
  const step = secret && stepOfCode(secret, code, now, Number(kept.last_step))
  if (step === undefined) return undefined
  await tx
    .updateTable('second_factor')
    .set({ last_step: String(step) })
    .where('staff_id', '=', staffId)
    .execute()
  return 'CODE'
}

async function takeRecoveryCode(tx: Tx, { env }: Keys, staffId: string, code: string, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('staff_id', '=', staffId)
    .where('digest', '=', keyedDigest(env, recoveryOf(staffId), code))
    .where('used_at', 'is', null)
    .returning('staff_id')
    .executeTakeFirst()
  return used !== undefined
}

/** Makes a secret up and tells it, this once. It counts for nothing before a code of it has come back. */
export async function beginFactor(
  tx: Tx,
  { env }: Keys,
  { id, account }: { readonly id: string; readonly account: string },
  now: Date,
): Promise<{ secret: string; uri: string }> {
  const secret = randomBytes(SECRET_BYTES)
  const begun = { secret: seal(env, secretOf(id), secret), expires_at: new Date(now.getTime() + BEGUN_MS) }
  await tx
    .insertInto('second_factor_begun')
    .values({ staff_id: id, ...begun })
    .onConflict(conflict => conflict.column('staff_id').doUpdateSet(begun))
    .execute()
  return { secret: base32(secret), uri: keyUri(ISSUER, account, secret) }
}

/** Puts what was begun in force, if the code is of it, and gives the recovery codes; 'over' when nothing is begun any more. */
export async function confirmFactor(
  tx: Tx,
  app: Pick<App, 'env' | 'sessions'>,
  staffId: string,
  typed: string,
  now: Date,
): Promise<string[] | 'over' | 'wrong'> {
  const begun = await tx
    .selectFrom('second_factor_begun')
    .select(['secret', 'expires_at'])
    .where('staff_id', '=', staffId)
    .forUpdate()
    .executeTakeFirst()
  const secret = begun && unseal(app.env, secretOf(staffId), begun.secret)
  if (!secret || Date.parse(begun.expires_at) <= now.getTime()) return 'over'
  const step = stepOfCode(secret, plainCode(typed), now, -1)
  if (step === undefined) return 'wrong'
  const kept = { secret: begun.secret, since: now, last_step: String(step) }
  await tx
    .insertInto('second_factor')
    .values({ staff_id: staffId, ...kept })
    .onConflict(conflict => conflict.column('staff_id').doUpdateSet(kept))
    .execute()
  await tx.deleteFrom('second_factor_begun').where('staff_id', '=', staffId).execute()
  await tx.updateTable('staff').set({ has_factor: true }).where('id', '=', staffId).execute()
  await tx.updateTable('session').set({ must_enrol: false }).where('staff_id', '=', staffId).execute()
  await app.sessions.changed(tx, [staffId])
  return renewRecoveryCodes(tx, app, staffId)
}

/** New ones in the place of all there were: told this once, kept as digests. */
export async function renewRecoveryCodes(tx: Tx, { env }: Keys, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => grouped(2, 5))
  await tx.deleteFrom('recovery_code').where('staff_id', '=', staffId).execute()
  await tx
    .insertInto('recovery_code')
    .values(codes.map(code => ({ staff_id: staffId, digest: keyedDigest(env, recoveryOf(staffId), plainCode(code)) })))
    .execute()
  return codes
}

/** From now on the password alone opens the door; what was begun is over, too. */
export async function dropFactor(tx: Tx, staffId: string): Promise<void> {
  await tx.deleteFrom('second_factor').where('staff_id', '=', staffId).execute()
  await tx.deleteFrom('second_factor_begun').where('staff_id', '=', staffId).execute()
  await tx.updateTable('staff').set({ has_factor: false }).where('id', '=', staffId).execute()
}

/** What the roles of somebody are called that ask for a second factor. */
export async function rolesDemandingFactor(query: Database['query'] | Tx, staffId: string): Promise<string[]> {
  const roles = await query
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .select('r.name')
    .where('sr.staff_id', '=', staffId)
    .where('r.second_factor', '=', 'REQUIRED')
    .orderBy('r.id')
    .execute()
  return roles.map(({ name }) => name)
}

/** Whether a session opens nothing but the setting up. */
export async function isToEnrol(query: Database['query'], sessionId: string): Promise<boolean> {
  const session = await query
    .selectFrom('session')
    .select('must_enrol')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return session.must_enrol
}

type Passed = { readonly id: string; readonly hash: string }

/** Says that somebody's password was right, for five minutes and the second step alone: it is no session. */
export const ticketOf = ({ env }: Keys, { id, hash }: Passed, now: Date): string =>
  sealText(env, TICKET, `${now.getTime() + TICKET_MS} ${id} ${passwordMark({ env }, hash)}`)

/** Whose ticket it is, and by which password it was got; nothing for any other text, and for one whose time is over. */
export function readTicket({ env }: Keys, ticket: string, now: Date) {
  const [expires, staffId = '', mark] = unsealText(env, TICKET, ticket)?.split(' ') ?? []
  if (!(Number(expires) > now.getTime())) return undefined
  // Worth nothing once the password it was given for is another.
  return { staffId, isBy: (hash: string) => mark === passwordMark({ env }, hash) }
}

const passwordMark = ({ env }: Keys, hash: string): string =>
  keyedDigest(env, 'password-mark', hash).toString('base64url')
