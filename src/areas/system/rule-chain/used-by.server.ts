import { sql } from 'kysely'
import { parse } from '#engines/rule/parser.model.ts'
import { askedIn } from '#engines/rule/reach.model.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import type { Queries } from '#kit/server/change/rules.ts'

/** The names of the chains that ask each of these ids. The database finds the word, reading tells whether it is more than a remark. */
export async function usersOf(db: Queries, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; name: string; source: string }>`
    select asked.id, c.name, c.source from unnest(${ids}::text[]) asked (id)
    join rule_chain c on c.chain_id <> asked.id and c.source ~ ('\\m' || asked.id || '\\M')
    order by c.name limit 1000`.execute(db)
  const read = new Map<string, ReadonlySet<string>>()
  const isAsked = ({ id, source }: { id: string; source: string }): boolean => {
    const asked = read.get(source) ?? askedIn(parse(source).tree)
    read.set(source, asked)
    return asked.has(id)
  }
  const users = Map.groupBy(rows.filter(isAsked), ({ id }) => id)
  return new Map([...users].map(([id, chains]) => [id, chains.map(({ name }) => name)]))
}

export const usersOfOne = async (db: Queries, name: string): Promise<string[]> =>
  (await usersOf(db, [name])).get(name) ?? []

/** What chains ask stays. `nameOf` says by which name they ask a row. */
export async function keptByChains<Row extends { readonly id: string }>(
  db: Queries,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Promise<Map<string, Refusal>> {
  const users = await usersOf(db, rows.map(nameOf))
  return new Map(
    rows.flatMap(row => {
      const [name] = users.get(nameOf(row)) ?? []
      return name === undefined ? [] : [[row.id, refuse('in-chain', { name })] as const]
    }),
  )
}

/** Until the transaction ends nobody else publishes or takes away a rule: what one asks of another is judged by what stands. */
export const holdRules = ({ tx }: Pick<Change, 'tx'>) =>
  sql`select pg_advisory_xact_lock(hashtext('rules published'))`.execute(tx)

/** Asked once more, when nobody can publish a chain that asks it. */
export async function requireUnused(change: Pick<Change, 'tx'>, name: string): Promise<void> {
  await holdRules(change)
  const [user] = await usersOfOne(change.tx, name)
  if (user !== undefined) throw new Refused(refuse('in-chain', { name: user }))
}
