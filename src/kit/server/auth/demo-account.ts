import { isPassword } from '../access/hash.ts'
import type { App } from '../app.ts'
import type { Env } from '../process/env.ts'

/** Of every account of the demo business; the login page shows it while SEED=demo. */
export const DEMO_PASSWORD = 'inkstone-demo'

/** The account that shows what a role can do: FINANCE_CASHIER → finance-cashier. */
export const demoAccountOf = (roleCode: string, env: Pick<Env, 'ADMIN_USERNAME'>): string =>
  roleCode === 'SUPER_ADMIN' ? env.ADMIN_USERNAME : roleCode.toLowerCase().replaceAll('_', '-')

export type DemoAccount = { readonly account: string; readonly role: string; readonly password: string }

// The demo business shares one hash, so this is one verification and then none.
const hasDemoPassword = new Map<string, Promise<boolean>>()

/** One account per role, as long as it exists and still has the demo password. */
export async function findDemoAccounts({ env, db }: Pick<App, 'env' | 'db'>): Promise<DemoAccount[]> {
  if (env.SEED !== 'demo') return []
  const held = await db.query
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .innerJoin('staff as p', 'p.id', 'sr.staff_id')
    .select(['p.account', 'p.password_hash', 'r.code', 'r.name as role'])
    .where('p.status', '=', 'ENABLED')
    .orderBy('r.id')
    .execute()
  const shown: DemoAccount[] = []
  for (const { account, password_hash, code, role } of held) {
    if (account !== demoAccountOf(code, env)) continue
    const works = hasDemoPassword.get(password_hash) ?? isPassword(DEMO_PASSWORD, password_hash)
    hasDemoPassword.set(password_hash, works)
    if (await works) shown.push({ account, role, password: DEMO_PASSWORD })
  }
  return shown
}
