import * as z from 'zod'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { attemptBehind, type Door } from '../access/doors.ts'
import { type Gate, lockedUntil, release, requireAttempt, shutOut } from '../access/gate.ts'
import { hashing, hashPassword, isOutdated, judgePassword } from '../access/hash.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Schema } from '../database/schema.gen.ts'
import { type Route, route } from '../http/route.ts'
import { isAccount } from './admin.ts'
import { isCaptchaRight } from './captcha.ts'
import { rolesDemandingFactor, ticketOf } from './factor.ts'

const QUARTER_MS = 900_000
const PER_ACCOUNT: Gate = { kind: 'login', limit: 5, windowMs: QUARTER_MS, lockMs: QUARTER_MS }
const PER_KNOWN_ADDRESS: Gate = { ...PER_ACCOUNT, kind: 'login-known' }
const PER_ADDRESS: Gate = { kind: 'login-address', limit: 50, windowMs: QUARTER_MS, lockMs: QUARTER_MS }
/** Wrong pictures cost no hashing, but each writes a line: a script must not fill the trace. */
const WRONG_CAPTCHAS: Gate = { kind: 'login-captcha', limit: 100, windowMs: QUARTER_MS }
const KNOWN_ADDRESS_MS = 30 * 86_400_000

type Result = Schema['login_trace']['result']
export type Attempt = {
  readonly account: string
  readonly call: Pick<Call, 'address' | 'device' | 'now' | 'requestId'>
  readonly person: Person | undefined
}
export type Person = {
  readonly id: string
  readonly account: string
  readonly hash: string
  readonly enabled: boolean
  readonly hasFactor: boolean
  readonly knownHere: boolean
}

/** Spec §7: data is the token. A failure says isLogin, so that the console does not take it for an expired session. */
export const loginRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    texts: 'kit/server/auth',
    query: z.strictObject({ verKey: z.string().max(100).default('') }),
    body: z.strictObject({
      username: z.string().trim().min(1).max(50),
      password: z.string().min(1).max(512),
      captcha: z.string().max(50).default(''),
    }),
    answer: z.string(),
    summary:
      'Signs in: the answer is the token for the authtoken header, good for seven days; or a ticket for the second step.',
    async handle(call, { query, body }) {
      const account = accountOf(body.username)
      if (!(await isCaptchaRight(app, query.verKey, body.captcha, call.now)))
        return refuseCaptcha(app, { account, call, person: undefined })
      const person = await findPerson(app.db, 'p.account', account, call)
      const attempt = { account, call, person }
      if (!(await isRight(app, attempt, body.password)) || !person) return refuseCredentials(app, attempt)
      if (!person.enabled) {
        await trace(app.db.query, attempt, 'DISABLED')
        throw new Refused(refuse('account-disabled'))
      }
      const known = { ...person, hash: await keptHash(app.db, person, body.password) }
      if (person.hasFactor) return askSecondStep(app, attempt, known)
      return (await openSession(app, attempt, known)) ?? refuseCredentials(app, attempt)
    },
  })

/** Accounts are one whatever the case or the width of the letters: a limit per account must not have side doors. */
export const accountOf = (typed: string): string => typed.normalize('NFKC').trim().toLowerCase()

export async function findPerson(
  db: Database,
  by: 'p.account' | 'p.id',
  value: string,
  { address, now }: Pick<Call, 'address' | 'now'>,
): Promise<Person | undefined> {
  const since = new Date(now.getTime() - KNOWN_ADDRESS_MS)
  const row = await db.query
    .selectFrom('staff as p')
    .select(['p.id', 'p.account', 'p.password_hash', 'p.status', 'p.has_factor'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('login_trace as t')
            .select('t.id')
            .whereRef('t.staff_id', '=', 'p.id')
            .where('t.address', '=', address)
            .where('t.result', '=', 'SUCCESS')
            .where('t.at', '>', since.toISOString()),
        )
        .as('known_here'),
    )
    .where(by, '=', value)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      account: row.account,
      hash: row.password_hash,
      enabled: row.status === 'ENABLED',
      hasFactor: row.has_factor,
      knownHere: Boolean(row.known_here),
    }
  )
}

/**
 * A stranger who guesses must not shut out the owner: an address the person signed in from lately has attempts of its own.
 * For every other address together there are five.
 */
const gateOf = (account: string, person: Person | undefined, address: string): [Gate, string] =>
  person?.knownHere ? [PER_KNOWN_ADDRESS, `${account} ${address}`] : [PER_ACCOUNT, account]

const LOCKED = 'kit/server/auth:account-locked'

export const doorsOf = ({ account, call, person }: Attempt): Door[] => {
  const [gate, subject] = gateOf(account, person, call.address)
  return [
    { gate: PER_ADDRESS, subject: call.address, text: 'kit:too-many' },
    { gate, subject, text: LOCKED },
  ]
}

/** Judges a password behind these doors. */
async function isPasswordRight(
  app: App,
  doors: readonly Door[],
  now: Date,
  password: string,
  hash: string | undefined,
) {
  const { query } = app.db
  // Who is shut out does not stand in line with those who are not.
  for (const { gate, subject, text } of hashing.waiting > 0 ? doors : []) {
    const until = await lockedUntil(query, gate, subject, now)
    if (until) throw shutOut(until, now, text)
  }
  return judgePassword(password, hash, attemptBehind(query, doors, now))
}

