import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { migrate, migrationNames } from '../src/kit/server/database/migrate.ts'
import { databaseUrl, onServer } from '../tools/testing/database.ts'
import { freePort } from '../tools/testing/port.ts'
import { bareEnv } from '../tools/testing/program.ts'
import { openRunFolder } from '../tools/testing/run-folder.mjs'

const INSTANCES = 5
const NAME = `inkstone_old_${process.pid}`

describe('an update on several machines at once', () => {
  const folder = openRunFolder('inkstone-starts')
  const children: ChildProcess[] = []
  const server = inject('templateUrl')
  afterAll(async () => {
    for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      child.kill('SIGTERM')
      await once(child, 'close')
    }
    await onServer(server, client => client.query(`drop database if exists ${NAME} with (force)`))
    await folder.close()
  })

  test('of five that start together on an old database one brings it forward, the others wait, and all serve', async () => {
    await onServer(server, client => client.query(`create database ${NAME}`))
    const url = databaseUrl(server, NAME)
    const names = await migrationNames()
    await migrate(url, names.slice(0, Math.floor(names.length / 2)))
    const ports = await Promise.all(Array.from({ length: INSTANCES }, freePort))
    const said = ports.map((port, nth) => {
      const child = spawn(process.execPath, ['src/server.ts'], {
        env: {
          ...bareEnv(),
          DATABASE_URL: url,
          DATA_DIR: join(folder.path, String(nth)),
          PORT: String(port),
          SEED: 'none',
          SIMULATE: 'off',
          ADMIN_PASSWORD: 'seven-brushes-dry',
          CODE_SECRET: 'codes-only-for-tests-0123456789',
          INBOX_SECRET: 'only-for-tests-0123456789',
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      if (child.pid) folder.take(child.pid)
      children.push(child)
      let errors = ''
      child.stderr.on('data', chunk => (errors += chunk))
      return () => (child.exitCode === null ? '' : `ended with ${child.exitCode}: ${errors}`)
    })
    const isReady = async (port: number) => (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.ok
    const ended = () => said.map(tell => tell()).filter(Boolean)
    await expect
      .poll(async () => ended().length > 0 || (await Promise.all(ports.map(isReady))).every(Boolean), {
        timeout: 240_000,
        interval: 500,
      })
      .toBe(true)
    expect(ended()).toEqual([])
    const { applied, admins } = await facts(url)
    expect(applied).toEqual(names)
    expect(admins).toBe(1)
  })
})

async function facts(url: string): Promise<{ applied: string[]; admins: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select name from migration order by name')
    const admins = await client.query("select count(*)::int as n from staff where account = 'admin'")
    return { applied: rows.map(({ name }) => name), admins: admins.rows[0].n }
  } finally {
    await client.end()
  }
}
