import * as z from 'zod'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import {
  countWrong,
  type Gate,
  giveBack,
  lockedUntil,
  release,
  requireAttempt,
  reserve,
  shutOut,
} from '../access/gate.ts'
import { hashing, hashPassword, isOutdated, judgePassword } from '../access/hash.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Schema } from '../database/schema.gen.ts'
import { type Route, route } from '../http/route.ts'
import { isCaptchaRight } from './captcha.ts'

const QUARTER_MS = 900_000
const PER_ACCOUNT: Gate = { kind: 'login', limit: 5, windowMs: QUARTER_MS, lockMs: QUARTER_MS }
const PER_KNOWN_ADDRESS: Gate = { ...PER_ACCOUNT, kind: 'login-known' }
const PER_ADDRESS: Gate = { kind: 'login-address', limit: 50, windowMs: QUARTER_MS, lockMs: QUARTER_MS }
/** Wrong pictures cost no hashing, but each writes a line: a script must not fill the trace. */
const WRONG_CAPTCHAS: Gate = { kind: 'login-captcha', limit: 100, windowMs: QUARTER_MS }
const KNOWN_ADDRESS_MS = 30 * 86_400_000

type Result = Schema['login_trace']['result']
type Attempt = { readonly account: string; readonly call: Call<'public'>; readonly person: Person | undefined }
type Person = { readonly id: string; readonly hash: string; readonly enabled: boolean; readonly knownHere: boolean }

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
    summary: 'Signs in: the answer is the token for the authtoken header, good for seven days.',
    async handle(call, { query, body }) {
      const account = accountOf(body.username)
      if (!(await isCaptchaRight(app, query.verKey, body.captcha, call.now)))
        return refuseCaptcha(app, { account, call, person: undefined })
      const person = await findPerson(app.db, account, call.address, call.now)
      const attempt = { account, call, person }
      if (!(await isRight(app, attempt, body.password)) || !person) return refuseCredentials(app, attempt)
      if (!person.enabled) {
        await trace(app.db.query, attempt, 'DISABLED')
        throw new Refused(refuse('account-disabled'))
      }
      return (await openSession(app, attempt, person, body.password)) ?? refuseCredentials(app, attempt)
    },
  })

/** Accounts are one whatever the case or the width of the letters: a limit per account must not have side doors. */
export const accountOf = (typed: string): string => typed.normalize('NFKC').trim().toLowerCase()

async function findPerson(db: Database, account: string, address: string, now: Date): Promise<Person | undefined> {
  const since = new Date(now.getTime() - KNOWN_ADDRESS_MS)
  const row = await db.query
    .selectFrom('staff as p')
    .select(['p.id', 'p.password_hash', 'p.status'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('login_trace as t')
            .select('t.id')
            .whereRef('t.staff_id', '=', 'p.id')
            .where('t.address', '=', address)
            .where('t.result', '=', 'SUCCESS')
            .where('t.at', '>', since as never),
        )
        .as('known_here'),
    )
    .where('p.account', '=', account)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      hash: row.password_hash,
      enabled: row.status === 'ENABLED',
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

type Door = { readonly gate: Gate; readonly subject: string; readonly text: string }

const doorsOf = ({ account, call, person }: Attempt): Door[] => {
  const [gate, subject] = gateOf(account, person, call.address)
  return [
    { gate: PER_ADDRESS, subject: call.address, text: 'kit:too-many' },
    { gate, subject, text: 'kit/server/auth:account-locked' },
  ]
}

/**
 * Judges a password behind these doors. Each door's attempt is reserved before the password is looked at, so that parallel
 * guesses and a right one during a lock all stop here; it counts when the password was wrong and is given back otherwise.
 */
async function judgedBehind(app: App, doors: readonly Door[], now: Date, password: string, hash: string | undefined) {
  const { query } = app.db
  // Who is shut out does not stand in line with those who are not.
  for (const { gate, subject, text } of hashing.waiting > 0 ? doors : []) {
    const until = await lockedUntil(query, gate, subject, now)
    if (until) throw shutOut(until, now, text)
  }
  const passed: Door[] = []
  return judgePassword(password, hash, {
    async before() {
      for (const door of doors) {
        const until = await reserve(query, door.gate, door.subject, now)
        if (until !== undefined) throw until === 'busy' ? inLine() : shutOut(until, now, door.text)
        passed.push(door)
      }
    },
    async after(right) {
      const settle = ({ gate, subject }: Door) =>
        right === false ? countWrong(query, gate, subject, now) : giveBack(query, gate, subject)
      await Promise.all(passed.map(settle))
    },
  })
}

const inLine = () => new Refused(refuse('kit/server/auth:busy'), 'too-many', { retrySeconds: 1 })

async function isRight(app: App, attempt: Attempt, password: string): Promise<boolean> {
  try {
    return await judgedBehind(app, doorsOf(attempt), attempt.call.now, password, attempt.person?.hash)
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

/** Gives the token; nothing when the password or the state changed while it was being looked at. */
async function openSession(app: App, attempt: Attempt, person: Person, password: string): Promise<string | undefined> {
  const { account, call } = attempt
  const renewed = isOutdated(person.hash) ? await hashPassword(password) : undefined
  return app.db.write(async tx => {
    const still = await tx
      .selectFrom('staff')
      .select('id')
      .where('id', '=', person.id)
      .where('password_hash', '=', person.hash)
      .where('status', '=', 'ENABLED')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!still) return undefined
    if (renewed) await tx.updateTable('staff').set({ password_hash: renewed }).where('id', '=', person.id).execute()
    const { sessionId, token } = await app.sessions.open(tx, person.id, call)
    await release(tx, ...gateOf(account, person, call.address))
    await trace(tx, attempt, 'SUCCESS', sessionId)
    return token
  })
}

async function trace(
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
      account: account.slice(0, 50),
      address: call.address,
      device: call.device.slice(0, 200),
      result,
      session_id: sessionId ?? null,
    })
    .execute()
}

/** For whoever is signed in and must show the password again: the same gate, so that a stolen session is no side door. */
export async function requireOwnPassword(app: App, call: Call<'session'>, password: string): Promise<{ hash: string }> {
  const { account } = call.actor
  const person = await findPerson(app.db, account, call.address, call.now)
  const [gate, subject] = gateOf(account, person, call.address)
  const door = { gate, subject, text: 'kit/server/auth:account-locked' }
  if (!(await judgedBehind(app, [door], call.now, password, person?.hash)) || !person) {
    const refusal = refuse('kit/server/auth:old-password-wrong')
    throw onField('oldPassword', refusal)
  }
  await release(app.db.query, gate, subject)
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
