import { randomUUID } from 'node:crypto'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { lockFolder, shareFolder } from '#kit/server/database/console-lock.ts'
import { readEnv } from '#kit/server/process/env.ts'
import { contentsOf } from '../../../../tools/testing/contents.ts'
import {
  cloneDatabase,
  emptyDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
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
  // What is compared with its backup is not to be tidied meanwhile.
  await instance.house.stop()
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

async function emptyUrl(): Promise<string> {
  const { url, drop } = await emptyDatabase()
  afterAll(drop)
  return url
}

/** Cuts the connection of a restore while it brings rows in. */
async function breakOff(url: string): Promise<void> {
  for (let cut = 0; cut === 0; )
    cut = (
      await query(
        instance.url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and query like 'copy %'`,
      )
    ).length
}

describe('backup and restore', () => {
  test('what is restored is, row for row, what was backed up', async () => {
    await mkdir(join(folder, 'files'))
    const fileId = randomUUID()
    await writeFile(join(folder, 'files', fileId), 'a picture')
    expect(await backup(['--to', join(folder, 'first')], settings())).toBe(0)
    const empty = await emptyUrl()
    const other = join(folder, 'other')
    expect(await restore(['--from', join(folder, 'first'), '--into', empty], settings({ DATA_DIR: other }))).toBe(0)
    expect(await readFile(join(other, 'files', fileId), 'utf8')).toBe('a picture')
    expect(await contentsOf(empty)).toEqual(await contentsOf(instance.url))
    expect(await doctor([], settings({ DATABASE_URL: empty, DATA_DIR: other }))).toBe(0)
  })

  test('a file thrown away while the backup is made is in it, as its row is', async () => {
    await mkdir(join(folder, 'files'))
    const id = randomUUID()
    const path = join(folder, 'files', id)
    await writeFile(path, 'a picture', { mode: 0o600 })
    await query(
      instance.url,
      `insert into file (id, purpose, owner_id, name, type, bytes, sha256, created_at) select '${id}', 'proof', min(id), 'a.png', 'image/png', 9, '', now() from staff`,
    )
    const holder = new pg.Client({ connectionString: instance.url })
    await holder.connect()
    await holder.query('begin; lock table tracking_event in access exclusive mode')
    const making = backup(['--to', join(folder, 'first')], settings())
    await expect
      .poll(async () => (await holder.query('select 1 from pg_locks where not granted')).rows.length)
      .toBeGreaterThan(0)
    await query(instance.url, `delete from file where id = '${id}'`)
    await rm(path)
    await holder.end()
    await making
    const other = join(folder, 'other')
    const empty = await emptyUrl()
    await restore(['--from', join(folder, 'first'), '--into', empty], settings({ DATA_DIR: other }))
    expect(await query(empty, `select name from file where id = '${id}'`)).toEqual([{ name: 'a.png' }])
    expect(await readFile(join(other, 'files', id), 'utf8')).toBe('a picture')
  })

  test('what is restored is read by its owner alone, whatever became of the modes in between', async () => {
    await mkdir(join(folder, 'files'))
    const id = randomUUID()
    await writeFile(join(folder, 'files', id), 'a picture', { mode: 0o600 })
    await writeFile(join(folder, 'code-secret'), 'x', { mode: 0o600 })
    await backup(['--to', join(folder, 'first')], settings())
    for (const name of ['code-secret', `files/${id}`]) await chmod(join(folder, 'first', name), 0o644)
    const other = join(folder, 'other')
    await mkdir(join(other, 'files'), { recursive: true, mode: 0o755 })
    await restore(['--from', join(folder, 'first'), '--into', await emptyUrl()], settings({ DATA_DIR: other }))
    const modes = ['files', `files/${id}`, 'code-secret'].map(
      async name => (await stat(join(other, name))).mode & 0o777,
    )
    expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o600])
  })

  test('numbering goes on after the last record, and counts are kept as before', async () => {
    await backup(['--to', join(folder, 'first')], settings())
    const empty = await emptyUrl()
    await restore(['--from', join(folder, 'first'), '--into', empty], settings())
    const add = `insert into member (name, phone, source) values ('新', '13912345678', 'APP') returning id::int`
    const [last] = await query(empty, 'select max(id)::int as id from member')
    expect((await query(empty, add))[0].id).toBeGreaterThan(last.id)
  })

  test('nobody is signed in after a restore', async () => {
    await person(instance)
    await backup(['--to', join(folder, 'first')], settings())
    const empty = await emptyUrl()
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

  test.each([
    ['has its database there', lockFolder],
    ['shares it with others', shareFolder],
  ])(
    'nothing is restored into the folder of a running console that %s, whichever database is named',
    async (_, hold) => {
      await backup(['--to', join(folder, 'first')], settings())
      const dataDir = join(folder, 'live')
      await mkdir(dataDir)
      const empty = await emptyUrl()
      const into = () => restore(['--from', join(folder, 'first'), '--into', empty], settings({ DATA_DIR: dataDir }))
      const running = hold(dataDir, dataDir)
      const before = await readdir(dataDir)
      await expect(into()).rejects.toThrow('is already running on the data folder')
      expect(await readdir(dataDir)).toEqual(before)
      running.release()
      expect(await into()).toBe(0)
      // And it has let go of it.
      lockFolder(dataDir, dataDir).release()
    },
  )

  test('a restore that was broken off leaves the database empty, and the next one brings everything', async () => {
    await backup(['--to', join(folder, 'first')], settings())
    const empty = await emptyUrl()
    const other = settings({ DATA_DIR: join(folder, 'other') })
    const failing = expect(restore(['--from', join(folder, 'first'), '--into', empty], other)).rejects.toThrow()
    await breakOff(empty)
    await failing
    expect(await query(empty, `select 1 from pg_tables where schemaname = 'public'`)).toEqual([])
    expect(await restore(['--from', join(folder, 'first'), '--into', empty], other)).toBe(0)
    expect(await contentsOf(empty)).toEqual(await contentsOf(instance.url))
  })

  test('no token of anybody is in a backup', async () => {
    const { token } = await person(instance)
    await backup(['--to', join(folder, 'first')], settings())
    const names = (await readdir(join(folder, 'first', 'tables'))).map(name => join(folder, 'first', 'tables', name))
    const whole = (await Promise.all(names.map(async name => gunzipSync(await readFile(name)).toString()))).join('\n')
    expect(whole).toContain((await query(instance.url, 'select max(account) as account from staff'))[0].account)
    expect(whole).not.toContain(token)
    expect(whole).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  test('a backup of which one byte was changed restores nothing', async () => {
    await backup(['--to', join(folder, 'first')], settings())
    await appendFile(join(folder, 'first', 'tables', 'member.copy.gz'), 'x')
    const empty = await emptyUrl()
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
    await expect(restore(['--from', join(folder, 'first'), '--into', await emptyUrl()], settings())).rejects.toThrow(
      /20991231Z-future/,
    )
  })

  test('a folder in use is not written into, and nobody else may read a backup', async () => {
    await expect(backup(['--to', folder], settings())).resolves.toBe(0)
    await expect(backup(['--to', folder], settings())).rejects.toThrow(/is not empty/)
    expect((await stat(join(folder, 'tables', 'staff.copy.gz'))).mode & 0o077).toBe(0)
  })

  test('a backup that fails leaves nothing behind that could pass for one', async () => {
    const target = join(folder, 'broken')
    await expect(backup(['--to', target], settings({ DATABASE_URL: await emptyUrl() }))).rejects.toThrow()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('doctor', () => {
  /** A sound business at which nobody works; each fault gets a copy of it. */
  let sound: Awaited<ReturnType<typeof cloneDatabase>>
  beforeAll(async () => {
    sound = await cloneDatabase()
    const founder = await openTestInstance({ url: sound.url })
    await seedDemo(founder.app, { orders: 50, now: new Date() })
    await founder.close()
  })
  afterAll(() => sound.drop())

  test('finds nothing wrong with a sound installation', async () => {
    expect(await doctor([], settings())).toBe(0)
    expect(said.at(-1)).toBe('All is well.')
  })

  test('notes that money is only simulated where a provider has no keys', async () => {
    await doctor([], settings())
    for (const name of ['WeChat Pay', 'Alipay'])
      expect(said.filter(line => line.startsWith('note ') && line.includes(`${name} has no keys`))).toHaveLength(1)
  })

  test('notes money that no record explains, which is work and no fault', async () => {
    expect(await doctor([], settings())).toBe(0)
    const open = await query(instance.url, `select subject from payment_exception where status <> 'DONE'`)
    expect(open.length).toBeGreaterThan(0)
    for (const { subject } of open)
      expect(said.filter(line => line.startsWith('note ') && line.includes(subject))).toHaveLength(1)
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
      'a setting outside the bounds it is declared with',
      `update business_setting set value = 400 where key = 'stray.returnDays'`,
      /stray.returnDays is 400, and must be from 1 to 365/,
    ],
    [
      'a line of the log from the future',
      `insert into operation_log (at, actor_name, address, request_id, page, action, code) values (now() + interval '1 day', 'x', '', '', '', '', 0)`,
      /from the future/,
    ],
  ])('names %s', async (_name, fault, sentence) => {
    const sick = await cloneDatabase(sound.url)
    await query(sick.url, fault)
    expect(await doctor([], settings({ DATABASE_URL: sick.url }))).toBe(1)
    expect(said.join('\n')).toMatch(sentence)
    await sick.drop()
  })

  test('mends counts and sums kept beside the records, when asked to, and nothing else', async () => {
    const sick = await cloneDatabase(sound.url)
    await query(sick.url, `insert into kept_count (table_name, state, n) values ('sales_order', 'PAID', 5)`)
    for (const of of ['cell', 'move']) {
      await query(sick.url, `update order_by_channel_${of} set paid_fen = paid_fen + 1 where paid > 0`)
      await query(sick.url, `delete from order_by_seller_${of}`)
    }
    const patient = settings({ DATABASE_URL: sick.url })
    expect(await doctor([], patient)).toBe(1)
    expect(said.join('\n')).toMatch(
      /not true that what order_by_channel keeps is what the rows of sales_order add up to/,
    )
    expect(await doctor(['--repair'], patient)).toBe(0)
    expect(said.filter(line => line.startsWith('mended '))).toHaveLength(3)
    expect(await doctor(['--repair'], patient)).toBe(0)
    expect(said.filter(line => line.startsWith('mended '))).toHaveLength(3)
    await sick.drop()
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
