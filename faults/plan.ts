import { MAX_LOOKED_UP } from '../src/kit/server/list/list.ts'

/** A node of what EXPLAIN (ANALYZE, FORMAT JSON) answers, as far as it is read here. */
export type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

/** By the name a plan gives: whose part that is, or the table itself, and the rows of the whole table. */
export type Sizes = ReadonlyMap<string, { readonly table: string; readonly rows: number }>

/** Above this a table counts as big. */
export const BIG = 10_000
/** How much more than the best plan a plan may read: estimates are estimates. */
const SLACK = 4
/** What an entry of an index costs, against a row. */
const ENTRY = 0.1

/**
 * The most rows a page may read of a big table. A condition that matches the share s of n rows is answered by walking the
 * list's order until the page is full (size / s rows) or by fetching what matches (n · s rows); the lesser of the two is
 * never more than √(size · n).
 */
const mostRows = (size: number, rows: number): number => Math.ceil(SLACK * Math.sqrt(size * rows))

/**
 * What is wrong with the plan of a page, in words; empty when it answers by index. What is read of the parts of a table is read of it.
 * `own` is the table of the list; of others its search looks up more than a page.
 */
export function faultsOf(plan: Plan, { own, size }: { own: string; size: number }, sizes: Sizes): string[] {
  const read = new Map<string, { rows: number; of: number; by: string[] }>()
  const faults: string[] = []
  for (const node of scansOf(plan)) {
    const name = node['Relation Name'] as string
    const { table, rows: of } = sizes.get(name) ?? { table: name, rows: 0 }
    if (of <= BIG) continue
    if (node['Node Type'] === 'Seq Scan') faults.push(`reads ${table} without an index`)
    const so = read.get(table) ?? { rows: 0, by: [] }
    read.set(table, { rows: so.rows + rowsOf(node), of, by: [...so.by, node['Index Name'] ?? node['Node Type']] })
  }
  for (const [table, { rows, of, by }] of read) {
    const most = mostRows(table === own ? size : MAX_LOOKED_UP, of)
    if (rows > most) faults.push(`reads ${Math.round(rows)} rows of ${table} by ${by.join(', ')}; at most ${most}`)
  }
  return faults
}

/** Rows looked at, matching or not. What indexes name for a bitmap, and another condition takes away, counts less: no row is fetched. */
function rowsOf(node: Plan): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const named =
    node['Node Type'] === 'Bitmap Heap Scan' ? (node.Plans ?? []).reduce((sum, one) => sum + namedBy(one), 0) : 0
  return Math.max((node['Actual Rows'] + removed) * node['Actual Loops'], named * ENTRY)
}

const namedBy = (node: Plan): number =>
  node['Node Type'] === 'Bitmap Index Scan'
    ? node['Actual Rows'] * node['Actual Loops']
    : (node.Plans ?? []).reduce((sum, one) => sum + namedBy(one), 0)

const scansOf = (plan: Plan): Plan[] => [
  ...(plan['Relation Name'] === undefined ? [] : [plan]),
  ...(plan.Plans ?? []).flatMap(scansOf),
]
