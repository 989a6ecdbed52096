import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { hashPassword } from '../access/hash.ts'
import { rulesFor, whyNotPassword } from '../access/password.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Env } from '../process/env.ts'
import { recordCommand } from './command.ts'
import { generatePassword } from './one-time.ts'

type NewAdmin = {
  readonly username: string
  readonly password?: string
  readonly now: Date
  readonly profile: Env['SECURITY_PROFILE']
}

const LOCK = 7_283_403

/** What people sign in by: written in one way only, whatever keyboard it is typed on. */
export const isAccount = (account: string): boolean => /^[a-z][a-z0-9._-]{1,49}$/.test(account)

/** Whether anybody can sign in who may do everything: without one, the first start makes one. */
export async function hasAdmin(db: Database): Promise<boolean> {
  const admin = await db.query
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .innerJoin('staff as p', 'p.id', 'sr.staff_id')
    .select('p.id')
    .where('r.code', '=', 'SUPER_ADMIN')
    .where('p.status', '=', 'ENABLED')
    .executeTakeFirst()
  return admin !== undefined
}

/**
 * Makes a super administrator, and role and company if they are missing. Without a password one is made up, given back
 * here and nowhere else, and opens nothing but the change of it.
 */
export async function createAdmin(
  db: Database,
  { username, password, now, profile }: NewAdmin,
): Promise<{ staffId: string; generated: string | null }> {
  if (!isAccount(username)) throw new Refused(refuse('kit/server/auth:account-invalid'), 'validation')
  const refusal = password === undefined ? undefined : whyNotPassword(password, rulesFor(profile, true), [username])
  if (refusal) throw new Refused(refusal, 'validation')
  const chosen = password ?? generatePassword()
  const hash = await hashPassword(chosen)
  const staffId = await db.write(async tx => {
    // Two instances that start together on an empty database make one administrator.
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    const roleId = await keepAdminRole(tx)
    const { id } = await insertAdmin(tx, {
      username,
      hash,
      now,
      mustChange: password === undefined,
      orgId: await keepCompany(tx),
    })
    await tx.insertInto('staff_role').values({ staff_id: id, role_id: roleId }).execute()
    await recordCommand(tx, {
      at: now,
      page: 'staff',
      action: 'create',
      recordId: id,
      diff: { account: [null, username], role: [null, 'SUPER_ADMIN'] },
    })
    return id
  })
  return { staffId, generated: password === undefined ? chosen : null }
}

/** The administrator of an empty console; undefined where there is one, also one that an instance starting beside us has just made. */
export async function createFirstAdmin(
  db: Database,
  admin: NewAdmin,
): Promise<{ generated: string | null } | undefined> {
  if (await hasAdmin(db)) return undefined
  try {
    return await createAdmin(db, admin)
  } catch (cause) {
    if (cause instanceof Refused && (await hasAdmin(db))) return undefined
    throw cause
  }
}

async function insertAdmin(
  tx: Tx,
  admin: { username: string; hash: string; now: Date; mustChange: boolean; orgId: string },
): Promise<{ id: string }> {
  const made = await tx
    .insertInto('staff')
    .values({
      account: admin.username,
      name: admin.username,
      org_id: admin.orgId,
      password_hash: admin.hash,
      password_set_at: admin.now,
      must_change: admin.mustChange,
      created_at: admin.now,
    })
    .onConflict(conflict => conflict.column('account').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new Refused(refuse('kit/server/auth:account-taken', { account: admin.username }), 'conflict')
  return made
}

async function keepAdminRole(tx: Tx): Promise<string> {
  const known = await tx.selectFrom('role').select('id').where('code', '=', 'SUPER_ADMIN').executeTakeFirst()
  const role =
    known ??
    (await tx
      .insertInto('role')
      .values({ code: 'SUPER_ADMIN', name: '超级管理员', scope: 'ALL' })
      .returning('id')
      .executeTakeFirstOrThrow())
  return role.id
}

async function keepCompany(tx: Tx): Promise<string> {
  const root = await tx.selectFrom('org').select('id').where('parent_id', 'is', null).orderBy('id').executeTakeFirst()
  if (root) return root.id
  const { id } = await tx
    .insertInto('org')
    .values({ name: '公司', code: 'COMPANY', type: 'COMP', path: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
