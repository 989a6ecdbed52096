import type pg from 'pg'
import type { Scope } from '../src/kit/model/actor.ts'
import { columnOf } from '../src/kit/model/field.ts'
import { isTimed, metaOf, type Resource } from '../src/kit/model/resource.ts'
import type { Catalogue } from '../src/kit/server/catalogue.ts'
import { requireReference } from '../src/kit/server/declared.ts'

/** What a person may ask of a list: its address after the question mark, and whose rows that person sees. */
export type Question = { readonly name: string; readonly search: Record<string, string>; readonly scope: Scope }

const ALL: Scope = { all: true }
const DAY_FORMAT = `'YYYY-MM-DD'`
/** More states, kinds or entries than any list of ours has to choose from. */
const FEW = 40

/** Every question of a list that has one condition: its default view, each tab, filter, sort and search, and each scope. */
export async function questionsOf(client: pg.Client, resource: Resource, catalogue: Catalogue): Promise<Question[]> {
  const { filters, sort, tabs, search } = resource.list
  const asked = (given: Record<string, string>): Question => ({
    name: new URLSearchParams(given).toString(),
    search: given,
    scope: ALL,
  })
  const values = async (field: string) => (await sampled(client, resource, field)).map(given => asked(given))
  const filtered: Question[] = []
  for (const field of filters) filtered.push(...(await values(field)))
  const tab = tabs === undefined ? [] : await values(tabs)
  return [
    asked({}),
    ...filtered,
    ...(isTimed(resource) ? [asked({ overdue: '1' })] : []),
    ...(resource.list.side ? await departments(client, resource) : []).map(department => asked({ department })),
    ...['id', ...sort].flatMap(field => ['asc', 'desc'].map(way => asked({ sort: `${field}:${way}` }))),
    ...(await typed(client, resource, catalogue, search)).map(query => asked({ query })),
    ...(await scopesOf(client, resource)).flatMap(([who, scope]) =>
      [asked({}), ...tab].map(question => ({ ...question, scope, name: `${who}: ${question.name}` })),
    ),
  ]
}

/** Values of a field that tell plans apart: the commonest, the rarest, and edges of ranges near and far. */
async function sampled(client: pg.Client, resource: Resource, field: string): Promise<Record<string, string>[]> {
  const meta = metaOf(resource, field)
  const column = columnOf(field)
  if (meta.kind === 'instant' || meta.kind === 'day' || meta.kind === 'money' || meta.kind === 'number') {
    const shown =
      meta.kind === 'instant'
        ? `to_char(v at time zone 'Asia/Shanghai', ${DAY_FORMAT})`
        : meta.kind === 'day'
          ? `to_char(v, ${DAY_FORMAT})`
          : 'v::text'
    const edges = await column1(
      client,
      `select ${shown} from unnest((select percentile_disc(array[0.01, 0.5, 0.99]) within group (order by ${column})
       from ${resource.table} t ${boundsOf(resource)})) as v where v is not null`,
    )
    return edges.flatMap(edge => [
      { [`${field}Begin`]: edge },
      { [`${field}End`]: edge },
      { [`${field}Begin`]: edge, [`${field}End`]: edge },
    ])
  }
  const value = meta.kind === 'tags' ? `unnest(t.${column})` : `t.${column}`
  const byFrequency = await column1(
    client,
    `select v::text from (select ${value} as v from ${resource.table} t ${boundsOf(resource)}) s where v is not null group by v order by count(*) desc, v`,
  )
  const few = meta.kind === 'choice' || meta.kind === 'dictionary' || meta.kind === 'flag'
  // An entry of a dictionary may be one record's alone: copies of such records have as many entries as there are copies.
  const picked = [...byFrequency.slice(0, few ? FEW : 1), ...byFrequency.slice(few ? FEW : 1).slice(-1)]
  const begun = meta.kind === 'text' || meta.kind === 'code' ? picked.map(text => [...text].slice(0, 2).join('')) : []
  return [...new Set([...picked, ...begun])].map(one => ({ [field]: one }))
}

