import { rulesFor } from '../access/password.ts'
import type { App } from '../app.ts'
import type { Tx } from '../database/database.ts'
import { unlockAccount } from './login.ts'

/** Keeps the hash somebody may not come back to, and no more of them than the profile asks for. */
export async function rememberPassword(tx: Tx, staffId: string, hash: string, now: Date, keep: number): Promise<void> {
  if (keep < 1) return
  await tx.insertInto('password_history').values({ staff_id: staffId, hash, set_at: now }).execute()
  const kept = tx
    .selectFrom('password_history')
    .select('id')
    .where('staff_id', '=', staffId)
    .orderBy('id', 'desc')
    .limit(keep)
  await tx.deleteFrom('password_history').where('staff_id', '=', staffId).where('id', 'not in', kept).execute()
}

/** Puts a made-up password in the place of somebody's own: whoever was signed in is out, and a lock is off. */
export async function resetPassword(
  tx: Tx,
  { env, sessions }: Pick<App, 'env' | 'sessions'>,
  staffId: string,
  { hash, now }: { hash: string; now: Date },
): Promise<void> {
  const before = await tx
    .selectFrom('staff')
    .select(['account', 'password_hash', 'must_change'])
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow()
  // One that was made up itself is nobody's own.
  if (!before.must_change)
    await rememberPassword(tx, staffId, before.password_hash, now, rulesFor(env.SECURITY_PROFILE, false).remembered - 1)
  await tx
    .updateTable('staff')
    .set({ password_hash: hash, password_set_at: now, must_change: true })
    .where('id', '=', staffId)
    .execute()
  await unlockAccount(tx, before.account)
  await sessions.endAllOf(tx, staffId, 'PASSWORD')
  await sessions.changed(tx, [staffId])
}
