import type { Reading } from '#kit/server/change/rules.ts'

/** Those who may do everything, and whether they can sign in. */
export async function adminsIn(db: Reading): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .innerJoin('staff as p', 'p.id', 'sr.staff_id')
    .select(['p.id', 'p.status'])
    .where('r.code', '=', 'SUPER_ADMIN')
    .execute()
  return new Map(rows.map(({ id, status }) => [id, status === 'ENABLED']))
}
