import type { Reference, Resource } from '#kit/model/resource.ts'
import { MOST_AT_ONCE, type TreeOfNodes } from '#kit/model/tree.ts'
import type { Database, Row } from '../database/database.ts'
import { binder, onlySql } from './scope.ts'
import { fitting } from './search.ts'

/** Which records stand below one another, and what they are called and found by. */
type TreeTable = {
  readonly table: string
  readonly name: string
  readonly search: readonly string[]
  readonly only?: Resource['list']['only']
  /** Which of them are still offered, where not all are. */
  readonly offered?: Reference['offered']
}
type AskedNodes = {
  /** Only what stands directly below this record. */
  readonly below?: string | undefined
  readonly query?: string | undefined
}

/** The rows of a tree that stands on a part of its table, in SQL. */
export function treeRows({ table, only }: Pick<TreeTable, 'table' | 'only'>, bind: (value: unknown) => string): string {
  const bounds = onlySql(only, bind)
  return bounds === '' ? table : `(select * from ${table} t where ${bounds})`
}

/** What a record of a tree is called, where that is more than its name. */
type Naming = (row: Row) => string | undefined

/** Each with how many stand directly below it: all, or level by level where there are too many. What fits a word comes with all above it. */
export async function readNodes(
  db: Database,
  { table: whole, name, search, only, offered }: TreeTable,
  { below, query }: AskedNodes,
  naming: Naming = () => undefined,
): Promise<TreeOfNodes> {
  const { bind, values } = binder()
  const table = treeRows({ table: whole, only }, bind)
  const where: string[] = []
  if (below !== undefined) where.push(`t.parent_id = ${bind(below)}::bigint`)
  if (query !== undefined) {
    const hits = `select t.path from ${table} t where ${fitting(search, query, bind)} limit ${MOST_AT_ONCE}`
    where.push(`exists (select from (${hits}) hit where starts_with(hit.path, t.path))`)
  }
  const read = (more: readonly string[] = []) =>
    db.read.rows(
      `select t.*, (select count(*) from ${table} c where c.parent_id = t.id) as children from ${table} t
       ${[...where, ...more].map((part, at) => `${at === 0 ? 'where' : 'and'} ${part}`).join(' ')}
       order by t.sort, t.id limit ${MOST_AT_ONCE + 1}`,
      values,
    )
  const all = await read()
  const isAll = all.length <= MOST_AT_ONCE
  // Too many for one answer: the two upper levels, and what is below when it is opened.
  const rows = isAll ? all : await read([`length(t.path) - length(replace(t.path, '/', '')) <= 3`])
  return {
    isWhole: isAll && where.length === 0,
    nodes: rows.slice(0, MOST_AT_ONCE).map(row => ({
      id: String(row.id),
      parentId: row.parent_id === null ? null : String(row.parent_id),
      name: naming(row) ?? String(row[name]),
      beside: null,
      ...(offered && !offered.values.includes(String(row[offered.column])) ? { isClosed: true as const } : {}),
      children: Number(row.children),
    })),
  }
}
