import { Refused, refuse } from '#kit/model/refusal.ts'
import type { EndReason, Sessions } from '../access/session.ts'
import type { App } from '../app.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Signals } from '../database/signal.ts'
import { recordCommand } from './command.ts'
import { demandFactor, liftDemand, rolesDemandingFactor } from './factor.ts'

const ADMIN = 'SUPER_ADMIN'
/** Beyond this, everybody's remembered rights are dropped instead of naming each: signals stay small. */
const MAX_NAMED = 500

type Sign = Pick<Signals, 'send'>

/** Ends every session of a person, and with them the sockets, on all instances. */
export const endSessionsOf = (tx: Tx, sessions: Sessions, staffId: string, reason: EndReason): Promise<void> =>
  sessions.endAllOf(tx, staffId, reason)

/** Shuts a person out at once. The last super administrator stays. */
export async function disableStaff(tx: Tx, { sessions }: Pick<App, 'sessions'>, staffId: string): Promise<void> {
  await requireAnotherAdmin(tx, staffId)
  const disabled = await tx
    .updateTable('staff')
    .set({ status: 'DISABLED' })
    .where('id', '=', staffId)
    .returning('id')
    .executeTakeFirst()
  if (!disabled) throw missing('staff-unknown')
  await sessions.endAllOf(tx, staffId, 'DISABLED')
  await sessions.changed(tx, [staffId])
}

/** Lets somebody in again; whoever has left works here again first. */
export async function enableStaff(tx: Tx, { sessions }: Pick<App, 'sessions'>, staffId: string): Promise<void> {
  await requireStaff(tx, staffId)
  await tx.updateTable('staff').set({ status: 'ENABLED' }).where('id', '=', staffId).execute()
  await sessions.changed(tx, [staffId])
}

/** Somebody who works here, and does not leave until what is given to him is stored. */
export async function requireStaff(tx: Tx, staffId: string): Promise<void> {
  const person = await tx
    .selectFrom('staff')
    .select('employment')
    .where('id', '=', staffId)
    .forUpdate()
    .executeTakeFirst()
  if (!person) throw missing('staff-unknown')
  if (person.employment === 'LEFT') throw new Refused(refuse('kit/server/auth:staff-left'))
}

