import * as z from 'zod'
import { hire } from '#areas/organisation/staff/hire.server.ts'
import { keepPositions } from '#areas/organisation/staff/spans.server.ts'
import { phoneOf } from '#areas/organisation/staff/taking-in.server.ts'
import { send, ships } from '#engines/message/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { disableStaff, enableStaff, endSessionsOf } from '#kit/server/auth/access.ts'
import { dropFactor } from '#kit/server/auth/factor.ts'
import { unlockAccount } from '#kit/server/auth/login.ts'
import { makeOneTimePassword } from '#kit/server/auth/one-time.ts'
import { resetPassword } from '#kit/server/auth/reset.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { type Constraints, type Operation, operate } from '#kit/server/change/operation.ts'
import { lockRow, writeChange } from '#kit/server/change/step.ts'
import { idParams, type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { adminsIn } from './admins.server.ts'
import { givable } from './deciding.model.ts'
import { factorReset } from './factor-reset.model.ts'
import { giveRoles, offeredRoles, requireNoLift } from './giving.server.ts'
import { newUser, offeredRole, oneTime, resetBody, resource, type User, workflow } from './model.ts'
import { endOneRoute, openSessionsOf } from './sessions.server.ts'

const { name: NAME, key: PAGE } = resource.screen

const served = serve(resource, {
  workflow,
  async facts(db, rows) {
    const admins = await adminsIn(db)
    return new Map(rows.map(({ id }) => [id, admins]))
  },
  effects: {
    unlock: (op, { account }) => unlockAccount(op.tx, account),
    enable: (op, { id }) => enableStaff(op.tx, op.app, id),
    assignRoles: (op, row, { roleIds }) => giveRoles(op, row, roleIds),
    resetFactor,
    forceLogout: (op, { id }) => endSessionsOf(op.tx, op.app.sessions, id, 'FORCED'),
    disable: (op, { id }) => disableStaff(op.tx, op.app, id),
  },
  detail: async (app, { id }) => ({ roles: await rolesOf(app, id), sessions: await openSessionsOf(app, id) }),
})

export const routes: Routes = app => [
  ...served(app),
  createRoute(app),
  resetRoute(app),
  rolesRoute(app),
  endOneRoute(app),
]

/** Signing in falls back to the password: whoever resets could not gain by that, sessions end, and the person is told. */
async function resetFactor(op: Operation, row: User): Promise<Partial<User>> {
  await requireNoLift(op, row)
  await dropFactor(op.tx, row.id)
  await endSessionsOf(op.tx, op.app.sessions, row.id, 'FORCED')
  await send(op, factorReset, {
    to: { staffId: row.id, address: null },
    values: { by: op.actor.name, at: op.now },
    about: `factor-reset:${row.id}:${op.now.getTime()}`,
  })
  return { hasFactor: false }
}

export const listeners = [ships(factorReset)]

const rolesOf = (app: App, staffId: string) =>
  app.db.query
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .select(['r.id', 'r.code', 'r.name', 'r.scope'])
    .where('sr.staff_id', '=', staffId)
    .orderBy('r.id')
    .execute()

/** Chosen while it was still there, and removed before it was stored. */
const GONE: Constraints = {
  staff_org_id_fkey: { code: 'kit:not-to-choose', field: 'orgId' },
  staff_position_position_id_fkey: { code: 'kit:not-to-choose', field: 'positionId' },
}

/** Without a key of its own: its answer must not be kept anywhere, and of two that are sent one finds the account taken. */
const createRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${NAME}`,
    texts: NAME,
    access: { page: PAGE, action: 'create' },
    body: newUser,
    answer: oneTime,
    summary:
      'Gives somebody an account, a primary position and roles; the password is told once, and opens nothing but the change of it.',
    async handle(call, { body }) {
      const { password, hash } = await makeOneTimePassword()
      const { roleIds, positionId, ...entered } = body
      const person = { ...entered, ...phoneOf(entered) }
      const account = person.account.toLowerCase()
      const make = async (op: Operation) => {
        await requireOffered(op, { page: PAGE, shape: newUser.shape }, body)
        const { id: made } = await hire(op, { ...person, account }, { hash })
        await keepPositions(op.tx, made, [{ positionId, isPrimary: true }], op.now)
        const given = await giveRoles(op, { id: made, orgId: person.orgId }, roleIds)
        const diff = diffOf(resource, {}, { ...person, account, positionId, ...given })
        await record(op.tx, call, { page: PAGE, action: 'create', recordId: made, diff })
        return made
      }
      const id = await operate(app, call, make, GONE)
      app.counts.drop(resource.table)
      return { id, account, name: person.name, password }
    },
  })

const resetRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${NAME}/:id/resetPassword`,
    texts: NAME,
    access: { page: PAGE, action: 'resetPassword' },
    params: idParams,
    body: resetBody,
    answer: oneTime,
    summary: 'Puts a made-up password in the place of the own one, and ends all sessions; it is told once.',
    async handle(call, { params: { id }, body: { reason } }) {
      const { password, hash } = await makeOneTimePassword()
      const { account, name } = await operate(app, call, async op => {
        const row = await lockRow(op, resource, id)
        const refusal = givable(row, op.actor, await adminsIn(op.tx))
        if (refusal) throw new Refused(refusal)
        await requireNoLift(op, row)
        if (row.status === 'DISABLED') throw new Refused(refuse('reset-disabled'))
        await resetPassword(op.tx, app, id, { hash, now: op.now })
        await writeChange(op, resource, row, { mustChange: true }, 'resetPassword', { reason })
        return row
      })
      app.counts.drop(resource.table)
      return { id, account, name, password }
    },
  })

const rolesRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${NAME}/roles`,
    texts: NAME,
    access: { page: PAGE, action: 'list' },
    answer: z.array(offeredRole),
    summary: 'The roles there are, and why the caller may not give some of them.',
    handle: ({ actor, language }) => offeredRoles(app, actor, language),
  })

export const invariants: readonly Invariant[] = [
  {
    name: 'an account lists the roles it holds',
    query: `
      select p.id from staff p where p.role_ids is distinct from (
        select coalesce(jsonb_agg(sr.role_id::text order by sr.role_id), '[]') from staff_role sr where sr.staff_id = p.id)`,
  },
  {
    name: 'an account counts its open sessions',
    query: `
      select p.id from staff p
      where p.open_sessions <> (select count(*) from session s where s.staff_id = p.id and s.ended_at is null)`,
  },
]
