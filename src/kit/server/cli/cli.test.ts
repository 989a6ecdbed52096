import { randomUUID } from 'node:crypto'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { readEnv } from '#kit/server/env.ts'
import { databaseUrl, onServer } from '../../../../tools/testing/database.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { seedDemo } from '../../../demo/seed.server.ts'
import { changeAccess } from './access.ts'
import { adminCreate } from './admin-create.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { printConfig } from './print-config.ts'
import { restore } from './restore.ts'

let instance: TestInstance
let folder: string
let said: string[]
beforeAll(async () => {
  instance = await openTestInstance()
  await seedDemo(instance.app, { orders: 200, now: new Date() })
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-cli-'))
  said = []
  vi.spyOn(console, 'log').mockImplementation(line => void said.push(String(line)))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const settings = (more: Record<string, string> = {}) =>
  readEnv({ DATABASE_URL: instance.url, DATA_DIR: folder, SEED: 'demo', SIMULATE: 'off', ...more })
const query = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A database that holds nothing, not even tables. */
async function emptyDatabase(): Promise<string> {
  const name = `inkstone_empty_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('templateUrl'), client => client.query(`create database ${name}`))
  afterAll(() =>
    onServer(inject('templateUrl'), async client => void (await client.query(`drop database ${name} with (force)`))),
  )
  return databaseUrl(inject('templateUrl'), name)
}

describe('backup and restore', () => {
  const hashes = async (path: string) => {
    const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'))
    return manifest.tables.map(({ name, sha256 }: { name: string; sha256: string }) => [name, sha256])
  }

  test('what is restored is, row for row, what was backed up', async () => {
    await mkdir(join(folder, 'files'))
    const fileId = randomUUID()
    await writeFile(join(folder, 'files', fileId), 'a picture')
    expect(await backup(['--to', join(folder, 'first')], settings())).toBe(0)
    const empty = await emptyDatabase()
    const other = join(folder, 'other')
    expect(await restore(['--from', join(folder, 'first'), '--into', empty], settings({ DATA_DIR: other }))).toBe(0)
    expect(await readFile(join(other, 'files', fileId), 'utf8')).toBe('a picture')
    await backup(['--to', join(folder, 'second')], settings({ DATABASE_URL: empty, DATA_DIR: other }))
    expect(await hashes(join(folder, 'second'))).toEqual(await hashes(join(folder, 'first')))
    expect(await doctor([], settings({ DATABASE_URL: empty, DATA_DIR: other }))).toBe(0)
  })

  test('numbering goes on after the last record, and counts are kept as before', async () => {
    await backup(['--to', join(folder, 'first')], settings())
    const empty = await emptyDatabase()
    await restore(['--from', join(folder, 'first'), '--into', empty], settings())
    const add = `insert into member (name, phone, source) values ('新', '13912345678', 'APP') returning id::int`
    const [last] = await query(empty, 'select max(id)::int as id from member')
    expect((await query(empty, add))[0].id).toBeGreaterThan(last.id)
  })

  test('nobody is signed in after a restore', async () => {
    await person(instance)
    await backup(['--to', join(folder, 'first')], settings())
    const empty = await emptyDatabase()
    await restore(['--from', join(folder, 'first'), '--into', empty], settings())
    expect(await query(empty, 'select 1 from session where ended_at is null')).toEqual([])
    expect((await query(instance.url, 'select 1 from session where ended_at is null')).length).toBeGreaterThan(0)
  })

  test('a database that holds something is left alone', async () => {
    await backup(['--to', join(folder, 'first')], settings())
    await expect(restore(['--from', join(folder, 'first'), '--into', instance.url], settings())).rejects.toThrow(
      /is not empty/,
    )
  })

  test('a backup of which one byte was changed restores nothing', async () => {
    await backup(['--to', join(folder, 'first')], settings())
    await appendFile(join(folder, 'first', 'tables', 'member.copy.gz'), 'x')
    const empty = await emptyDatabase()
    await expect(restore(['--from', join(folder, 'first'), '--into', empty], settings())).rejects.toThrow(
      /damaged.*member/,
    )
    expect(await query(empty, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  test('a backup of a version this one does not know is refused', async () => {
    await backup(['--to', join(folder, 'first')], settings())
    const path = join(folder, 'first', 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8'))
    manifest.migrations.push({ name: '20991231Z-future.sql', checksum: 'none' })
    await writeFile(path, JSON.stringify(manifest))
    await expect(
      restore(['--from', join(folder, 'first'), '--into', await emptyDatabase()], settings()),
    ).rejects.toThrow(/20991231Z-future/)
  })

  test('a folder in use is not written into, and nobody else may read a backup', async () => {
    await expect(backup(['--to', folder], settings())).resolves.toBe(0)
    await expect(backup(['--to', folder], settings())).rejects.toThrow(/is not empty/)
    expect((await stat(join(folder, 'tables', 'staff.copy.gz'))).mode & 0o077).toBe(0)
  })

  test('a backup that fails leaves nothing behind that could pass for one', async () => {
    const target = join(folder, 'broken')
    await expect(backup(['--to', target], settings({ DATABASE_URL: await emptyDatabase() }))).rejects.toThrow()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('doctor', () => {
  test('finds nothing wrong with a sound installation', async () => {
    expect(await doctor([], settings())).toBe(0)
    expect(said.at(-1)).toBe('All is well.')
  })

  test.each([
    [
      'money set aside that nobody asked for',
      'update sales_order set reserved_fen = reserved_fen + 1 where id = (select min(id) from sales_order where paid_fen > reserved_fen + refunded_fen)',
      /not true that what an order has set aside/,
    ],
    [
      'a count that is not that of the rows',
      `insert into kept_count (table_name, state, n) values ('sales_order', 'PAID', 5)`,
      /kept count of sales_order/,
    ],
    [
      'a migration changed afterwards',
      `update migration set checksum = 'other' where name = (select min(name) from migration)`,
      /was changed after it was applied/,
    ],
    [
      'a migration of a newer version',
      `insert into migration (name, checksum) values ('20991231Z-future.sql', 'x')`,
      /is of a newer version/,
    ],
    [
      'nobody who may do everything',
      `update staff set status = 'DISABLED' where id in (select staff_id from staff_role sr join role r on r.id = sr.role_id where code = 'SUPER_ADMIN')`,
      /no enabled super administrator/,
    ],
    [
      'an event that waits too long',
      `insert into inbox_event (source, event_key, type, payload, received_at, next_at) values ('app', 'x', 'order.browsed', '{}', now() - interval '1 hour', now())`,
      /1 events wait/,
    ],
    [
      'a line of the log from the future',
      `insert into operation_log (at, actor_name, address, request_id, page, action, code) values (now() + interval '1 day', 'x', '', '', '', '', 0)`,
      /from the future/,
    ],
  ])('names %s', async (_name, fault, sentence) => {
    const sick = await openTestInstance()
    await seedDemo(sick.app, { orders: 50, now: new Date() })
    await query(sick.url, fault)
    expect(await doctor([], settings({ DATABASE_URL: sick.url }))).toBe(1)
    expect(said.join('\n')).toMatch(sentence)
  })

  test('names a secret that others can read', async () => {
    await writeFile(join(folder, 'inbox-secret'), 'x')
    await chmod(join(folder, 'inbox-secret'), 0o644)
    expect(await doctor([], settings())).toBe(1)
    expect(said.join('\n')).toMatch(/others may read inbox-secret/)
  })

  test('names demo passwords behind an address other machines can reach', async () => {
    expect(await doctor([], settings({ HOST: '0.0.0.0' }))).toBe(1)
    expect(said.join('\n')).toMatch(/accounts have the demo password/)
  })
})

describe('access', () => {
  test('what is taken from a role is refused within a second, and works again when given back', async () => {
    const seller = await person(instance, { grants: { 'order-list': ['list'] } })
    const [{ code }] = await query(
      instance.url,
      `select r.code from role r join staff_role sr on sr.role_id = r.id where sr.staff_id = ${seller.id}`,
    )
    expect((await seller.get('/orders/order')).status).toBe(200)
    await changeAccess(['revoke', code, 'order-list', 'list'], settings())
    await vi.waitFor(async () => expect((await seller.get('/orders/order')).status).toBe(403), {
      timeout: 1_000,
      interval: 20,
    })
    await changeAccess(['grant', code, 'order-list', 'list'], settings())
    await vi.waitFor(async () => expect((await seller.get('/orders/order')).status).toBe(200), {
      timeout: 1_000,
      interval: 20,
    })
  })

  test.each([
    [[]],
    [['grant']],
    [['grant', 'SALES']],
    [['take', 'SALES', 'order-list']],
    [['grant', 'A', 'b', 'c', 'd']],
    [['--force']],
  ])('%j is answered with how it is used', async args => {
    await expect(changeAccess(args, settings())).rejects.toThrow(/Usage: npm run access/)
  })
})

describe('other commands', () => {
  test('an administrator made by hand gets a password that is shown once', async () => {
    expect(await adminCreate(['--username', 'second-admin'], settings())).toBe(0)
    expect(said.join('\n')).toMatch(/second-admin can sign in with the password [a-z0-9-]{20,}/)
    const [row] = await query(instance.url, `select must_change from staff where account = 'second-admin'`)
    expect(row).toEqual({ must_change: true })
  })

  test('the settings are printed without their secrets', async () => {
    await printConfig([], settings({ ADMIN_PASSWORD: 'correct-horse-battery' }))
    expect(said).toContain('ADMIN_PASSWORD=***')
    expect(said).toContain('DATABASE_URL=***')
    expect(said.join()).not.toMatch(/correct-horse|postgres/)
  })
})
