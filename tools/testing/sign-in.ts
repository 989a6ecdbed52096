import { randomUUID } from 'node:crypto'
import { hashPassword } from '../../src/kit/server/access/hash.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { type Answer, org } from './instance.ts'
import { TEST_PASSWORD } from './ledger.ts'

export const PASSWORD = TEST_PASSWORD

export type Employee = {
  account?: string
  password?: string
  name?: string
  roleId?: string
  status?: 'ENABLED' | 'DISABLED'
  mustChange?: boolean
  passwordSetAt?: Date
  passwordHash?: string
  phone?: string
}

// Hashing takes a whole core for some milliseconds; tests share the result.
const hashes = new Map<string, Promise<string>>()

/** Somebody with a password who has not signed in yet. */
export async function employ(instance: Instance, options: Employee = {}): Promise<{ id: string; account: string }> {
  const { account = `s-${randomUUID().slice(0, 8)}`, password = PASSWORD } = options
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  const now = instance.app.clock.now()
  const { id } = await instance.app.db.query
    .insertInto('staff')
    .values({
      account,
      name: options.name ?? account,
      org_id: await org(instance),
      phone: options.phone ?? null,
      password_hash: options.passwordHash ?? (await hash),
      password_set_at: options.passwordSetAt ?? now,
      must_change: options.mustChange ?? false,
      status: options.status ?? 'ENABLED',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (options.roleId)
    await instance.app.db.query.insertInto('staff_role').values({ staff_id: id, role_id: options.roleId }).execute()
  return { id, account }
}

export type SignIn = { password?: string; captcha?: string; verKey?: string; address?: string; device?: string }

/** Signs in over HTTP the way the login page does: a fresh captcha unless one is given, then name and password. */
export async function signIn(
  instance: Instance,
  account: string,
  options: SignIn = {},
): Promise<Answer<string> & { result?: { isLogin: boolean } }> {
  const from = {
    remoteAddress: options.address ?? '127.0.0.1',
    headers: { 'accept-language': 'en-US', 'user-agent': options.device ?? 'test' },
  }
  const off = instance.app.env.CAPTCHA === 'off'
  const verKey =
    options.verKey ?? (off ? '' : (await instance.http.inject({ ...from, url: '/api/auth/captcha' })).json().data.key)
  const answer = await instance.http.inject({
    ...from,
    method: 'POST',
    url: `/api/auth/login?verKey=${verKey}`,
    payload: { username: account, password: options.password ?? PASSWORD, captcha: options.captcha ?? 'INK8' },
  })
  return { ...answer.json(), status: answer.statusCode, headers: answer.headers, body: answer.body }
}
