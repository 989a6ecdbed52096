import { scopeOf } from '#kit/model/actor.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import { disableStaff } from '#kit/server/auth/access.ts'
import { record } from '#kit/server/change/audit.ts'
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
async function successorOf(op: Operation, from: Staff, toId: string): Promise<StaffHandedOver> {
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
  return { fromId, toId, toName: String(to.name), orgId }
}

type Entered = EnteredWith<typeof workflow, 'leave'>

export async function handOver(op: Operation, from: Staff, { successorId }: Entered): Promise<void> {
  await handOverAll(op, await successorOf(op, from, successorId), false)
}

/** Everything goes into other hands, the door is shut, and whoever reported to this person reports to whom this one did. */
export async function leave(op: Operation, from: Staff, { successorId }: Entered): Promise<Partial<Staff>> {
  const { app, tx, now } = op
  const { id, managerId } = from
  await handOverAll(op, await successorOf(op, from, successorId), true)
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

/** Works here again, where it was before; the account stays shut until somebody opens it, with the roles of the new work. */
export async function rejoin(): Promise<Partial<Staff>> {
  return { leftOn: null }
}