const isRight = (app: App, attempt: Attempt, password: string): Promise<boolean> =>
  tracingLocks(app, attempt, () =>
    isPasswordRight(app, doorsOf(attempt), attempt.call.now, password, attempt.person?.hash),
  )

/** Whoever finds the door shut is told so, and it stands in the trace. */
export async function tracingLocks<T>(app: App, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused && error.kind === 'too-many') await trace(app.db.query, attempt, 'LOCKED')
    throw error
  }
}

async function refuseCaptcha(app: App, attempt: Attempt): Promise<never> {
  await requireAttempt(app.db.query, WRONG_CAPTCHAS, attempt.call.address, attempt.call.now)
  await trace(app.db.query, attempt, 'CAPTCHA')
  const refusal = refuse('captcha-wrong')
  throw onField('captcha', refusal)
}

/** One text for a wrong name and a wrong password. */
async function refuseCredentials(app: App, attempt: Attempt): Promise<never> {
  await trace(app.db.query, attempt, 'CREDENTIALS')
  throw new Refused(refuse('credentials-wrong'))
}

/** The password was right, and is half of what is asked. */
async function askSecondStep(app: App, attempt: Attempt, person: Person): Promise<never> {
  await trace(app.db.query, attempt, 'SECOND_STEP')
  const detail = { ticket: ticketOf(app, person, attempt.call.now) }
  throw new Refused(refuse('second-step-asked'), 'second-step', { detail })
}

/** The hash as it is stored from now on: made anew where hashing has become costlier since. */
async function keptHash(db: Database, { id, hash }: Person, password: string): Promise<string> {
  if (!isOutdated(hash)) return hash
  const renewed = await hashPassword(password)
  const { numUpdatedRows } = await db.query
    .updateTable('staff')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? renewed : hash
}

/**
 * Gives the token; nothing when the password, the state or the second factor changed while it was being looked at, or what
 * else is to be proven is not. Whose role asks for a second factor, and who has none, can do nothing but set it up.
 */
export async function openSession(
  app: App,
  attempt: Attempt,
  person: Person,
  isProven: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<string | undefined> {
  const { account, call } = attempt
  return app.db.write(async tx => {
    const still = await tx
      .selectFrom('staff')
      .select('id')
      .where('id', '=', person.id)
      .where('password_hash', '=', person.hash)
      .where('status', '=', 'ENABLED')
      .where('has_factor', '=', person.hasFactor)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!still || !(await isProven(tx))) return undefined
    const mustEnrol = !person.hasFactor && (await rolesDemandingFactor(tx, person.id)).length > 0
    const { sessionId, token } = await app.sessions.open(tx, person.id, { ...call, mustEnrol })
    await release(tx, ...gateOf(account, person, call.address))
    await trace(tx, attempt, 'SUCCESS', sessionId)
    return token
  })
}

/** No account is called so: it may be somebody's password, typed into the wrong field, or a number. */
const maskedAccount = (typed: string): string => `${[...typed][0] ?? ''}***`

export async function trace(
  where: Tx | Database['query'],
  { account, call, person }: Attempt,
  result: Result,
  sessionId?: string,
): Promise<void> {
  await where
    .insertInto('login_trace')
    .values({
      at: call.now,
      staff_id: person?.id ?? null,
      account: person || isAccount(account) ? account.slice(0, 50) : maskedAccount(account),
      address: call.address,
      device: call.device.slice(0, 200),
      result,
      session_id: sessionId ?? null,
    })
    .execute()
}

/** What the caller's own attempts run into while signed in. */
export async function ownDoor(
  app: App,
  call: Call<'session'>,
): Promise<Door & { readonly person: Person | undefined }> {
  const { account } = call.actor
  const person = await findPerson(app.db, 'p.account', account, call)
  const [gate, subject] = gateOf(account, person, call.address)
  return { gate, subject, text: LOCKED, person }
}

/** For whoever is signed in and must show the password again: the same gate, so that a stolen session is no side door. */
export async function requireOwnPassword(
  app: App,
  call: Call<'session'>,
  password: string,
  field = 'oldPassword',
): Promise<{ hash: string }> {
  const { person, ...door } = await ownDoor(app, call)
  if (!(await isPasswordRight(app, [door], call.now, password, person?.hash)) || !person) {
    const refusal = refuse('kit/server/auth:old-password-wrong')
    throw onField(field, refusal)
  }
  // Of whoever has a second factor the password is half: it must not wipe out the wrong codes counted at the same gate.
  if (!person.hasFactor) await release(app.db.query, door.gate, door.subject)
  return { hash: person.hash }
}

/** Opens an account again before its quarter of an hour is over. */
export async function unlockAccount(tx: Tx, account: string): Promise<void> {
  await release(tx, PER_ACCOUNT, account)
  await tx
    .deleteFrom('attempt_gate')
    .where('kind', '=', PER_KNOWN_ADDRESS.kind)
    .where(eb => eb.fn('starts_with', ['subject', eb.val(`${account} `)]))
    .execute()
}
