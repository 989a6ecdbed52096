import { sql } from 'kysely'
import type { Invariant } from '../change/invariants.ts'
import type { Tx } from '../database/database.ts'

/** A whole number of each row, and the instant whose day it counts on; in SQL the row is `t`, a part of it `p`. Triggers, doctor and readers all ask this. */
export type KeptSum = { readonly at: string; readonly of: string }

/** Beside every instant that is counted by, its table stores the day it is in the business's zone: `paid_at` has `paid_day`, `since` has `since_day`. */
export const dayColumn = (at: string): string => `${at.replace(/_at$/, '')}_day`

/**
 * What the rows of a table add up to by day, department and owner, and by at most a few columns more: kept as they are
 * written (decision 040). Its tables are `<name>_move`, which triggers append to, and `<name>_cell`, which the fold alone writes.
 */
export type RollUp = {
  readonly name: string
  readonly table: string
  /** Column → its type. */
  readonly by: Readonly<Record<string, 'bigint' | 'text'>>
  readonly sums: Readonly<Record<string, KeptSum>>
  /** What each row falls into, an order into its products say: read in SQL from the row itself, and by which columns it is kept. */
  readonly parts?: { readonly from: string; readonly by: readonly string[] }
}

/** Who may see a cell is told by these two, as for the rows themselves. */
const grainOf = ({ by }: RollUp): string[] => ['day', 'org_id', 'owner_id', ...Object.keys(by)]
const sumsOf = ({ sums }: RollUp): string[] => Object.keys(sums)
const columnsOf = (rollUp: RollUp): string => [...grainOf(rollUp), ...sumsOf(rollUp)].join(', ')

/** What the rows of a relation move: one part for each day a row counts on. */
function movesOf(rollUp: RollUp, relation: string, sign: '' | '-'): string[] {
  const instants = new Set(Object.values(rollUp.sums).map(({ at }) => at))
  const { parts } = rollUp
  const rest = Object.keys(rollUp.by).map(column => `, ${parts?.by.includes(column) ? 'p' : 't'}.${column}`)
  return [...instants].map(at => {
    const day = dayColumn(at)
    const sums = Object.entries(rollUp.sums).map(([name, sum]) =>
      sum.at === at ? `${sign}(${sum.of})::bigint as ${name}` : `0::bigint as ${name}`,
    )
    const from = `from ${relation} t${parts ? `, ${parts.from}` : ''} where t.${day} is not null`
    return `select t.${day} as day, t.org_id, t.owner_id${rest.join('')}, ${sums.join(', ')} ${from}`
  })
}

/** One row for each cell that is not moved by nothing. */
function summed(rollUp: RollUp, parts: readonly string[]): string {
  const grain = grainOf(rollUp).join(', ')
  const sums = sumsOf(rollUp)
  return `select ${grain}, ${sums.map(name => `sum(${name}) as ${name}`).join(', ')}
    from (${parts.join('\n      union all ')}) m
    group by ${grain} having ${sums.map(name => `sum(${name}) <> 0`).join(' or ')}`
}

const append = (rollUp: RollUp, parts: readonly string[]): string =>
  `insert into ${rollUp.name}_move (${columnsOf(rollUp)})
    ${summed(rollUp, parts)}`

/** The body of the trigger's function: static SQL, planned once for a connection. */
export function triggerBody(rollUp: RollUp): string {
  const [come, gone] = [movesOf(rollUp, 'new_rows', ''), movesOf(rollUp, 'old_rows', '-')]
  return `
begin
  if tg_op = 'INSERT' then
    ${append(rollUp, come)};
  elsif tg_op = 'DELETE' then
    ${append(rollUp, gone)};
  else
    ${append(rollUp, [...come, ...gone])};
  end if;
  return null;
end `
}

/**
 * What a migration says to begin keeping: tables, triggers, and the cells of what is there. Triggers wait for whoever is
 * writing, so that the cells miss nothing.
 */
export function rollUpSql(rollUp: RollUp): string {
  const { name, table, by } = rollUp
  const sums = sumsOf(rollUp)
  const columns = [
    'day date not null',
    'org_id bigint',
    'owner_id bigint',
    ...Object.entries(by).map(([column, type]) => `${column} ${type}`),
    ...sums.map(sum => `${sum} bigint not null`),
  ].join(',\n  ')
  const on = (event: string, tables: string) =>
    `create trigger ${name}_${event} after ${event} on ${table} referencing ${tables} for each statement execute function ${name}();`
  return `create table ${name}_move (
  ${columns}
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
create table ${name}_cell (
  ${columns}
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
create unique index ${name}_cell_key on ${name}_cell (${grainOf(rollUp).join(', ')}) include (${sums.join(', ')}) nulls not distinct;
create index ${name}_cell_empty on ${name}_cell (day) where ${sums.map(sum => `${sum} = 0`).join(' and ')};

create function ${name}() returns trigger language plpgsql as $$${triggerBody(rollUp)}$$;
${on('insert', 'new table as new_rows')}
${on('update', 'new table as new_rows old table as old_rows')}
${on('delete', 'old table as old_rows')}

insert into ${name}_cell (${columnsOf(rollUp)})
${summed(rollUp, movesOf(rollUp, table, ''))};
`
}

/** Cells and what has moved since, as one relation: whoever reads it finds each movement once, folded or not. */
export const keptRows = ({ name }: RollUp, columns: readonly string[]): string =>
  `(select ${columns.join(', ')} from ${name}_cell union all select ${columns.join(', ')} from ${name}_move)`

/** Takes the movements and adds them to the cells, in one statement; cells nothing is left of go. */
export async function foldRollUp(tx: Tx, rollUp: RollUp): Promise<void> {
  const { name } = rollUp
  const sums = sumsOf(rollUp)
  // In the order of the key: two folds that meet after all wait for each other, they do not lock each other out.
  const text = `
    with taken as (delete from ${name}_move returning *)
    insert into ${name}_cell as c (${columnsOf(rollUp)})
    ${summed(rollUp, ['select * from taken'])} order by ${grainOf(rollUp).join(', ')}
    on conflict (${grainOf(rollUp).join(', ')}) do update set ${sums.map(sum => `${sum} = c.${sum} + excluded.${sum}`).join(', ')}`
  await sql.raw(text).execute(tx)
  await sql.raw(`delete from ${name}_cell where ${sums.map(sum => `${sum} = 0`).join(' and ')}`).execute(tx)
}

/** Rows against cells and movements. What differs is appended as a movement: nothing is locked, and no reader meets a gap. */
export function rollUpInvariant(rollUp: RollUp): Invariant {
  const kept = (of: 'cell' | 'move') =>
    `select ${grainOf(rollUp).join(', ')}, ${sumsOf(rollUp)
      .map(sum => `-${sum}`)
      .join(', ')} from ${rollUp.name}_${of}`
  const parts = [...movesOf(rollUp, rollUp.table, ''), kept('cell'), kept('move')]
  return {
    name: `what ${rollUp.name} keeps is what the rows of ${rollUp.table} add up to`,
    query: summed(rollUp, parts),
    repair: append(rollUp, parts),
  }
}
