import { scopeOf } from '#kit/model/actor.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import { disableStaff } from '#kit/server/auth/access.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { run } from '#kit/server/database/database.ts'
import { binder, peopleSql } from '#kit/server/list/scope.ts'
import { handOverAll, type StaffHandedOver } from './belongings.server.ts'
import { resource, type Staff, type workflow } from './model.ts'
import { endPositions } from './spans.server.ts'

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
async function successorOf({ tx, actor }: Operation, fromId: string, toId: string): Promise<StaffHandedOver> {
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
  return { fromId, toId, toName: String(to.name), orgId: String(to.org_id) }
}

type Entered = EnteredWith<typeof workflow, 'leave'>

export async function handOver(op: Operation, { id }: Staff, { successorId }: Entered): Promise<void> {
  await handOverAll(op, await successorOf(op, id, successorId), false)
}

/** Everything goes into other hands, the door is shut, and whoever reported to this person reports to whom this one did. */
export async function leave(
  op: Operation,
  { id, managerId }: Staff,
  { successorId }: Entered,
): Promise<Partial<Staff>> {
  const { app, tx, now } = op
  await handOverAll(op, await successorOf(op, id, successorId), true)
  await tx.updateTable('staff').set({ manager_id: managerId }).where('manager_id', '=', id).execute()
  const leftOn = dayOf(now)
  await disableStaff(tx, app, id)
  await endPositions(tx, id, leftOn)
  // Whose people are whose is what others see by.
  await app.sessions.changed(tx)
  return { leftOn, status: 'DISABLED' }
}

/** Works here again, where it was before; the account stays shut until somebody opens it, with the roles of the new work. */
export async function rejoin(): Promise<Partial<Staff>> {
  return { leftOn: null }
}
