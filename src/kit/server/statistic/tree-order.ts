import type { Database } from '../database/database.ts'

export type Placed = { readonly key: string | null; readonly level: number }

/** Records of a tree as they stand below one another, each with how many of them stand above it; what has none comes last. */
export async function inTreeOrder(
  db: Pick<Database, 'read'>,
  tree: string,
  keys: readonly (string | null)[],
): Promise<Placed[]> {
  const there = keys.filter(key => key !== null)
  const rows = await db.read.rows(`select id, path from ${tree} where id = any($1::bigint[]) order by sort, id`, [
    there,
  ])
  const shown = new Set(there)
  const nodes = rows.map(({ id, path }) => {
    const above = String(path)
      .split('/')
      .filter(part => part !== String(id) && shown.has(part))
    return { key: String(id), level: above.length, parent: above.at(-1) }
  })
  const below = Map.groupBy(nodes, ({ parent }) => parent)
  const branch = (parent: string | undefined): Placed[] =>
    (below.get(parent) ?? []).flatMap(({ key, level }) => [{ key, level }, ...branch(key)])
  return [...branch(undefined), ...(keys.includes(null) ? [{ key: null, level: 0 }] : [])]
}
