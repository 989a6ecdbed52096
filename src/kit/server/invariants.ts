import type { Catalogue } from './catalogue.ts'
import type { Database, Row } from './database.ts'

/** Something that is always true of the stored records, and a query for those of which it is not; slices list theirs in `invariants`. */
export type Invariant = { readonly name: string; readonly query: string }

export type Broken = { readonly name: string; readonly rows: Row[] }

const MAX_SHOWN = 20

const ALWAYS: readonly Invariant[] = [
  {
    name: 'a disabled person has no open session',
    query: `
      select s.id, s.staff_id from session s join staff p on p.id = s.staff_id
      where p.status = 'DISABLED' and s.ended_at is null and s.expires_at > now()`,
  },
  {
    name: "a department's path is that of the one above and its own id",
    query: `select o.id, o.path from org o left join org p on p.id = o.parent_id where o.path <> coalesce(p.path, '/') || o.id || '/'`,
  },
]

/** The kept count of every table that keeps one, against its rows. */
const KEPT_TABLES = `
  select c.relname as name, split_part(encode(t.tgargs, 'escape'), '\\000', 1) as state, split_part(encode(t.tgargs, 'escape'), '\\000', 2) as scope
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'keep_count_insert' order by 1`

function keptCount({ name, state, scope }: Record<string, string>): Invariant {
  const cell = scope === 'owned' ? 'org_id, owner_id' : 'null::bigint, null::bigint'
  const real = `select ${cell}, ${state}::text, count(*) from ${name} group by 1, 2, 3`
  const kept = `select org_id, owner_id, state, sum(n) from kept_count where table_name = '${name}' group by 1, 2, 3 having sum(n) <> 0`
  return {
    name: `the kept count of ${name} is the number of its rows`,
    query: `
      select 'stored' as side, * from (${real} except ${kept}) r (org_id, owner_id, state, n)
      union all select 'kept', * from (${kept} except ${real}) k (org_id, owner_id, state, n)`,
  }
}

/** Checks all of them on one snapshot; answers those that are broken, each with some of the offending rows. */
export async function findBroken(db: Pick<Database, 'read'>, { slices }: Pick<Catalogue, 'slices'>): Promise<Broken[]> {
  const client = await db.read.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // Whole tables are read: longer than a call may take.
    await client.query('set local statement_timeout = 0')
    const kept = (await client.query(KEPT_TABLES)).rows.map(keptCount)
    const broken: Broken[] = []
    for (const { name, query } of [...ALWAYS, ...slices.flatMap(slice => slice.invariants), ...kept]) {
      const { rows } = await client.query(`${query} limit ${MAX_SHOWN}`)
      if (rows.length > 0) broken.push({ name, rows })
    }
    return broken
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}