export async function grantRole(
  tx: Tx,
  { sessions }: Pick<App, 'sessions'>,
  staffId: string,
  roleCode: string,
): Promise<void> {
  const role = await getRole(tx, roleCode)
  await requireStaff(tx, staffId)
  await tx
    .insertInto('staff_role')
    .values({ staff_id: staffId, role_id: role.id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  if ((await rolesDemandingFactor(tx, staffId)).length > 0) await demandFactor(tx, [staffId])
  await sessions.changed(tx, [staffId])
}

/** The person stays signed in, with what the other roles allow. */
export async function revokeRole(
  tx: Tx,
  { sessions }: Pick<App, 'sessions'>,
  staffId: string,
  roleCode: string,
): Promise<void> {
  const role = await getRole(tx, roleCode)
  if (roleCode === ADMIN) await requireAnotherAdmin(tx, staffId)
  await tx.deleteFrom('staff_role').where('staff_id', '=', staffId).where('role_id', '=', role.id).execute()
  await liftDemand(tx, [staffId])
  await sessions.changed(tx, [staffId])
}

/**
 * Gives a role a page or one action of it, or takes it away; every instance goes by it within a second. An action brings
 * its page along; a page that goes takes its actions with it. For screens and for `npm run access`.
 */
export async function changeGrant(
  db: Pick<Database, 'write'>,
  signals: Sign,
  grant: { role: string; page: string; action?: string; held: boolean; now: Date },
): Promise<void> {
  const { page, action, held, now } = grant
  if (grant.role === ADMIN) throw new Refused(refuse('kit/server/auth:admin-holds-all'))
  await db.write(async tx => {
    const role = await getRole(tx, grant.role)
    const permissionIds = await findPermissions(tx, page, action, held)
    await keepPermissions(tx, role.id, held ? { given: permissionIds } : { taken: permissionIds })
    const what = [action === undefined ? page : `${page}:${action}`]
    await recordCommand(tx, {
      at: now,
      page: 'iam-role',
      action: 'update',
      recordId: role.id,
      diff: held ? { given: [null, what] } : { taken: [null, what] },
    })
    const staffIds = await toldOf(tx, role.id)
    await signals.send(tx, 'access', staffIds ? { staffIds } : {})
  })
}

/** What a role holds, by the rows of the menu. */
export async function keepPermissions(
  tx: Tx,
  roleId: string,
  { given = [], taken = [] }: { given?: readonly string[]; taken?: readonly string[] },
): Promise<void> {
  if (taken.length > 0)
    await tx
      .deleteFrom('role_permission')
      .where('role_id', '=', roleId)
      .where('permission_id', 'in', [...taken])
      .execute()
  if (given.length > 0)
    await tx
      .insertInto('role_permission')
      .values(given.map(permission_id => ({ role_id: roleId, permission_id })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** The departments a role reaches where its scope is chosen. */
export async function keepDepartments(tx: Tx, roleId: string, orgIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('role_org').where('role_id', '=', roleId).execute()
  if (orgIds.length > 0)
    await tx
      .insertInto('role_org')
      .values(orgIds.map(org_id => ({ role_id: roleId, org_id })))
      .execute()
}

async function findPermissions(tx: Tx, page: string, action: string | undefined, held: boolean): Promise<string[]> {
  const menu = await tx
    .selectFrom('permission')
    .select('id')
    .where('resource_code', '=', page)
    .where('display_type', '=', 'MENU')
    .where('vanished', '=', false)
    .executeTakeFirst()
  if (!menu) throw missing('page-unknown', { page })
  const actions = await tx
    .selectFrom('permission')
    .select(['id', 'resource_code'])
    .where('parent_id', '=', menu.id)
    .where('display_type', '=', 'PERMISSION')
    .execute()
  if (action === undefined) return held ? [menu.id] : [menu.id, ...actions.map(({ id }) => id)]
  const named = actions.find(({ resource_code }) => resource_code === action)
  if (!named) throw missing('action-unknown', { page, action })
  return held ? [menu.id, named.id] : [named.id]
}

/** Whom a change of a role concerns; all without a list, where naming each would take too long. */
export async function toldOf(tx: Tx, roleId: string): Promise<string[] | undefined> {
  const concerned = await tx
    .selectFrom('staff_role')
    .select('staff_id')
    .where('role_id', '=', roleId)
    .union(tx.selectFrom('session').select('staff_id').where('preview_role_id', '=', roleId))
    .execute()
  return concerned.length > MAX_NAMED ? undefined : concerned.map(({ staff_id }) => staff_id)
}

async function getRole(tx: Tx, code: string): Promise<{ id: string }> {
  const role = await tx.selectFrom('role').select('id').where('code', '=', code).executeTakeFirst()
  if (!role) throw missing('role-unknown', { role: code })
  return role
}

/** The role's row is the lock: of two administrators who take each other's role at once, one is refused. */
async function requireAnotherAdmin(tx: Tx, staffId: string): Promise<void> {
  await tx.selectFrom('role').select('id').where('code', '=', ADMIN).forNoKeyUpdate().execute()
  const admins = await tx
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .innerJoin('staff as p', 'p.id', 'sr.staff_id')
    .select('p.id')
    .where('r.code', '=', ADMIN)
    .where('p.status', '=', 'ENABLED')
    .execute()
  if (admins.length === 1 && admins[0]?.id === staffId) throw new Refused(refuse('kit/server/auth:last-admin'))
}

const missing = (key: string, params?: Readonly<Record<string, string>>): Refused =>
  new Refused(refuse(`kit/server/auth:${key}`, params), 'not-found')