/** What people type: something that is there, how many things begin, and something that is not there. */
async function typed(
  client: pg.Client,
  resource: Resource,
  catalogue: Catalogue,
  fields: readonly string[],
): Promise<string[]> {
  if (fields.length === 0) return []
  const words = new Set(['没有这个'])
  for (const field of fields) {
    const meta = metaOf(resource, field)
    if (meta.kind === 'personal') continue
    const { table, column } =
      meta.kind === 'reference'
        ? { table: requireReference(catalogue, meta.to).table, column: requireReference(catalogue, meta.to).label.name }
        : { table: resource.table, column: columnOf(field) }
    const [text] = await column1(
      client,
      `select ${column} from ${table} where ${column} is not null order by id limit 1`,
    )
    if (text === undefined) continue
    words.add(text)
    words.add([...text].slice(0, 1).join(''))
    // Of a name its end, which many share; of its spelling the initials.
    words.add([...text].slice(-2).join(''))
    // Of a number as much of its end as people read aloud.
    if (meta.kind === 'code') words.add([...text].slice(-6).join(''))
    for (const initials of await initialsIn(client, table)) words.add(initials)
  }
  return [...words]
}

/** How the names of a table are spelled in short, where they are: the commonest, and the first two letters of it. */
async function initialsIn(client: pg.Client, table: string): Promise<string[]> {
  const kept = await column1(
    client,
    `select attname from pg_attribute where attrelid = '${table}'::regclass and attname = 'name_initials'`,
  )
  if (kept.length === 0) return []
  const [initials = ''] = await column1(
    client,
    `select name_initials from ${table} where name_initials is not null group by 1 order by count(*) desc, 1 limit 1`,
  )
  return [initials, initials.slice(0, 2)].filter(text => text !== '')
}

/** Departments that tell plans apart, each with those below: all of them, the largest, the smallest that has rows, and one without. */
const departments = (client: pg.Client, { table }: Resource): Promise<string[]> =>
  column1(
    client,
    `select id::text from (
       select o.id, row_number() over (order by n desc, o.id) as most, row_number() over (order by n, o.id) as least,
         row_number() over (partition by n > 0 order by n, o.id) as fewest
       from org o, lateral (
         select count(*) as n from ${table} t join org below on below.id = t.org_id where starts_with(below.path, o.path)
       ) counted
     ) ranked where most <= 2 or least = 1 or fewest = 1 order by id`,
  )

/** Scopes that matter: one's own, one's own where nobody's are, a team's, a department's, a small department's, and those of carers. */
async function scopesOf(client: pg.Client, resource: Resource): Promise<[string, Scope][]> {
  if (resource.scope === 'shared') return []
  const by = (column: string) =>
    column1(
      client,
      `select ${column}::text from ${resource.table} where ${column} is not null group by 1 order by count(*) desc, 1`,
    )
  const [owners, orgs] = [await by('owner_id'), await by('org_id')]
  const scope = (ofOwners: readonly string[], ofOrgs: readonly string[]): Scope => ({
    all: false,
    owners: ofOwners,
    orgs: ofOrgs,
  })
  const carers = resource.carer === undefined ? [] : await by(columnOf(resource.carer))
  const theirs = await column1(
    client,
    `select distinct org_id::text from staff where id = any('{${carers.slice(0, 1).join()}}')`,
  )
  const cared: [string, Scope][] = [
    ["a carer's", scope(carers.slice(0, 1), [])],
    ["a carer's department's", scope([], theirs)],
  ]
  return [
    ...(carers.length > 0 ? cared : []),
    ['own', scope(owners.slice(0, 1), [])],
    ['own but few', scope(owners.slice(-1), [])],
    ['own but none', scope(['9000000000000'], [])],
    ["a team's", scope(owners.slice(0, 3), [])],
    ["a department's", scope([], orgs.slice(0, 1))],
    ['own and departments', scope(owners.slice(-1), orgs.slice(-2))],
  ]
}

const boundsOf = ({ list: { only = {} } }: Resource): string => {
  const parts = Object.entries(only).map(
    ([field, values]) => `t.${columnOf(field)} in (${(values ?? []).map(value => `'${value}'`).join(', ')})`,
  )
  return parts.length === 0 ? '' : `where ${parts.join(' and ')}`
}

const column1 = async (client: pg.Client, text: string): Promise<string[]> =>
  (await client.query({ text, rowMode: 'array' })).rows.map(row => String(row[0]))
