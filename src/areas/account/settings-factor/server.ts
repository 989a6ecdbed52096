import * as z from 'zod'
import { squaresOf } from '#engines/copybook/code.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { ASKS_ALL_FOR_FACTOR } from '#kit/server/access/session.ts'
import type { App } from '#kit/server/app.ts'
import {
  beginFactor,
  confirmFactor,
  dropFactor,
  renewRecoveryCodes,
  rolesDemandingFactor,
  standingOf,
} from '#kit/server/auth/factor.ts'
import { requireOwnPassword } from '#kit/server/auth/login.ts'
import { judgedOwnCode, FACTOR_PAGE as NAME, requireOwnCode } from '#kit/server/auth/second-step.ts'
import type { Call } from '#kit/server/call.ts'
import { record } from '#kit/server/change/audit.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { beginBody, begunFactor, confirmation, type FactorState, factorState, proof, recoveryCodes } from './model.ts'

const own = { access: 'session', texts: NAME } as const

export const routes: Routes = app => [
  route({
    ...own,
    method: 'GET',
    path: `/${NAME}`,
    answer: factorState,
    summary: "How the caller's second factor stands.",
    handle: call => stateOf(app, app.db.query, call.actor.id),
  }),
  route({
    ...own,
    method: 'POST',
    path: `/${NAME}/begin`,
    body: beginBody,
    answer: begunFactor,
    summary: 'Tells a new secret, this once; it is in force when a code of it has come back.',
    async handle(call, { body }) {
      const who = { ...call.actor, sessionId: call.sessionId }
      const standing = await standingOf(app, app.db.query, who, call.now)
      if (!standing?.isFreshToEnrol) await requireProof(app, call, body)
      const begun = standing && (await operate(app, call, ({ tx, now }) => beginFactor(tx, app, who, standing, now)))
      if (!begun) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
      return { ...begun, squares: squaresOf(begun.uri) }
    },
  }),
  route({
    ...own,
    method: 'POST',
    path: `/${NAME}/confirm`,
    body: confirmation,
    answer: recoveryCodes,
    summary: 'Puts the secret in force by a code of it, and tells the recovery codes, this once.',
    async handle(call, { body }) {
      const { sessionId } = call
      const confirm = async ({ tx, actor: { id }, now }: Operation) => {
        const confirmed = await confirmFactor(tx, app, { id, sessionId }, body.code, now)
        if (confirmed === 'wrong') return undefined
        if (confirmed === 'over') throw new Refused(refuse('begun-over'))
        await record(tx, call, { page: NAME, action: 'enable', recordId: id })
        return confirmed
      }
      const refusal = refuse('code-wrong')
      return { codes: await judgedOwnCode(app, call, refusal, () => operate(app, call, confirm)) }
    },
  }),
  route({
    ...own,
    method: 'POST',
    path: `/${NAME}/codes`,
    body: proof,
    answer: recoveryCodes,
    summary: 'Makes new recovery codes in the place of all there were, and tells them, this once.',
    async handle(call, { body }) {
      await requireProof(app, call, body)
      const codes = await operate(app, call, async ({ tx, actor }) => {
        await record(tx, call, { page: NAME, action: 'update', recordId: actor.id })
        return renewRecoveryCodes(tx, app, actor.id)
      })
      return { codes }
    },
  }),
  route({
    ...own,
    method: 'POST',
    path: `/${NAME}/off`,
    body: proof,
    answer: z.null(),
    summary: 'From now on the password alone is asked for, unless a role asks for more.',
    async handle(call, { body }) {
      await requireNotDemanded(app, app.db.query, call.actor.id)
      await requireProof(app, call, body)
      await operate(app, call, async ({ tx, actor, now }) => {
        // Held from here on: a role that asks for it is given before, and seen now, or after, and finds it switched off.
        await standingOf(app, tx, { id: actor.id, sessionId: call.sessionId }, now)
        await requireNotDemanded(app, tx, actor.id)
        await dropFactor(tx, actor.id)
        await record(tx, call, { page: NAME, action: 'disable', recordId: actor.id })
      })
      return null
    },
  }),
]

type Reader = App['db']['query'] | Operation['tx']

async function stateOf({ env }: App, query: Reader, staffId: string): Promise<FactorState> {
  const kept = await query
    .selectFrom('second_factor')
    .select(['since', 'codes_void_at'])
    .where('staff_id', '=', staffId)
    .executeTakeFirst()
  const left = await query
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('staff_id', '=', staffId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    since: kept?.since ?? null,
    codesLeft: Number(left.n),
    codesVoidAt: kept?.codes_void_at ?? null,
    demandedBy: await rolesDemandingFactor(query, staffId),
    isAskedOfAll: ASKS_ALL_FOR_FACTOR[env.SECURITY_PROFILE],
  }
}

/** The password, and of whoever has a second factor a code of it: a session left open at the desk changes nothing. */
async function requireProof(app: App, call: Call<'session'>, given: z.infer<typeof beginBody>): Promise<void> {
  const { since } = await stateOf(app, app.db.query, call.actor.id)
  const missing = refuse('not-proven')
  if (given.password === undefined) throw onField('password', missing)
  if (since !== null && given.code === undefined) throw onField('code', missing)
  await requireOwnPassword(app, call, given.password, 'password')
  if (since !== null && given.code !== undefined) await requireOwnCode(app, call, given.code)
}

async function requireNotDemanded(app: App, query: Reader, staffId: string): Promise<void> {
  const { since, demandedBy, isAskedOfAll } = await stateOf(app, query, staffId)
  if (since === null) throw new Refused(refuse('is-off'))
  if (isAskedOfAll) throw new Refused(refuse('is-asked-of-all'))
  if (demandedBy.length > 0) throw new Refused(refuse('is-demanded', { roles: demandedBy.join(', ') }))
}

export const invariants: readonly Invariant[] = [
  {
    name: 'an account says whether it has a second factor',
    query: `
      select p.id from staff p
      where p.has_factor <> exists (select from second_factor f where f.staff_id = p.id)`,
  },
  {
    name: 'a second factor has the recovery codes it was set up with',
    query: `
      select f.staff_id from second_factor f
      where (select count(*) from recovery_code c where c.staff_id = f.staff_id) <> 10`,
  },
]
