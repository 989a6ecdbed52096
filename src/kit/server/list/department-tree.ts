import type { Scope } from '#kit/model/actor.ts'
import { columnOf } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import type { Resource } from '#kit/model/resource.ts'
import { MOST_AT_ONCE, type TreeOfNodes } from '#kit/model/tree.ts'
import type { Database, Row } from '../database/database.ts'
import type { Counts } from './count.ts'
import { BELOW, belowIn } from './departments.ts'
import type { Condition, ListQuery } from './list-query.ts'
import { binder } from './scope.ts'

/**
 * Looks up which departments are meant before rows are asked for, at the side of a list and in filters by a record of a tree: the
 * planner has to know them, because the right plan of a department with half of all rows is the wrong one of a department
 * with none (docs/decisions/014).
 */
export async function withDepartments(db: Pick<Database, 'read'>, query: ListQuery): Promise<ListQuery> {
  const below = async (text: string, of: readonly string[]) =>
    (await db.read.rows(`${text}($1::bigint[])`, [of])).map(({ id }) => String(id))
  const conditions = await Promise.all(
    query.conditions.map(async condition => {
      const { branches } = condition
      return branches ? among(condition, await below(belowIn(branches.tree), branches.of)) : condition
    }),
  )
  const of = query.departments?.of
  return { ...query, conditions, ...(of && { departments: { of, all: await below(BELOW, of) } }) }
}

/** The same condition, by the records it means. */
function among(condition: Condition, all: readonly string[]): Condition {
  const column = `t.${columnOf(condition.field)}`
  // One as an equality, so that an index on (field, id) gives the order too.
  const sql: Condition['sql'] = bind =>
    all.length === 1 ? `${column} = ${bind(all[0])}::bigint` : `${column} = any(${bind(all)}::bigint[])`
  return { ...condition, sql }
}

type Department = { readonly id: string; readonly path: string; readonly name: string }

/**
 * The departments a person may tell rows by, with how many rows each has, those below it included: those of the person's
 * scope on this list, and nothing of the others, not even what they are called. One whose superior department is out of sight
 * stands below the next one that is not.
 */
export async function readDepartments(
  { db, counts }: { db: Database; counts: Counts },
  resource: Resource,
  scope: Scope,
  language: Language,
): Promise<TreeOfNodes> {
  const [rows, counted] = await Promise.all([inSight(db, scope), counts.byDepartment(resource, scope)])
  const departments = rows.map(
    (row): Department => ({ id: String(row.id), path: String(row.path), name: String(row.name) }),
  )
  const seen = new Set(departments.map(({ id }) => id))
  const above = ({ path, id }: Department) =>
    path.split('/').findLast(part => part !== '' && part !== id && seen.has(part)) ?? null
  const parents = departments.map(above)
  return {
    isWhole: true,
    nodes: departments.map((department, at) => {
      const { id, path, name } = department
      const count = counted.reduce((sum, { path: own, n }) => (own.startsWith(path) ? sum + n : sum), 0)
      return {
        id,
        parentId: parents[at] ?? null,
        name,
        beside: count.toLocaleString(language),
        children: parents.filter(parent => parent === id).length,
      }
    }),
  }
}

function inSight({ read }: Database, scope: Scope): Promise<Row[]> {
  const columns = `select o.id, o.path, o.name from org o`
  const order = `order by o.sort, o.id limit ${MOST_AT_ONCE}`
  const { bind, values } = binder()
  const rule = departmentsSql(scope, bind)
  return read.rows(`${columns} ${rule && `where ${rule}`} ${order}`, values)
}

function departmentsSql(scope: Scope, bind: (value: unknown) => string): string {
  if (scope.all) return ''
  const rule = `(o.id = any(${bind(scope.orgs)}::bigint[]) or o.id in (select s.org_id from staff s where s.id = any(${bind(scope.owners)}::bigint[])))`
  const bound = scope.within ? departmentsSql(scope.within, bind) : ''
  return bound === '' ? rule : `${rule} and ${bound}`
}
