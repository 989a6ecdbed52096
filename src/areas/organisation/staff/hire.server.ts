import { isOpen } from '#areas/organisation/department/closing.server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { isAccount } from '#kit/server/auth/admin.ts'
import type { OneTimePassword } from '#kit/server/auth/one-time.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { spellingOf } from '#kit/server/text/pinyin.ts'

export type Newcomer = {
  readonly account: string
  readonly name: string
  readonly orgId: string
  readonly managerId?: string | null
  readonly gender?: 'F' | 'M' | 'UK'
  readonly phone?: string | null
  readonly email?: string | null
  readonly birthday?: string | null
}

/**
 * Takes somebody into the company: the one way in, whichever screen it is done on. The password (`makeOneTimePassword`) is told
 * to whoever hires, once, and opens nothing but the change of it. Roles are given afterwards: without one nobody gets in.
 */
export async function hire(
  op: Operation,
  newcomer: Newcomer,
  { hash }: Pick<OneTimePassword, 'hash'>,
): Promise<{ id: string; staffNo: string }> {
  const { tx, now } = op
  const {
    account,
    name,
    orgId,
    managerId = null,
    gender = 'UK',
    phone = null,
    email = null,
    birthday = null,
  } = newcomer
  if (!isAccount(account)) throw onField('account', refuse('kit/server/auth:account-invalid'))
  if (!(await isOpen(op, orgId))) throw onField('orgId', refuse('kit:not-to-choose'))
  const hired = await tx
    .insertInto('staff')
    .values({
      account,
      name,
      ...(await spellingOf(name)),
      org_id: orgId,
      manager_id: managerId,
      gender,
      phone,
      email,
      birthday,
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

/** An account nobody has yet, as the name is spelled; the next free number behind it where others are called the same. */
export async function accountFor(tx: Tx, name: string): Promise<string> {
  const { name_pinyin: spelled } = await spellingOf(name)
  const letters = spelled
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, MAX_LETTERS)
  const base = letters.length > 1 ? letters : 'staff'
  const taken = await tx.selectFrom('staff').select('account').where('account', 'like', `${base}%`).execute()
  const known = new Set(taken.map(({ account }) => account))
  for (let nth = 1; ; nth += 1) {
    const account = nth === 1 ? base : `${base}${nth}`
    if (!known.has(account)) return account
  }
}
const MAX_LETTERS = 40
