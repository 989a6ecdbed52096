import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endRemembered } from './child.ts'
import { measureExport } from './export.ts'
import { oneDigit } from './figures.ts'
import { openGround, type Settings } from './ground.ts'
import { measureHandwriting } from './handwriting.ts'
import { measureImport } from './import.ts'
import { measureList } from './list.ts'
import { measureMember } from './member.ts'
import { measurePage } from './page.ts'
import { measureSockets } from './sockets.ts'
import { measureStatistic } from './statistic.ts'

const MEASUREMENTS = {
  list: measureList,
  member: measureMember,
  sockets: measureSockets,
  export: measureExport,
  import: measureImport,
  statistic: measureStatistic,
  page: measurePage,
  handwriting: measureHandwriting,
} as const
type Name = keyof typeof MEASUREMENTS

const FULL: Settings = {
  quick: false,
  small: 100_000,
  orders: 1_000_000,
  members: 1_000_000,
  sockets: 10_000,
  rounds: 5,
  seconds: 4,
  port: 18_600,
}
/** Shows that everything runs, in about a minute on an idle machine; its figures mean little. */
const QUICK: Settings = {
  ...FULL,
  quick: true,
  small: 6_000,
  orders: 30_000,
  members: 10_000,
  sockets: 500,
  rounds: 1,
  seconds: 1,
}
/** Whatever hangs, the run ends and takes its processes along. */
const MAX_MINUTES = { quick: 10, full: 60 }

const USAGE = `Usage: npm run bench -- [${Object.keys(MEASUREMENTS).join('] [')}] [--quick]
  [--orders N] [--members N] [--small N] [--sockets N] [--rounds N] [--seconds N] [--port N] [--pages N]`

await main()

async function main(): Promise<void> {
  const { names, settings } = readArguments()
  if (process.platform !== 'linux') throw new Error('The bench reads /proc: it runs on Linux only.')
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'inkstone-bench-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  try {
    await Promise.race([measureAll(names, settings, folder, opened), brokenOff(settings)])
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
  await endRemembered()
  await opened.disposeAsync()
  // A measurement that was broken off may still wait for something.
  process.exit()
}

async function measureAll(
  names: readonly Name[],
  settings: Settings,
  folder: string,
  opened: AsyncDisposableStack,
): Promise<void> {
  const ground = await openGround(settings, folder, opened)
  const cores = cpus()
  console.log(
    `Node ${process.versions.node}, ${ground.postgres}, ${cores.length} × ${cores[0]?.model ?? 'unknown CPU'}`,
  )
  for (const name of names) {
    const before = loadavg()[0] ?? 0
    const text = await MEASUREMENTS[name](ground)
    console.log(`\n${text}\n\nLoad average ${oneDigit(before)} before, ${oneDigit(loadavg()[0] ?? 0)} after.`)
  }
}

/** Fails when the run takes too long, is told to stop, or meets an error nobody waits for. */
function brokenOff({ quick }: Settings): Promise<never> {
  return new Promise((_, reject) => {
    const minutes = MAX_MINUTES[quick ? 'quick' : 'full']
    setTimeout(() => reject(new Error(`The bench was ended after ${minutes} minutes.`)), minutes * 60_000).unref()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => reject(new Error(signal)))
    process.once('uncaughtException', reject)
  })
}

function readArguments(): { names: Name[]; settings: Settings } {
  const number = { type: 'string' } as const
  const sizes = {
    orders: number,
    members: number,
    small: number,
    sockets: number,
    rounds: number,
    seconds: number,
    port: number,
  }
  const options = { ...sizes, pages: number }
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { ...options, quick: { type: 'boolean', default: false } },
    })
    const { quick, ...asked } = values
    const names = positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS)
    if (!names.every((name): name is Name => name in MEASUREMENTS)) throw new Error(`unknown: ${names.join(' ')}`)
    const given = Object.entries(asked).map(([name, value]) => {
      if (!/^[1-9]\d{0,7}$/.test(String(value))) throw new Error(`--${name} must be a whole number above zero`)
      return [name, Number(value)]
    })
    return { names, settings: { ...(quick ? QUICK : FULL), ...Object.fromEntries(given) } }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    process.exit(64)
  }
}
