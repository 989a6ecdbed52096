import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import config from '../vitest.config.ts'
import { childrenCpuMs, closing, failedWhole, readReport, reporting } from './testing/report.mjs'
import { sideBySide } from './testing/side-by-side.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MINUTE_MS = 60_000
const phase = (passed: number, tests: { name: string; ms: number }[] = []) => ({
  ...failedWhole('server', ''),
  name: 'server',
  ms: 1_000,
  passed,
  failed: 0,
  tests,
  failures: [],
})
const slow = [
  { name: 'a › quick one', ms: 10 },
  { name: 'a › the slowest of all', ms: 90_000 },
]

describe('the end of a test run', () => {
  test('says how many passed and failed, alone on the last line', () => {
    const broken = failedWhole('types', 'does not fit')
    const { lines, isRed } = closing([phase(3), { name: 'types', ms: 5, ...broken }], { wallMs: 1, cpuMs: 1 })
    expect(lines.at(-1)).toBe('3 passed, 1 failed')
    expect(lines.join('\n')).toContain('✗ types\ndoes not fit')
    expect(isRed).toBe(true)
  })

  test('is no failure on a slow machine: a warning names the slowest', () => {
    const { lines, isRed } = closing([phase(3, slow)], { wallMs: 26 * MINUTE_MS, cpuMs: 30 * MINUTE_MS, isWhole: true })
    expect(isRed).toBe(false)
    expect(lines.at(-1)).toBe('3 passed, 0 failed')
    const warning = lines.slice(lines.findIndex(line => line.startsWith('⚠')))
    expect(warning[0]).toContain('longer than 22 minutes: this machine is slow or busy')
    expect(warning[2]).toContain('the slowest of all')
  })

  test('stands out when the tests themselves cost more than 44 minutes of processor time', () => {
    const { lines, isRed } = closing([phase(3, slow)], { wallMs: 23 * MINUTE_MS, cpuMs: 45 * MINUTE_MS, isWhole: true })
    expect(isRed).toBe(false)
    expect(lines.find(line => line.startsWith('⚠'))).toContain('THE TESTS COST TOO MUCH: 45 min 0 s')
  })

  test('warns of nothing within the bounds', () => {
    const { lines } = closing([phase(3, slow)], { wallMs: 21 * MINUTE_MS, cpuMs: 43 * MINUTE_MS, isWhole: true })
    expect(lines.filter(line => line.startsWith('⚠'))).toEqual([])
  })

  test('is red when nothing was tested', () => {
    const { lines, isRed } = closing([phase(0)], { wallMs: 1, cpuMs: 1 })
    expect(isRed).toBe(true)
    expect(lines.at(-1)).toBe('0 passed, 1 failed')
  })

  test.runIf(process.platform === 'linux')('knows what its children have cost', async () => {
    const before = childrenCpuMs() ?? Number.NaN
    spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 300_000);'])
    expect((childrenCpuMs() ?? Number.NaN) - before).toBeGreaterThan(100)
  })
})

describe('a run of everything', () => {
  test('lets no core wait: two chains begin at once, and whichever is free takes the next of the rest', async () => {
    const told: string[] = []
    const ends = new Map<string, () => void>()
    const work = (name: string) => () =>
      new Promise<void>(resolve => {
        told.push(`${name} begins`)
        ends.set(name, resolve)
      })
    const end = async (name: string) => {
      told.push(`${name} ends`)
      ends.get(name)?.()
      await new Promise(setImmediate)
    }
    const run = sideBySide(['rules', 'journeys'].map(work), ['programs', 'plans', 'pages'].map(work))
    for (const name of ['journeys', 'programs', 'rules', 'plans', 'pages']) await end(name)
    await run
    expect(told).toEqual([
      'rules begins',
      'journeys begins',
      'journeys ends',
      'programs begins',
      'programs ends',
      'plans begins',
      'rules ends',
      'pages begins',
      'plans ends',
      'pages ends',
    ])
  })

  test('is broken off by the first that cannot be, and says so', async () => {
    const broken = sideBySide([async () => {}], [() => Promise.reject(new Error('no such phase'))])
    await expect(broken).rejects.toThrow('no such phase')
  })

  test('has as many files of rules under way as there are cores, up to the eight one PostgreSQL serves', () => {
    expect(config.test?.maxWorkers).toBe(Math.min(availableParallelism(), 8))
  })
})

/** One test that passes, and leaves behind a promise nobody waits for and a timer that throws. */
const LEAVES_ERRORS = `
test('passes, whatever comes later', async () => {
  Promise.reject(new Error('the lease was lost'))
  setTimeout(function tick() { throw new Error('the timer broke') }, 5)
  await new Promise(done => setTimeout(done, 50))
})
`

