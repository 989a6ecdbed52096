import type { Reading } from '#kit/server/change/rules.ts'

/** Those who can sign in and may do everything. */
export async function adminsIn(db: Reading): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .innerJoin('staff as p', 'p.id', 'sr.staff_id')
    .select('p.id')
    .where('r.code', '=', 'SUPER_ADMIN')
    .where('p.status', '=', 'ENABLED')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
