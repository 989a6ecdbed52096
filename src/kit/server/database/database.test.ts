import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestInstance } from '../../../../tools/testing/instance.ts'

test('a connection lost between two statements of a change fails that change alone; the next call is served', async () => {
  const { app } = await openTestInstance()
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtExceptionMonitor', note)
  const change = app.db.write(async tx => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await app.db.read.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    // Until what the server said of it has come, with no statement under way that could be told.
    await new Promise(resolve => setTimeout(resolve, 100))
    await sql`select 1`.execute(tx)
  })
  await expect(change).rejects.toThrow()
  process.off('uncaughtExceptionMonitor', note)
  expect(uncaught).toEqual([])
  expect((await app.db.read.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
