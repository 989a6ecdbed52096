import * as z from 'zod'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { attemptBehind, type Door, judgedBehind } from '../access/doors.ts'
import { release } from '../access/gate.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { type Route, route } from '../http/route.ts'
import { readTicket, takeCode } from './factor.ts'
import { type Attempt, doorsOf, findPerson, openSession, ownDoor, type Person, trace, tracingLocks } from './login.ts'

/** The page whose log tells of somebody's second factor. */
export const FACTOR_PAGE = 'account/settings-factor'

/** Spec §7 names the path only: the second step of signing in, after `/auth/login` has given a ticket for it. */
export const secondStepRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: '/auth/2step-code',
    access: 'public',
    texts: 'kit/server/auth',
    body: z.strictObject({ ticket: z.string().min(1).max(500), code: z.string().trim().min(1).max(50) }),
    answer: z.string(),
    summary: 'The second step of signing in, by a code or a recovery code: the answer is the token.',
    async handle(call, { body }) {
      const ticket = readTicket(app, body.ticket, call.now)
      const person = ticket && (await findPerson(app.db, 'p.id', ticket.staffId, call))
      if (!person?.enabled || !ticket?.isBy(person.hash)) throw new Refused(refuse('ticket-over'))
      const attempt = { account: person.account, call, person }
      const token = await tracingLocks(app, attempt, () => tokenFor(app, attempt, person, body.code))
      if (token !== undefined) return token
      await trace(app.db.query, attempt, 'CODE')
      const refusal = refuse('code-wrong')
      throw onField('code', refusal)
    },
  })

const tokenFor = (app: App, attempt: Attempt, person: Person, code: string): Promise<string | undefined> =>
  judgedBehind(attemptBehind(app.db.query, doorsOf(attempt), attempt.call.now), () =>
    openSession(app, attempt, person, async tx => {
      const used = await takeCode(tx, app, person.id, code, attempt.call.now)
      const actor = used === 'RECOVERY' && (await app.sessions.actor(person.id))
      if (actor)
        await record(tx, { ...attempt.call, actor }, { page: FACTOR_PAGE, action: 'recover', recordId: person.id })
      return used !== undefined
    }),
  )

/** For whoever is signed in and must show a code again. With the password shown before it, that is all: the gate is free. */
export async function requireOwnCode(app: App, call: Call<'session'>, code: string): Promise<void> {
  const refusal = refuse('kit/server/auth:code-wrong')
  await judgedOwnCode(app, call, refusal, ({ gate, subject }) =>
    app.db.write(async tx => {
      const used = await takeCode(tx, app, call.actor.id, code, call.now)
      if (used !== undefined) await release(tx, gate, subject)
      return used
    }),
  )
}

/** Judges a code of whoever is signed in, at the gate of the password, so that a stolen session is no side door. */
export async function judgedOwnCode<T>(
  app: App,
  call: Call<'session'>,
  refusal: Refusal,
  judge: (door: Door) => Promise<T | undefined>,
): Promise<T> {
  const { person, ...door } = await ownDoor(app, call)
  const attempt = { account: call.actor.account, call, person }
  const found = await tracingLocks(app, attempt, () =>
    judgedBehind(attemptBehind(app.db.query, [door], call.now), () => judge(door)),
  )
  if (found !== undefined) return found
  await trace(app.db.query, attempt, 'CODE')
  throw onField('code', refusal)
}
