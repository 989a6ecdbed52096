import { onField, refuse } from '#kit/model/refusal.ts'
import { isAccount } from '#kit/server/auth/admin.ts'
import type { OneTimePassword } from '#kit/server/auth/one-time.ts'
import type { Operation } from '#kit/server/change/operation.ts'

export type Newcomer = {
  readonly account: string
  readonly name: string
  readonly orgId: string
  readonly managerId?: string | null
  readonly gender?: 'F' | 'M' | 'UK'
  readonly phone?: string | null
  readonly email?: string | null
}

/**
 * Takes somebody into the company: the one way in, whichever screen it is done on. The password (`makeOneTimePassword`) is told
 * to whoever hires, once, and opens nothing but the change of it. Roles are given afterwards: without one nobody gets in.
 */
export async function hire(
  { tx, now }: Operation,
  newcomer: Newcomer,
  { hash }: Pick<OneTimePassword, 'hash'>,
): Promise<{ id: string; staffNo: string }> {
  const { account, name, orgId, managerId = null, gender = 'UK', phone = null, email = null } = newcomer
  if (!isAccount(account)) throw onField('account', refuse('kit/server/auth:account-invalid'))
  const hired = await tx
    .insertInto('staff')
    .values({
      account,
      name,
      org_id: orgId,
      manager_id: managerId,
      gender,
      phone,
      email,
      password_hash: hash,
      password_set_at: now,
      must_change: true,
      created_at: now,
    })
    .onConflict(conflict => conflict.column('account').doNothing())
    .returning(['id', 'staff_no as staffNo'])
    .executeTakeFirst()
  if (!hired) throw onField('account', refuse('kit/server/auth:account-taken', { account }))
  return hired
}
