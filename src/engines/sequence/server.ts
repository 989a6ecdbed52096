import { sql } from 'kysely'
import { dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { type NumberKind, numberOf } from './model.ts'

/**
 * The next number of a kind and day. It is given for good at once, whatever becomes of the change that asked: nobody waits
 * for another's change to end. So a change that fails leaves a gap, and no number is given twice.
 */
export async function nextNumber({ app, now }: Pick<Change, 'app' | 'now'>, kind: NumberKind): Promise<string> {
  const day = dayOf(now)
  const { rows } = await sql<{ last: string }>`
    insert into number_sequence as s (kind, day, last) values (${kind}, ${day}, 1)
    on conflict (kind, day) do update set last = s.last + 1
    returning last`.execute(app.db.apart)
  return numberOf(kind, day, Number(rows[0]?.last))
}

/** What carries the numbers of a kind: the column, and when each was given, if the record tells that as well. */
type Numbered = { readonly table: string; readonly no: string; readonly givenAt?: string; readonly where?: string }

/** The promises of a kind of number, told by whoever gives it to records. */
export const numbersKept = (kind: NumberKind, { table, no, givenAt, where = 'true' }: Numbered): Invariant[] => {
  const day = `substr(${no}, ${kind.length + 1}, 8)`
  return [
    {
      name: `no number of ${table} is used that its sequence has still to give`,
      query: `
        with used as (
          select ${day} as day, max(running_number(substr(${no}, ${kind.length + 9}))) as last from ${table} where ${where} group by 1
        )
        select used.day, used.last as used, s.last from used
        left join number_sequence s on s.kind = '${kind}' and to_char(s.day, 'YYYYMMDD') = used.day
        where s.last is null or used.last > s.last`,
    },
    ...(givenAt === undefined
      ? []
      : [
          {
            name: `a number of ${table} tells the day on which it was given`,
            query: `
              select ${no}, ${givenAt} from ${table}
              where ${where} and ${day} <> to_char(${givenAt} at time zone 'Asia/Shanghai', 'YYYYMMDD')`,
          },
        ]),
  ]
}
