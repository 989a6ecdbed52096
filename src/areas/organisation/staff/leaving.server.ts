import { isOpen } from '#areas/organisation/department/closing.server.ts'
import { scopeOf } from '#kit/model/actor.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import { disableStaff } from '#kit/server/auth/access.ts'
import { makeOneTimePassword } from '#kit/server/auth/one-time.ts'
import { resetPassword } from '#kit/server/auth/reset.ts'
import { record } from '#kit/server/change/audit.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { run } from '#kit/server/database/database.ts'
import { binder, peopleSql } from '#kit/server/list/scope.ts'
import { handOverAll, type StaffHandedOver } from './belongings.server.ts'
import { resource, type Staff, type workflow } from './model.ts'
import { endPositions } from './spans.server.ts'
import { requireNotDrawnIn } from './taking-in.server.ts'

export async function adminsIn(db: Reading): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .select('sr.staff_id')
    .where('r.code', '=', 'SUPER_ADMIN')
    .execute()
  return new Set(rows.map(({ staff_id }) => staff_id))
}

/** Whoever takes over works here, is within the reach of whoever decides, and is not the one who hands over. */
async function successorOf(op: Operation, from: Staff, toId: string, isLeave: boolean): Promise<StaffHandedOver> {
  const { tx, actor } = op
  const fromId = from.id
  if (toId === fromId) throw onField('successorId', refuse('successor-self'))
  const { bind, values } = binder()
  const reached = peopleSql(scopeOf(actor, resource.screen.key), bind) || 'true'
  const [to] = await run(
    tx,
    // Nobody leaves, or moves elsewhere, while things are being handed to them.
    `select t.id, t.name, t.org_id from staff t where t.id = ${bind(toId)} and t.status = 'ENABLED' and ${reached} for share of t`,
    values,
  )
  if (!to) throw onField('successorId', refuse('kit:colleague-out-of-reach'))
  const orgId = String(to.org_id)
  requireNotDrawnIn(op, from, { id: toId, orgId })
  return { fromId, toId, toName: String(to.name), orgId, isLeave }
}

type Entered = EnteredWith<typeof workflow, 'leave'>

export async function handOver(op: Operation, from: Staff, { successorId }: Entered): Promise<void> {
  const hasLeft = from.employment === 'LEFT'
  await handOverAll(op, await successorOf(op, from, successorId, hasLeft))
}

/** Everything goes into other hands, the door is shut, and whoever reported to this person reports to whom this one did. */
export async function leave(op: Operation, from: Staff, { successorId }: Entered): Promise<Partial<Staff>> {
  const { app, tx, now } = op
  const { id, managerId } = from
  await handOverAll(op, await successorOf(op, from, successorId, true))
  await tx.updateTable('staff').set({ manager_id: managerId }).where('manager_id', '=', id).execute()
  const leftOn = dayOf(now)
  await disableStaff(tx, app, id)
  await takeRoles(op, id)
  await endPositions(tx, id, leftOn)
  // Whose people are whose is what others see by.
  await app.sessions.changed(tx)
  return { leftOn, status: 'DISABLED' }
}

/** Whoever comes back has the roles of the new work; which the old ones were, the account's history tells. */
async function takeRoles({ tx, call }: Operation, staffId: string): Promise<void> {
  const taken = await tx
    .deleteFrom('staff_role as sr')
    .using('role as r')
    .whereRef('r.id', '=', 'sr.role_id')
    .where('sr.staff_id', '=', staffId)
    .returning(['r.id', 'r.name'])
    .execute()
  if (taken.length === 0) return
  const ids = taken.map(({ id }) => id)
  const names = taken.map(({ name }) => name)
  const diff = { roleIds: [ids, []], roleNames: [names, []] } as const
  await record(tx, call, { page: 'iam-user', action: 'assignRoles', recordId: staffId, diff })
}

/**
 * Works here again, where it was before; the account stays shut until somebody opens it, with the roles of the new work. The old
 * password opens nothing: nobody knows this one, and the account's page tells another, which has to be changed.
 */
export async function rejoin(op: Operation, { id, orgId }: Staff): Promise<Partial<Staff>> {
  const { app, tx, now } = op
  if (!(await isOpen(op, orgId))) throw new Refused(refuse('department-closed'))
  const { hash } = await makeOneTimePassword()
  await resetPassword(tx, app, id, { hash, now })
  return { leftOn: null }
}

export const invariants: readonly Invariant[] = [
  {
    name: 'who has left holds no role',
    query: `select s.id, sr.role_id from staff s join staff_role sr on sr.staff_id = s.id where s.employment = 'LEFT'`,
    repair: `delete from staff_role sr using staff s where s.id = sr.staff_id and s.employment = 'LEFT'`,
  },
  {
    name: 'nobody reports to somebody who has left',
    query: `select s.id, s.manager_id from staff s join staff m on m.id = s.manager_id where m.employment = 'LEFT'`,
    repair: `
      update staff s set manager_id = m.manager_id from staff m where m.id = s.manager_id and m.employment = 'LEFT'`,
  },
]
