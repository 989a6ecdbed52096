import { type Database, type Row, run, type Tx } from '../database/database.ts'
import type { Texts } from '../text/texts.ts'
import type { Handler, Handlers } from './handler.ts'
import { byName, defaultParameters, type Parameters } from './job.ts'

/**
 * Keeps a row for each job the code declares: new ones are added, and a schedule nobody changed follows the code's. What the code
 * no longer has is retired, not deleted: its runs are told by it. What people set stays theirs.
 */
export async function syncJobs(db: Database, handlers: Handlers, texts: Texts): Promise<void> {
  await db.write(async tx => {
    await run(tx, `set local lock_timeout = '2min'`, [])
    await run(tx, `select pg_advisory_xact_lock(hashtext('jobs of the code'))`, [])
    const rows = await run(tx, 'select * from schedule_job', [])
    const known = new Map(rows.map(row => [String(row.handler), row]))
    for (const handler of handlers.values()) {
      const name = texts.text('zh-CN', handler.texts, `job.${handler.name}`)
      const row = known.get(handler.name)
      if (!row) await add(tx, handler, name)
      else await follow(tx, handler, name, row)
    }
    const gone = rows.filter(({ handler, status }) => status !== 'RETIRED' && !handlers.has(String(handler)))
    if (gone.length > 0)
      await run(
        tx,
        `update schedule_job set status = 'RETIRED', was_off = status = 'DISABLED', next_due_at = null, version = version + 1 where id = any($1::bigint[])`,
        [gone.map(({ id }) => id)],
      )
  })
}

const add = (tx: Tx, handler: Handler, name: string) =>
  run(
    tx,
    `insert into schedule_job (handler, name, cron, declared_cron, misfire, parameters) values ($1, $2, $3, $3, $4, $5)`,
    [handler.name, name, handler.cron, handler.misfire, JSON.stringify(defaultParameters(handler))],
  )

async function follow(tx: Tx, handler: Handler, name: string, row: Row): Promise<void> {
  const cron = row.cron === row.declared_cron ? handler.cron : String(row.cron)
  const set = row.parameters as Parameters
  const known = byName(set)
  const parameters = defaultParameters(handler).map(({ name: key, value }) => ({
    name: key,
    value: known[key] ?? value,
  }))
  const status = row.status !== 'RETIRED' ? String(row.status) : row.was_off ? 'DISABLED' : 'ENABLED'
  const wanted = { name, cron, declared_cron: handler.cron, status }
  const isKept =
    Object.entries(wanted).every(([column, value]) => row[column] === value) &&
    set.length === parameters.length &&
    parameters.every(({ name: key, value }) => known[key] === value)
  if (isKept) return
  await run(
    tx,
    `update schedule_job set name = $2, cron = $3, declared_cron = $4, status = $5, parameters = $6, version = version + 1,
       next_due_at = case when cron = $3 and status = $5 then next_due_at end
     where id = $1`,
    [row.id, name, cron, handler.cron, status, JSON.stringify(parameters)],
  )
}
