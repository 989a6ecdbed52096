import type pg from 'pg'
import { headOf } from '#kit/server/change/log-check.ts'

/** How far the operation log is sealed, to be compared with what was told before; and lines whose month is missing. */
export async function findAside(pool: pg.Pool): Promise<string[]> {
  const { seal_id, hash, line_id } = await headOf(pool)
  const { rows } = await pool.query(
    `select (select count(*)::int from operation_log where id > $1) as waiting,
       (select count(*)::int from part.operation_log_short_rest) + (select count(*)::int from part.operation_log_long_rest)
         + (select count(*)::int from part.login_trace_rest) as aside`,
    [line_id],
  )
  const { waiting, aside } = rows[0]
  return [
    ...(BigInt(seal_id) > 0n ? [`the operation log is sealed up to line ${line_id} by seal ${seal_id}, ${hash}`] : []),
    ...(waiting ? [`${waiting} lines of it wait to be sealed`] : []),
    ...(aside ? [`${aside} lines of the logs stand in no month; the console puts them there within the hour`] : []),
  ]
}
