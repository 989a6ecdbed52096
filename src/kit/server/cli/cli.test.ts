import { randomUUID } from 'node:crypto'
import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { withConnection } from '#kit/server/database/connection.ts'
import { lockFolder, shareFolder } from '#kit/server/database/console-lock.ts'
import { readEnv } from '#kit/server/process/env.ts'
import { type Contents, contentsOf } from '../../../../tools/testing/contents.ts'
import {
  cloneDatabase,
  emptyDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { somebodyWaits } from '../../../../tools/testing/locks.ts'
import { seedDemo } from '../../../demo/seed.server.ts'
import { record } from '../change/audit.ts'
import { sealLog } from '../change/log-seal.ts'
import { changeAccess } from './access.ts'
import { adminCreate } from './admin-create.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { printConfig } from './print-config.ts'
import { restore } from './restore.ts'

/** Some ten seconds; on cores many times too busy, minutes. */
const PATIENCE_MS = 600_000

let instance: TestInstance
/** A business of which nothing is asked but that it can be backed up. */
let small: TestInstance
let folder: string
let said: string[]
beforeAll(async () => {
  instance = await openTestInstance()
  small = await openTestInstance()
  await seedDemo(instance.app, { orders: 200, now: new Date() })
  // What is compared with its backup is not to be tidied meanwhile.
  await instance.house.stop()
}, PATIENCE_MS)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-cli-'))
  said = listened()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

/** What the commands say from now on. */
function listened(): string[] {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation(line => void lines.push(String(line)))
  return lines
}

/** What a command says, and what it ends with, outside a test. */
async function heard(command: () => Promise<number>): Promise<{ code: number; lines: readonly string[] }> {
  const lines = listened()
  const code = await command()
  vi.restoreAllMocks()
  return { code, lines }
}

const settings = (more: Record<string, string> = {}) =>
  readEnv({ DATABASE_URL: instance.url, DATA_DIR: folder, SEED: 'demo', SIMULATE: 'off', ...more })
const query = (url: string, ...statements: string[]) =>
  withConnection({ connectionString: url }, async client => {
    for (const sql of statements.slice(0, -1)) await client.query(sql)
    return (await client.query(statements.at(-1) ?? '')).rows
  })

async function emptyUrl(): Promise<string> {
  const { url, drop } = await emptyDatabase()
  afterAll(drop)
  return url
}

/** Cuts the connection of a restore while it brings rows in. */
const breakOff = (url: string): Promise<void> =>
  withConnection({ connectionString: instance.url }, async client => {
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and query like 'copy %'`
    while ((await client.query(cut)).rows.length === 0) await sleep(5)
  })

/** A whole business with its folder, its backup, and what was restored from that after a first try that was broken off. */
type Kept = {
  folder: string
  backup: string
  token: string
  fileId: string
  held: Contents
  restored: Contents
  afterBreak: readonly unknown[]
  copy: { url: string; folder: string }
}
let kept: Kept
beforeAll(async () => {
  const own = await mkdtemp(join(tmpdir(), 'inkstone-cli-kept-'))
  afterAll(() => rm(own, { recursive: true, force: true }))
  const [from, to] = [join(own, 'data'), join(own, 'backup')]
  const fileId = randomUUID()
  await mkdir(join(from, 'files'), { recursive: true })
  await writeFile(join(from, 'files', fileId), 'a picture', { mode: 0o600 })
  await writeFile(join(from, 'code-secret'), 'x', { mode: 0o600 })
  const { token } = await person(instance)
  listened()
  expect(await backup(['--to', to], settings({ DATA_DIR: from }))).toBe(0)
  const held = await contentsOf(instance.url)
  // On its way a backup loses its modes.
  for (const name of ['code-secret', `files/${fileId}`]) await chmod(join(to, name), 0o644)
  const copy = { url: await emptyUrl(), folder: join(own, 'copy') }
  await mkdir(join(copy.folder, 'files'), { recursive: true, mode: 0o755 })
  const bringBack = () => restore(['--from', to, '--into', copy.url], settings({ DATA_DIR: copy.folder }))
  const failing = expect(bringBack()).rejects.toThrow()
  await breakOff(copy.url)
  await failing
  const afterBreak = await query(copy.url, `select 1 from pg_tables where schemaname = 'public'`)
  expect(await bringBack()).toBe(0)
  vi.restoreAllMocks()
  const restored = await contentsOf(copy.url)
  kept = { folder: from, backup: to, token, fileId, held, restored, afterBreak, copy }
}, PATIENCE_MS)

/** A backup of its own to spoil. */
async function ownBackup(): Promise<string> {
  const own = join(folder, 'own')
  await cp(kept.backup, own, { recursive: true })
  return own
}

describe('backup and restore', () => {
  test('what is restored is, row for row, what was backed up', async () => {
    expect(await readFile(join(kept.copy.folder, 'files', kept.fileId), 'utf8')).toBe('a picture')
    expect(kept.restored).toEqual(kept.held)
    expect(await doctor([], settings({ DATABASE_URL: kept.copy.url, DATA_DIR: kept.copy.folder }))).toBe(0)
  })

  test('a file thrown away while the backup is made is in it, as its row is', async () => {
    await mkdir(join(folder, 'files'))
    const id = randomUUID()
    const path = join(folder, 'files', id)
    await writeFile(path, 'a picture', { mode: 0o600 })
    const owner = await person(small)
    await query(
      small.url,
      `insert into file (id, purpose, owner_id, name, type, bytes, sha256, created_at) values ('${id}', 'proof', ${owner.id}, 'a.png', 'image/png', 9, '', now())`,
    )
    const holder = new pg.Client({ connectionString: small.url })
    await holder.connect()
    await holder.query('begin; lock table tracking_event in access exclusive mode')
    const making = backup(['--to', join(folder, 'first')], settings({ DATABASE_URL: small.url }))
    await somebodyWaits(sql => holder.query(sql))
    await query(small.url, `delete from file where id = '${id}'`)
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
    const modes = ['files', `files/${kept.fileId}`, 'code-secret'].map(
      async name => (await stat(join(kept.copy.folder, name))).mode & 0o777,
    )
    expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o600])
  })

  test('numbering goes on after the last record, and counts are kept as before', async () => {
    const { url } = kept.copy
    const add = `insert into member (name, phone, source) values ('新', '13912345678', 'APP') returning id::int`
    const [last] = await query(url, 'select max(id)::int as id from member')
    // Broken off with its connection: others look at the same copy.
    expect((await query(url, 'begin', add))[0].id).toBeGreaterThan(last.id)
  })

  test('nobody is signed in after a restore', async () => {
    const open = 'select 1 from session where ended_at is null'
    expect(await query(kept.copy.url, open)).toEqual([])
    expect((await query(instance.url, open)).length).toBeGreaterThan(0)
  })

  test('no recovery code opens anything after a restore, used meanwhile or not, and whoever had some is told since when', async () => {
    const { id } = await person(small)
    await query(
      small.url,
      `insert into second_factor (staff_id, secret, since, last_step) values (${id}, decode(repeat('00', 48), 'hex'), now(), 0)`,
      `insert into recovery_code (staff_id, digest, used_at)
       select ${id}, decode(lpad(to_hex(n), 64, '0'), 'hex'), case when n = 1 then timestamptz '2026-01-01T00:00:00Z' end from generate_series(1, 10) n`,
      `update staff set has_factor = true where id = ${id}`,
    )
    const [to, url] = [join(folder, 'codes'), await emptyUrl()]
    const { lines } = await heard(async () => {
      await backup(['--to', to], settings({ DATABASE_URL: small.url }))
      return restore(['--from', to, '--into', url], settings({ DATA_DIR: join(folder, 'codes-data') }))
    })
    const open = `select count(*) filter (where used_at is null)::int as open, min(used_at) = '2026-01-01T00:00:00Z' as kept from recovery_code where staff_id = ${id}`
    const told = `select codes_void_at is not null as told from second_factor where staff_id = ${id}`
    expect(await query(small.url, open)).toEqual([{ open: 9, kept: true }])
    expect(await query(url, open)).toEqual([{ open: 0, kept: true }])
    expect([await query(small.url, told), await query(url, told)]).toEqual([[{ told: false }], [{ told: true }]])
    expect(lines.join('\n')).toMatch(/Recovery codes that open nothing .* 1 accounts/)
  })

  test('a database that holds something is left alone', async () => {
    await expect(restore(['--from', kept.backup, '--into', instance.url], settings())).rejects.toThrow(/is not empty/)
  })

  test.each([
    ['has its database there', lockFolder],
    ['shares it with others', shareFolder],
  ])(
    'nothing is restored into the folder of a running console that %s, whichever database is named',
    async (_, hold) => {
      await backup(['--to', join(folder, 'first')], settings({ DATABASE_URL: small.url }))
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

  test('a restore that was broken off leaves the database empty, and the next one brings everything', () => {
    expect(kept.afterBreak).toEqual([])
    expect(kept.restored).toEqual(kept.held)
  })

  test('no token of anybody is in a backup', async () => {
    const { token } = kept
    const tables = join(kept.backup, 'tables')
    const names = (await readdir(tables)).map(name => join(tables, name))
    const whole = (await Promise.all(names.map(async name => gunzipSync(await readFile(name)).toString()))).join('\n')
    const [last] = await query(kept.copy.url, 'select max(account) as account from staff')
    expect(whole).toContain(last.account)
    expect(whole).not.toContain(token)
    expect(whole).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  test('a backup of which one byte was changed restores nothing', async () => {
    const own = await ownBackup()
    await appendFile(join(own, 'tables', 'member.copy.gz'), 'x')
    const empty = await emptyUrl()
    await expect(restore(['--from', own, '--into', empty], settings())).rejects.toThrow(/damaged.*member/)
    expect(await query(empty, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  test('a backup of a version this one does not know is refused', async () => {
    const own = await ownBackup()
    const path = join(own, 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8'))
    manifest.migrations.push({ name: '20991231Z-future.sql', checksum: 'none' })
    await writeFile(path, JSON.stringify(manifest))
    await expect(restore(['--from', own, '--into', await emptyUrl()], settings())).rejects.toThrow(/20991231Z-future/)
  })

  test('a folder in use is not written into, and nobody else may read a backup', async () => {
    const toFolder = () => backup(['--to', folder], settings({ DATABASE_URL: small.url }))
    await expect(toFolder()).resolves.toBe(0)
    await expect(toFolder()).rejects.toThrow(/is not empty/)
    expect((await stat(join(folder, 'tables', 'staff.copy.gz'))).mode & 0o077).toBe(0)
  })

  test('a backup that fails leaves nothing behind that could pass for one', async () => {
    const target = join(folder, 'broken')
    await expect(backup(['--to', target], settings({ DATABASE_URL: await emptyUrl() }))).rejects.toThrow()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('doctor', () => {
  let sound: { code: number; lines: readonly string[] }
  beforeAll(async () => {
    sound = await heard(() => doctor([], settings({ DATA_DIR: kept.folder })))
  })

  test('finds nothing wrong with a sound installation', () => {
    expect(sound.code).toBe(0)
    expect(sound.lines.at(-1)).toBe('All is well.')
  })

  test('notes that money is only simulated where a provider has no keys', () => {
    for (const name of ['WeChat Pay', 'Alipay'])
      expect(sound.lines.filter(line => line.startsWith('note ') && line.includes(`${name} has no keys`))).toHaveLength(
        1,
      )
  })

  test('notes money that no record explains, which is work and no fault', async () => {
    const open = await query(instance.url, `select subject from payment_exception where status <> 'DONE'`)
    expect(open.length).toBeGreaterThan(0)
    for (const { subject } of open)
      expect(sound.lines.filter(line => line.startsWith('note ') && line.includes(subject))).toHaveLength(1)
  })

  const FAULTS = [
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
  ] as const

  test.each(FAULTS)('names %s', async (_name, fault, sentence) => {
    const sick = await cloneDatabase(kept.copy.url)
    await query(sick.url, fault)
    expect(await doctor([], settings({ DATABASE_URL: sick.url, DATA_DIR: kept.copy.folder }))).toBe(1)
    const faults = said.flatMap(lines => lines.split('\n')).filter(line => line.startsWith('FAULT '))
    expect(faults.filter(line => sentence.test(line))).toHaveLength(1)
    await sick.drop()
  })

  test('names the first line of the operation log that is not as it was sealed', async () => {
    const { url, drop } = await cloneDatabase(kept.copy.url)
    const sick = await openTestInstance({ url })
    const call = { actor: null, now: sick.clock.now(), address: '', requestId: 'seal', called: 'x' }
    const write = () => record(sick.app.db.query, call, { page: 'dictionary', action: 'update' })
    const [first, second] = [await write(), await write()]
    await sick.app.db.write(tx => sealLog(tx, sick.clock.now()))
    await sick.close()
    const looked = () => heard(() => doctor([], settings({ DATABASE_URL: url, DATA_DIR: kept.copy.folder })))
    expect(await looked()).toMatchObject({ code: 0 })
    for (const id of [second, first]) {
      await query(url, `update operation_log set reason = 'otherwise' where id = ${id}`)
      const { code, lines } = await looked()
      expect([code, lines.filter(line => line.startsWith('FAULT '))]).toEqual([
        1,
        [expect.stringContaining(`line ${id} was changed after it was sealed`)],
      ])
    }
    await drop()
  })

  test('mends counts and sums kept beside the records, when asked to, and nothing else', async () => {
    const sick = await cloneDatabase(kept.copy.url)
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

  test('says of a database without a console what to do, whatever it is asked to look at', async () => {
    const patient = settings({ DATABASE_URL: await emptyUrl() })
    for (const asked of [[], ['--repair'], ['--member', '1']]) expect(await doctor(asked, patient)).toBe(1)
    expect(said).toEqual(Array(3).fill('FAULT  the database holds no console yet; start the console once'))
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
