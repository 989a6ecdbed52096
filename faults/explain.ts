import type pg from 'pg'
import type { Actor } from '../src/kit/model/actor.ts'
import type { Resource } from '../src/kit/model/resource.ts'
import { readTyped } from '../src/kit/model/typed.ts'
import type { Catalogue } from '../src/kit/server/catalogue.ts'
import type { Database, Row } from '../src/kit/server/database/database.ts'
import type { Counts } from '../src/kit/server/list/count.ts'
import { withDepartments } from '../src/kit/server/list/department-tree.ts'
import { openList } from '../src/kit/server/list/list.ts'
import { readListQuery } from '../src/kit/server/list/list-query.ts'
import { binder } from '../src/kit/server/list/scope.ts'
import { idsOf, textQuestions } from '../src/kit/server/serve/search-everywhere.ts'
import type { Plan, Sizes } from './plan.ts'
import type { Question } from './questions.ts'

const uncounted: Counts = {
  total: async () => ({ total: 0, at: new Date() }),
  byState: async () => ({}),
  byDepartment: async () => [],
  byStateWithin: async () => ({}),
  sum: async () => 0,
  drop: () => {},
}

/** The plans of everything a list is asked when somebody types this into the search behind all lists. */
export async function plansOfTyping(
  client: pg.Client,
  catalogue: Catalogue,
  resource: Resource,
  text: string,
): Promise<{ rank: string; plan: Plan }[]> {
  const typed = readTyped(text)
  if (!typed) return []
  const list = openList(resource, catalogue, {} as Database, uncounted)
  const of = { resource, workflow: null, list, phone: undefined }
  const plans: { rank: string; plan: Plan }[] = []
  for (const question of textQuestions(catalogue, of, text, typed)) {
    const { bind, values } = binder()
    const ids = idsOf(question, actorWith(resource, { all: true }), bind)
    plans.push({ rank: question.rank, plan: await explained(client, ids, values) })
  }
  return plans
}

const explained = async (client: pg.Client, text: string, values: readonly unknown[]): Promise<Plan> =>
  (await client.query(`explain (analyze, timing off, format json) ${text}`, values as unknown[])).rows[0][
    'QUERY PLAN'
  ][0].Plan

/** Asks the list engine for the first page over a database that explains the statement that finds it instead of running it. */
export async function planOf(
  client: pg.Client,
  catalogue: Catalogue,
  resource: Resource,
  { search, scope }: Question,
): Promise<{ size: number; plan: Plan }> {
  let plan: Plan | undefined
  const explain = async (text: string, values: readonly unknown[]): Promise<Row[]> => {
    plan = await explained(client, text, values)
    return []
  }
  const asked = async (text: string, values: readonly unknown[]) =>
    (await client.query(text, values as unknown[])).rows as Row[]
  // What is looked up before the page is asked for.
  const rows = (text: string, values: readonly unknown[]) =>
    text.startsWith('select distinct ') ? asked(text, values) : explain(text, values)
  const reader = { rows, planned: explain }
  const engine = openList(resource, catalogue, { read: reader, count: reader } as unknown as Database, uncounted)
  const query = await withDepartments({ read: { rows: asked } } as unknown as Database, readListQuery(resource, search))
  await engine.page(query, actorWith(resource, scope))
  if (plan === undefined) throw new Error(`${resource.screen.name} asked nothing`)
  return { size: query.size, plan }
}

const actorWith = (resource: Resource, scope: Question['scope']): Actor => ({
  id: '1',
  account: 'plans',
  name: 'plans',
  orgId: '1',
  roleCodes: [],
  superAdmin: false,
  grants: new Map(),
  scopes: new Map([[resource.screen.key, scope]]),
})

/** Each table and each of its parts by name: whose part it is, and how many rows that table has, as the planner knows them. */
export async function tableSizes(client: pg.Client): Promise<Sizes> {
  const { rows } = await client.query(
    `select relname as name, root.table, sum(reltuples::float8) over (partition by root.table) as rows
     from pg_class, lateral (select coalesce(pg_partition_root(oid), oid)::regclass::text as table) root
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'part'::regnamespace)`,
  )
  return new Map(rows.map(({ name, table, rows: n }) => [name, { table, rows: n }]))
}
