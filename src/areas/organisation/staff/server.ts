import { sql } from 'kysely'
import * as z from 'zod'
import { isOpen } from '#areas/organisation/department/closing.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { requireNotLifted } from '#kit/server/access/giving.ts'
import type { App } from '#kit/server/app.ts'
import { makeOneTimePassword } from '#kit/server/auth/one-time.ts'
import { announce } from '#kit/server/change/announce.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import { type Constraints, type Operation, operate } from '#kit/server/change/operation.ts'
import type { Row } from '#kit/server/database/database.ts'
import { idParams, type Route, type Routes, route } from '#kit/server/http/route.ts'
import { sees } from '#kit/server/list/sees.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { spellingOf } from '#kit/server/text/pinyin.ts'
import { belongingsOf, handoversOf, inWords, staffMoved } from './belongings.server.ts'
import { listeners as contactListeners, contactRoutes } from './chat-contacts.server.ts'
import { adminsIn, handOver, leave, invariants as leavingInvariants, rejoin } from './leaving.server.ts'
import { belonging, newStaff, oneTime, resource, type Staff, workflow } from './model.ts'
import { keepPositions, positionsOf, invariants as spanInvariants, spansOf } from './spans.server.ts'
import { staffImport } from './staff-import.server.ts'
import {
  phoneOf,
  requireManagerHere,
  requireNotDrawnIn,
  requirePositions,
  requireReach,
  takeIn,
} from './taking-in.server.ts'

const { name: NAME, key: PAGE } = resource.screen

/** Chosen while it was still there, and removed before it was stored. */
const GONE: Constraints = {
  staff_org_id_fkey: { code: 'kit:not-to-choose', field: 'orgId' },
  staff_position_position_id_fkey: { code: 'kit:not-to-choose', field: 'positions' },
}

const served = serve(resource, {
  workflow,
  facts: async (db, rows) => {
    const admins = { admins: await adminsIn(db) }
    return new Map(rows.map(({ id }) => [id, admins]))
  },
  async store(op, input, before, write) {
    if (!before) throw new Error('staff are hired')
    return change(op, input, before, write)
  },
  effects: { handOver, rejoin, leave },
  detail: async (app, { id }, language) => ({
    positions: await positionsOf(app.db.query, id),
    spans: await spansOf(app.db.query, id),
    handovers: await handoversOf(app, id, language),
  }),
  constraints: { ...GONE, staff_not_own_manager: { code: 'manager-self', field: 'managerId' } },
})

export const routes: Routes = app => [...served(app), createRoute(app), belongingsRoute(app), ...contactRoutes(app)]

export const listeners = contactListeners

/** Stores what was entered; where somebody works and for whom is what others see by, at once. */
async function change(op: Operation, input: Staff, before: Staff, write: (fields: Row) => Promise<string>) {
  const { positions, ...entered } = input
  const moves = input.orgId !== before.orgId
  if (moves) {
    requireReach(op, input.orgId)
    if (!(await isOpen(op, input.orgId))) throw onField('orgId', refuse('kit:not-to-choose'))
    requireNotDrawnIn(op, before, { id: before.id, orgId: input.orgId })
  }
  if (input.managerId !== before.managerId) await requireManager(op, before.id, input.managerId)
  await requirePositions(op, positions, before.employment, await positionsOf(op.tx, before.id))
  const { name_pinyin: namePinyin, name_initials: nameInitials } = await spellingOf(input.name)
  await write({ ...entered, ...phoneOf(input), namePinyin, nameInitials })
  await keepPositions(op.tx, before.id, positions, op.now)
  if (moves) await announce(op, staffMoved, { staffId: before.id, orgId: input.orgId })
  if (moves || input.managerId !== before.managerId) {
    // Whoever sees his department's records, or those of his people, would otherwise choose his department, or his people.
    await requireNotLifted(op.tx, op.actor)
    await op.app.sessions.changed(op.tx)
  } else if (input.name !== before.name) await op.app.sessions.changed(op.tx, [before.id])
  return before.id
}

/** Any number: who reports to whom changes one at a time, or two changes at once could close a circle neither sees. */
const MANAGERS_LOCK = 7_283_452

async function requireManager(op: Operation, staffId: string, managerId: string | null): Promise<void> {
  const { tx } = op
  if (managerId === null) return
  if (managerId === staffId) throw onField('managerId', refuse('manager-self'))
  await requireManagerHere(op, managerId)
  await sql`select pg_advisory_xact_lock(${MANAGERS_LOCK})`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    with recursive above as (
      select id, manager_id from staff where id = ${managerId}
      union select s.id, s.manager_id from staff s join above a on s.id = a.manager_id
    ) select id from above where id = ${staffId}`.execute(tx)
  if (rows.length > 0) throw onField('managerId', refuse('manager-circle'))
}

/** Without a key of its own: its answer must not be kept anywhere, and of two that are sent one finds the account taken. */
const createRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${NAME}`,
    texts: NAME,
    access: { page: PAGE, action: 'create' },
    body: newStaff,
    answer: oneTime,
    summary: 'Takes somebody into the company; the password is told once, and opens nothing but the change of it.',
    async handle(call, { body }) {
      const { password, hash } = await makeOneTimePassword()
      const make = async (op: Operation) => {
        await requireOffered(op, { page: PAGE, shape: newStaff.shape }, body)
        return takeIn(op, body, hash)
      }
      const made = await operate(app, call, make, GONE)
      app.counts.drop(resource.table)
      return { ...made, name: body.name, password }
    },
  })

const belongingsRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${NAME}/:id/belongings`,
    texts: NAME,
    access: { page: PAGE, action: 'detail' },
    params: idParams,
    answer: z.array(belonging),
    summary: 'What belongs to this person: how many records of each kind, and whether they go into other hands.',
    async handle({ actor, language, now }, { params: { id } }) {
      if (!(await sees(app, resource, id, actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
      return inWords(app, language, await belongingsOf(app, app.db.query, id, now))
    },
  })

export const imports = [staffImport]
export const invariants = [...spanInvariants, ...leavingInvariants]
