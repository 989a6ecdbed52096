import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openTestInstance } from '../../../../tools/testing/instance.ts'
import { withConnection } from './connection.ts'
import { openRows } from './cursor.ts'
import { type Database, isDatabaseAway } from './database.ts'

test('a connection lost between two statements of a command fails the command with what the database said, not the process', async () => {
  const { app, url } = await openTestInstance()
  const uncaught = await uncaughtDuring(async () => {
    const work = withConnection({ connectionString: url }, async client => {
      await cutOff(app.db, (await client.query('select pg_backend_pid() as pid')).rows[0].pid)
      await client.query('select 1')
    })
    await expect(work).rejects.toThrow(/administrator command/)
  })
  expect(uncaught).toEqual([])
})

test('a connection lost between two statements of a change fails that change alone; the next call is served', async () => {
  const { app } = await openTestInstance()
  const uncaught = await uncaughtDuring(async () => {
    const change = app.db.write(async tx => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await cutOff(app.db, rows[0]?.pid)
      await sql`select 1`.execute(tx)
    })
    await expect(change).rejects.toThrow()
  })
  expect(uncaught).toEqual([])
  expect((await app.db.read.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a change ended by a signal nobody sent on purpose is made after all', async () => {
  const { app } = await openTestInstance()
  let tries = 0
  const change = app.db.write(async tx => {
    tries += 1
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    if (tries > 1) return 'done'
    const asleep = sql`select pg_sleep(20)`.execute(tx)
    asleep.catch(() => {})
    await expect
      .poll(async () => {
        const { rows: seen } = await app.db.read.pool.query('select query from pg_stat_activity where pid = $1', [
          rows[0]?.pid,
        ])
        return seen[0]?.query
      })
      .toContain('pg_sleep')
    await app.db.read.pool.query('select pg_cancel_backend($1)', [rows[0]?.pid])
    return asleep
  })
  expect([await change, tries]).toEqual(['done', 2])
})

describe('a database that is away is known as such', () => {
  const cases: Record<string, (socket: Socket) => void> = {
    'that ends the line as soon as somebody asks': socket => void socket.once('data', () => socket.end()),
    'that breaks the line as soon as somebody asks': socket => void socket.once('data', () => socket.resetAndDestroy()),
    'that breaks the line at once': socket => void socket.resetAndDestroy(),
    'that says it is starting': socket =>
      void socket.once('data', () => socket.end(errorMessage('57P03', 'the database system is starting up'))),
  }
  for (const [name, meet] of Object.entries(cases)) {
    test(name, async () => {
      const server = createServer(socket => meet(socket.on('error', () => {})))
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const { port } = server.address() as { port: number }
      expect(isDatabaseAway(await failureAt(`127.0.0.1:${port}`))).toBe(true)
      server.close()
      await once(server, 'close')
    })
  }

  test('that takes the line and never answers, to a call and to an export, which has a line of its own', async () => {
    const lines = new Set<Socket>()
    const server = createServer(socket => void lines.add(socket.on('error', () => {})))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const url = `postgres://nobody@127.0.0.1:${port}/nothing`
    const failures = await Promise.all([
      failureAt(`127.0.0.1:${port}`, 50),
      openRows({ url, waitMs: 50 }).catch((error: unknown) => error),
    ])
    for (const failure of failures) expect(isDatabaseAway(failure), String(failure)).toBe(true)
    for (const line of lines) line.destroy()
    server.close()
    await once(server, 'close')
  })

  test('where nobody listens, at any of the addresses of a name', async () => {
    expect(isDatabaseAway(await failureAt('127.0.0.1:1'))).toBe(true)
    expect(isDatabaseAway(await failureAt('localhost:1'))).toBe(true)
  })

  test('under a caller who has the connection in hand, and at his next statement', async () => {
    const { app } = await openTestInstance()
    const client = await app.db.read.pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const asleep = client.query('select pg_sleep(20)').catch((error: unknown) => error)
    await app.db.count.pool.query('select pg_terminate_backend($1, 5000)', [rows[0].pid])
    expect(isDatabaseAway(await asleep)).toBe(true)
    expect(isDatabaseAway(await client.query('select 1').catch((error: unknown) => error))).toBe(true)
    client.release(true)
  })

  test('but not for a statement that is wrong or took too long', async () => {
    const { app } = await openTestInstance()
    for (const text of ['select 1/0', 'select no_such_column', 'set statement_timeout = 1; select pg_sleep(1)'])
      expect(isDatabaseAway(await app.db.read.pool.query(text).catch((error: unknown) => error))).toBe(false)
  })
})

async function failureAt(host: string, waitMs = 5_000): Promise<unknown> {
  const pool = new pg.Pool({ connectionString: `postgres://nobody@${host}/nothing`, connectionTimeoutMillis: waitMs })
  pool.on('error', () => {})
  const failure = await pool.query('select 1').catch((error: unknown) => error)
  await pool.end()
  return failure
}

/** As PostgreSQL writes a refusal before it lets anybody in. */
function errorMessage(state: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Until what the server said of it has come, with no statement under way that could be told. */
async function cutOff(db: Database, pid: number | undefined): Promise<void> {
  await db.read.pool.query('select pg_terminate_backend($1, 5000)', [pid])
  await new Promise(resolve => setTimeout(resolve, 100))
}

async function uncaughtDuring(work: () => Promise<void>): Promise<unknown[]> {
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtExceptionMonitor', note)
  await work()
  process.off('uncaughtExceptionMonitor', note)
  return uncaught
}