describe('what goes wrong outside any test', () => {
  test('is said at the end: the message, where it came from, and what ran meanwhile', () => {
    const root = mkdtempSync(join(tmpdir(), 'inkstone-outside-'))
    writeFileSync(join(root, 'left.test.mjs'), LEAVES_ERRORS)
    const path = join(root, 'results.json')
    const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root, '--globals']
    const { status } = spawnSync(process.execPath, [...vitest, ...reporting(path)], { cwd: root })
    const ended = { name: 'server', ms: 1, ...readReport('server', path, { root, why: `ended with ${status}` }) }
    rmSync(root, { recursive: true })
    const { lines, isRed } = closing([ended], { wallMs: 1, cpuMs: 1 })
    expect(isRed).toBe(true)
    expect(lines.at(-1)).toBe('1 passed, 2 failed')
    const said = lines.join('\n')
    const during = 'outside any test while left.test.mjs › passes, whatever comes later ran'
    expect(said).toMatch(`✗ server: Unhandled Rejection ${during}\nError: the lease was lost\n    at `)
    expect(said).toMatch(`✗ server: Uncaught Exception ${during}\nError: the timer broke\n    at `)
    expect(said).toContain('tick')
  }, 600_000)

  test('is said too when it comes up only while everything closes', () => {
    const root = mkdtempSync(join(tmpdir(), 'inkstone-closing-'))
    writeFileSync(join(root, 'good.test.mjs'), "test('is well', () => {})")
    writeFileSync(
      join(root, 'setup.mjs'),
      "export default () => async () => { throw new Error('PostgreSQL did not stop') }",
    )
    const path = join(root, 'results.json')
    writeFileSync(
      join(root, 'vitest.config.mjs'),
      "export default { test: { globals: true, globalSetup: ['setup.mjs'] } }",
    )
    const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root]
    const ran = spawnSync(process.execPath, [...vitest, ...reporting(path)], { cwd: root, encoding: 'utf8' })
    const told = { root, why: `ended with ${ran.status}`, lastWords: ran.stderr }
    const ended = { name: 'server', ms: 1, ...readReport('server', path, told) }
    rmSync(root, { recursive: true })
    const said = closing([ended], { wallMs: 1, cpuMs: 1 }).lines.join('\n')
    expect(said).toContain('✗ server\nended with 1 outside any test')
    expect(said).toContain('PostgreSQL did not stop')
    expect(said).toContain('1 passed, 1 failed')
  }, 600_000)
})

describe('npm test -- <name>', () => {
  test('is red for a name that no test has', () => {
    const run = spawnSync(process.execPath, ['tools/test.mjs', 'no-test-is-called-so'], { cwd: ROOT, encoding: 'utf8' })
    expect(run.stdout).toContain('✗ no-test-is-called-so\nno file with tests is called so')
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
    expect(run.status).toBe(1)
  }, 600_000)
})

describe('the browser of the journeys', () => {
  test('is looked for before anything else is done: whoever has none learns it at once', () => {
    const env = { ...process.env, CHROMIUM: join(ROOT, 'no-browser-is-called-so') }
    const run = spawnSync(process.execPath, ['tools/test.mjs', 'e2e/tabs'], { cwd: ROOT, encoding: 'utf8', env })
    expect(run.stdout).toMatch(/^✗ journeys: CHROMIUM is set to .+, which does not run/)
    expect(run.stdout).not.toContain(' build ')
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
    expect(run.status).toBe(1)
  }, 600_000)

  test.skipIf(process.platform === 'win32')(
    'is not waited for where no mirror answers',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'inkstone-mirror-'))
      writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
      const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
      const installing = "import { install } from './tools/chromium.mjs'; install(['chromium'], 0.01)"
      const run = spawnSync(process.execPath, ['--input-type=module', '-e', installing], {
        cwd: ROOT,
        encoding: 'utf8',
        env,
        timeout: 300_000,
      })
      rmSync(folder, { recursive: true })
      expect(run.status).toBe(0)
      for (const asked of ['update', 'install -y chromium'])
        expect(run.stderr).toMatch(new RegExp(`apt-get ${asked} failed: .*ETIMEDOUT`))
    },
    600_000,
  )
})

/** Starts PostgreSQL as the tests do, and a process beside it; says their numbers and where they live. */
const RUN = `
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startEmbedded } from './src/kit/server/database/embedded/embedded.ts'
import { openRunFolder } from './tools/testing/run-folder.mjs'
const folder = openRunFolder('inkstone-watched')
const beside = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
folder.take(-beside.pid)
await startEmbedded(folder.path, () => {})
const postmaster = Number(readFileSync(folder.path + '/postgres/postmaster.pid', 'utf8').split('\\n')[0])
console.log(JSON.stringify({ folder: folder.path, pids: [postmaster, beside.pid] }))
setInterval(() => {}, 1000)
`

describe('a run that is killed', () => {
  test('leaves neither PostgreSQL nor any other process behind, nor its folder', async () => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', RUN], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { folder, pids } = JSON.parse(line) as { folder: string; pids: number[] }
    expect(pids.every(isAlive)).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => pids.filter(isAlive), { timeout: 15_000 }).toEqual([])
    await expect.poll(() => existsSync(folder), { timeout: 15_000 }).toBe(false)
  }, 600_000)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
