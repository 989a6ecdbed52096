import { sql } from 'kysely'
import type { Queries } from '#kit/server/change/rules.ts'

/** The names of the chains that speak of each of these ids, as a word of their text. */
export async function usersOf(db: Queries, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select asked.id, c.name from unnest(${ids}::text[]) asked (id)
    join rule_chain c on c.chain_id <> asked.id and c.source ~ ('\\m' || asked.id || '\\M')
    order by c.name limit 1000`.execute(db)
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, users]) => [id, users.map(({ name }) => name)]))
}
