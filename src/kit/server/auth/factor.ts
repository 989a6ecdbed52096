import { randomBytes } from 'node:crypto'
import { keyedDigest, seal, sealText, unseal, unsealText } from '../access/seal.ts'
import { isToEnrol } from '../access/session.ts'
import { base32, isTotp, keyUri, SECRET_BYTES, stepOfCode } from '../access/totp.ts'
import type { App } from '../app.ts'
import type { Database, Tx } from '../database/database.ts'
import { grouped } from './one-time.ts'

type Keys = Pick<App, 'env'>

/** What the app on somebody's telephone calls this console. */
const ISSUER = 'Inkstone'
const BEGUN_MS = 900_000
const TICKET_MS = 300_000
const RECOVERY_CODES = 10

const secretOf = (staffId: string) => `second-factor:${staffId}`
const recoveryOf = (staffId: string) => `recovery-code:${staffId}`
const TICKET = 'second-step'

/** However it was typed or pasted: case, width, blanks and the dash tell nothing. */
const plainCode = (typed: string): string => typed.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '')

type UsedCode = 'CODE' | 'RECOVERY'

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

/** Who sets it up, and in which session. */
type Enrolling = { readonly id: string; readonly account: string; readonly sessionId: string }

/** Whether a second factor is in force, and whether the session opens nothing but the setting up, for which it was just opened. */
export type Standing = { readonly hasFactor: boolean; readonly isFreshToEnrol: boolean }

/** How somebody stands; nothing where the session has ended. In a transaction it stays so until that is over. */
export async function standingOf(
  { env }: Keys,
  where: Database['query'] | Tx,
  { id, sessionId }: Pick<Enrolling, 'id' | 'sessionId'>,
  now: Date,
): Promise<Standing | undefined> {
  const reading = where
    .selectFrom('staff as p')
    .innerJoin('session as s', 's.staff_id', 'p.id')
    .select(['p.has_factor', 's.created_at', isToEnrol(env.SECURITY_PROFILE).as('must_enrol')])
    .where('p.id', '=', id)
    .where('s.id', '=', sessionId)
    .where('s.ended_at', 'is', null)
  const row = await (where.isTransaction ? reading.forUpdate() : reading).executeTakeFirst()
  // One that was open before more was asked for may be in other hands: there the password is asked for.
  const isFresh = row !== undefined && now.getTime() - Date.parse(row.created_at) < BEGUN_MS
  return row && { hasFactor: row.has_factor, isFreshToEnrol: row.must_enrol && !row.has_factor && isFresh }
}

/**
 * Makes a secret up and tells it, this once. It counts for nothing before a code of it has come back in the same session;
 * nothing when the person no longer stands as when the proof was judged.
 */
export async function beginFactor(
  tx: Tx,
  { env }: Keys,
  { id, account, sessionId }: Enrolling,
  judged: Standing,
  now: Date,
): Promise<{ secret: string; uri: string } | undefined> {
  const still = await standingOf({ env }, tx, { id, sessionId }, now)
  if (still?.hasFactor !== judged.hasFactor || still.isFreshToEnrol !== judged.isFreshToEnrol) return undefined
  const secret = randomBytes(SECRET_BYTES)
  const begun = {
    secret: seal(env, secretOf(id), secret),
    expires_at: new Date(now.getTime() + BEGUN_MS),
    session_id: sessionId,
  }
  await tx
    .insertInto('second_factor_begun')
    .values({ staff_id: id, ...begun })
    .onConflict(conflict => conflict.column('staff_id').doUpdateSet(begun))
    .execute()
  return { secret: base32(secret), uri: keyUri(ISSUER, account, secret) }
}

/**
 * Puts what the session began in force, if the code is of it, ends every other session and gives the recovery codes; 'over'
 * when nothing is begun any more.
 */
export async function confirmFactor(
  tx: Tx,
  app: Pick<App, 'env' | 'sessions'>,
  { id: staffId, sessionId }: Pick<Enrolling, 'id' | 'sessionId'>,
  typed: string,
  now: Date,
): Promise<string[] | 'over' | 'wrong'> {
  if (!(await standingOf(app, tx, { id: staffId, sessionId }, now))) return 'over'
  const begun = await tx
    .selectFrom('second_factor_begun')
    .select(['secret', 'expires_at'])
    .where('staff_id', '=', staffId)
    .where('session_id', '=', sessionId)
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
  await tx.updateTable('session').set({ must_enrol: false }).where('id', '=', sessionId).execute()
  // They were opened by less than is asked for from now on.
  await app.sessions.endAllOf(tx, staffId, 'FORCED', sessionId)
  await app.sessions.changed(tx, [staffId])
  return renewRecoveryCodes(tx, app, staffId)
}

/** New ones in the place of all there were: told this once, kept as digests. */
export async function renewRecoveryCodes(tx: Tx, { env }: Keys, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => grouped(2, 5))
  await tx.deleteFrom('recovery_code').where('staff_id', '=', staffId).execute()
  await tx.updateTable('second_factor').set({ codes_void_at: null }).where('staff_id', '=', staffId).execute()
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

/** Whoever of these has no second factor can do nothing but set it up, also where he is signed in already. */
export async function demandFactor(tx: Tx, staffIds: readonly string[]): Promise<void> {
  if (staffIds.length === 0) return
  // Who is just signing in, setting it up or switching it off comes before or after, never between: all are held, whatever they have.
  const held = await tx
    .selectFrom('staff')
    .select(['id', 'has_factor'])
    .where('id', 'in', [...staffIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const without = held.flatMap(({ id, has_factor }) => (has_factor ? [] : [id]))
  if (without.length === 0) return
  await tx
    .updateTable('session')
    .set({ must_enrol: true })
    .where('staff_id', 'in', without)
    .where('ended_at', 'is', null)
    .execute()
}

/** Whoever of these holds no role any more that asks for it goes on where he is signed in, without setting it up. */
export async function liftDemand(tx: Tx, staffIds: readonly string[]): Promise<void> {
  if (staffIds.length === 0) return
  await tx
    .updateTable('session')
    .set({ must_enrol: false })
    .where('staff_id', 'in', [...staffIds])
    .where('must_enrol', '=', true)
    .where('ended_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('staff_role as sr')
            .innerJoin('role as r', 'r.id', 'sr.role_id')
            .select('r.id')
            .whereRef('sr.staff_id', '=', 'session.staff_id')
            .where('r.second_factor', '=', 'REQUIRED'),
        ),
      ),
    )
    .execute()
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
