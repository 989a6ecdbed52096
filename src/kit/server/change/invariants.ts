import type pg from 'pg'
import { choicesOf, columnOf } from '#kit/model/field.ts'
import { schemaIn } from '#kit/model/resource.ts'
import { isUndoable, targetsOf } from '#kit/model/workflow.ts'
import { type Database, type Row, retried } from '../database/database.ts'
import type { DeclaredSlice } from '../declared.ts'

/** Something that is always true of the stored records, and a query for those of which it is not; slices list theirs in `invariants`. */
export type Invariant = {
  readonly name: string
  readonly query: string
  /** Whose rows it is about, where it is true as long as there are none. */
  readonly of?: string
  /** One statement that makes it true again where it tells of what follows from other records: nothing that people entered. */
  readonly repair?: string
}

/** What is nobody's fault, and somebody's work: the rows that wait, each in a line that `doctor` tells. Slices list theirs in `openWork`. */
export type OpenWork = { readonly name: string; readonly query: string; say(row: Row): string }

type Watched = { readonly slices: readonly (DeclaredSlice & { readonly invariants: readonly Invariant[] })[] }

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
  select c.relname as name, told[1] as state, told[2] as scope, told[3] as carer,
    exists (select from kept_count k where k.table_name = c.relname) as counted
  from pg_trigger t join pg_class c on c.oid = t.tgrelid, string_to_array(encode(t.tgargs, 'escape'), '\\000') as told
  where t.tgname = 'keep_count_insert' order by 1`

type KeptTable = Readonly<Record<'name' | 'state' | 'scope' | 'carer', string>> & { readonly counted: boolean }

function keptCount({ name, state, scope, carer, counted }: KeptTable): Invariant {
  const cell = `${scope === 'owned' ? 'org_id, owner_id' : 'null::bigint, null::bigint'}, ${carer || 'null::bigint'}`
  const real = `select ${cell}, ${state}::text, count(*) from ${name} group by 1, 2, 3, 4`
  const kept = `select org_id, owner_id, carer_id, state, sum(n) from kept_count where table_name = '${name}' group by 1, 2, 3, 4 having sum(n) <> 0`
  const difference = `${real} union all select org_id, owner_id, carer_id, state, -n from kept_count where table_name = '${name}'`
  return {
    name: `the kept count of ${name} is the number of its rows`,
    // Where nothing is counted there may yet be rows.
    ...(counted ? {} : { of: name }),
    query: `
      select 'stored' as side, * from (${real} except ${kept}) r (org_id, owner_id, carer_id, state, n)
      union all select 'kept', * from (${kept} except ${real}) k (org_id, owner_id, carer_id, state, n)`,
    repair: `
      insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
      select '${name}', d.a, d.b, d.c, d.d, sum(d.n) from (${difference}) d (a, b, c, d, n) group by 2, 3, 4, 5 having sum(d.n) <> 0`,
  }
}

type Stated = { readonly pages: string[]; readonly ways: Set<string>; readonly arrivals: Set<string> }

/** The state of every record that has steps, against what its history tells: each change allowed, each begun where the last one ended. */
function statesFollowHistory(slices: readonly DeclaredSlice[]): Invariant[] {
  const tables = new Map<string, Stated>()
  for (const { resource, workflow } of slices) {
    if (!resource || !workflow?.field) continue
    const key = `${resource.table} ${workflow.field}`
    const stated: Stated = tables.get(key) ?? { pages: [], ways: new Set(), arrivals: new Set() }
    const states = choicesOf(schemaIn(resource, workflow.field))
    for (const step of Object.values(workflow.steps))
      for (const state of step.from === 'any' ? states : step.from)
        for (const next of targetsOf(step)) {
          stated.ways.add(`${state} ${next}`)
          if (isUndoable(step)) stated.ways.add(`${next} ${state}`)
        }
    for (const state of workflow.arrivals) stated.arrivals.add(state)
    stated.pages.push(resource.screen.key)
    tables.set(key, stated)
  }
  return [...tables].map(([key, stated]) => {
    const [table, field] = key.split(' ') as [string, string]
    return {
      name: `the state of ${table} follows from its history`,
      of: table,
      query: historySql(table, field, stated),
    }
  })
}

function historySql(table: string, field: string, { pages, ways, arrivals }: Stated): string {
  const list = (values: Iterable<string>) => `array[${[...values].map(value => `'${value}'`).join(', ')}]::text[]`
  const state = columnOf(field)
  return `
    select t.id, t.${state}, told.was, told.became from (
      select record_id, diff->'${field}'->>0 as was, diff->'${field}'->>1 as became,
        lag(diff->'${field}'->>1) over (partition by record_id order by id) as before,
        lead(id) over (partition by record_id order by id) is null as is_last
      from operation_log where page = any(${list(pages)}) and code = 0 and diff ? '${field}'
    ) told join ${table} t on t.id = told.record_id
    where told.before <> told.was or (told.is_last and told.became <> t.${state}::text)
      or (told.became <> all(${list(arrivals)}) and coalesce(told.was || ' ' || told.became, '') <> all(${list(ways)}))`
}

/**
 * Of everything a statement may name, whether nobody has ever written to it. What was emptied has been vacuumed, and says how many
 * rows were found, or has another file; what a function or a view reads is not looked through.
 */
const UNTOUCHED = `
  select relname as name, case when relkind = 'r' and relnamespace = 'public'::regnamespace and relfilenode = oid and reltuples = -1
    then pg_relation_size(oid) = 0 else false end as untouched
  from pg_class where relkind in ('r', 'p', 'v', 'm')
  union all select proname, false from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
  order by untouched desc`

/**
 * Which of them have anything to tell: about tables that are as the migrations left them, nothing can have been broken. That is most of
 * them where a part of the console is used, and each costs the database as much as one about a full table.
 */
async function whatMayBreak(client: pg.PoolClient): Promise<(invariant: Invariant) => boolean> {
  const { rows } = await client.query<{ name: string; untouched: boolean }>(UNTOUCHED)
  // Of two that are called the same the touched one comes last, and counts.
  const untouched = new Map(rows.map(row => [row.name, row.untouched]))
  return ({ query, of }) => {
    if (of !== undefined && untouched.get(of)) return false
    const named = (query.match(/[a-z_]\w*/g) ?? []).flatMap(word => untouched.get(word) ?? [])
    return named.length === 0 || named.includes(false)
  }
}

/** Checks all of them, or those asked for, on one snapshot; answers those that are broken, each with some of the offending rows. */
export async function findBroken(
  db: Pick<Database, 'read'>,
  { slices }: Watched,
  isAsked: (name: string) => boolean = () => true,
): Promise<Broken[]> {
  const client = await db.read.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // Whole tables are read: longer than a call may take.
    await client.query('set local statement_timeout = 0')
    const broken: Broken[] = []
    const asked = (await allInvariants(client, slices)).filter(({ name }) => isAsked(name))
    for (const { name, query } of asked.filter(await whatMayBreak(client))) {
      const { rows } = await client.query(`${query} limit ${MAX_SHOWN}`)
      if (rows.length > 0) broken.push({ name, rows })
    }
    return broken
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

const allInvariants = async (client: pg.PoolClient, slices: Watched['slices']): Promise<Invariant[]> => [
  ...ALWAYS,
  ...slices.flatMap(slice => slice.invariants),
  ...statesFollowHistory(slices),
  ...(await client.query<KeptTable>(KEPT_TABLES)).rows.map(keptCount),
]

/** Any number, the same for all: whoever holds it mends. */
const REPAIR_LOCK = 7_283_409

/** Those who write meanwhile may lock the same rows in another order, and again. */
const REPAIR_TRIES = 20

/** Makes true again what can be reckoned from other records; answers how many rows each took, of those that took any. */
export async function repairKept(
  db: Pick<Database, 'read'>,
  { slices }: Watched,
): Promise<{ name: string; rows: number }[]> {
  const client = await db.read.pool.connect()
  try {
    const mended: { name: string; rows: number }[] = []
    for (const { name, repair } of await allInvariants(client, slices)) {
      const rows = repair === undefined ? 0 : await retried(() => mend(client, repair), REPAIR_TRIES)
      if (rows > 0) mended.push({ name, rows })
    }
    return mended
  } finally {
    client.release()
  }
}

/** Each in a transaction of its own: nobody waits for rows that another repair has in hand. */
async function mend(client: pg.PoolClient, repair: string): Promise<number> {
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query('set local lock_timeout = 0')
    // Before the first look: two that mend at once would each add the whole difference.
    await client.query('select pg_advisory_xact_lock($1)', [REPAIR_LOCK])
    const { rowCount } = await client.query(repair)
    await client.query('commit')
    return rowCount ?? 0
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
