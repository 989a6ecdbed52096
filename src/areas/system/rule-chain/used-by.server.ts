import { sql } from 'kysely'
import { parse } from '#engines/rule/parser.model.ts'
import { type Expression, idOf, inside } from '#engines/rule/tree.model.ts'
import type { Queries } from '#kit/server/change/rules.ts'

/** The names of the chains that ask each of these ids. The database finds the word, reading tells whether it is more than a remark. */
export async function usersOf(db: Queries, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; name: string; source: string }>`
    select asked.id, c.name, c.source from unnest(${ids}::text[]) asked (id)
    join rule_chain c on c.chain_id <> asked.id and c.source ~ ('\\m' || asked.id || '\\M')
    order by c.name limit 1000`.execute(db)
  const read = new Map<string, ReadonlySet<string>>()
  const isAsked = ({ id, source }: { id: string; source: string }): boolean => {
    const asked = read.get(source) ?? askedIn(source)
    read.set(source, asked)
    return asked.has(id)
  }
  const users = Map.groupBy(rows.filter(isAsked), ({ id }) => id)
  return new Map([...users].map(([id, chains]) => [id, chains.map(({ name }) => name)]))
}

function askedIn(source: string): ReadonlySet<string> {
  const within = (expression: Expression): (string | undefined)[] => [
    idOf(expression),
    ...inside(expression).flatMap(within),
  ]
  const ids = parse(source).tree.statements.flatMap(({ value }) => within(value))
  return new Set(ids.filter(id => id !== undefined))
}
