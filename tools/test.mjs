// Runs on Node 20 before anything is installed: plain JavaScript.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bring } from './bring.mjs'
import { findChromium } from './chromium.mjs'
import {
  changedSince,
  EVERYTHING,
  leavesLongOut,
  longWithin,
  OF_THE_LONG_RUN,
  reachOf,
  readAreas,
} from './testing/reach.mjs'
import { childrenCpuMs, closing, failedWhole, readReport, reporting, seconds } from './testing/report.mjs'
import { openRunFolder, roomiest } from './testing/run-folder.mjs'
import { sideBySide } from './testing/side-by-side.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Nothing may hang for ever. On the slowest machine seen, the longest phase took a third of this. */
const PHASE_MINUTES = 120
const LONG_PHASE_MINUTES = 240
const PARENT_CHECK_MS = 250
/** Characters of what a phase said last on its error channel, for when nothing else tells why it is red. */
const LAST_WORDS = 4_000
/** Of the faults: what is no load, and mostly waits for a program or a deadline. */
const PROGRAMS = [
  'src/server.test.ts',
  'faults/bad-days.long.test.ts',
  'faults/campaign.test.ts',
  'faults/commands.test.ts',
  'faults/kill.test.ts',
  'faults/kill-import.test.ts',
  'faults/kill-task.test.ts',
  'faults/many-starts.long.test.ts',
  'faults/model.long.test.ts',
  'faults/periodic.test.ts',
  'faults/rolling-restart.long.test.ts',
  'faults/shuffled-events.test.ts',
  'faults/watchdog.long.test.ts',
]

/** The longest of them all: a table after the other is filled, and asked how it would answer. */
const PLANS = 'faults/plans.test.ts'

const begun = Date.now()
const phases = []
const [first, ...rest] = process.argv.slice(2)
/** Races, random orders of events and kills at the full number of rounds, every screen in every language. */
const isLong = first === 'long'
const isPlain = first === undefined
const isSince = first === '--since'
const isShort = leavesLongOut(first)
const node = bring()
const cpuBegun = childrenCpuMs()
// All that the tests start lives in one folder and in process groups of ours: nothing outlives a run that was killed.
// A long run makes millions of rows, more than memory is for.
const folder = openRunFolder('inkstone-run', isLong ? undefined : roomiest())
const running = new Set()
for (const name of ['ledger', 'results', 'tmp']) mkdirSync(join(folder.path, name), { mode: 0o755 })
endWithWhoeverStartedUs()

if (isPlain || isLong) {
  await runAll(EVERYTHING)
} else if (isSince) {
  await runSince(rest[0] ?? 'HEAD')
} else if (first === 'static') {
  await runStatic()
} else {
  await runFiltered([first, ...rest])
}
await finish()

/** Parts of names by project: those tests, in chains that keep two cores busy (decision 034). */
async function runAll(names) {
  const journeys = names.journeys.length > 0 ? findBrowser() : {}
  const faults = readFaults(names.faults)
  await runStatic()
  // Rules as many files at once as there are cores (vitest.config.ts): each waits for its database half the time, and so does a browser
  // for its page. Whichever chain is free takes the next of the others, so that no core waits for the other's end.
  await sideBySide(
    [
      () => runPart('server', names.server),
      () => runPart('journeys', names.journeys, { ...journeys, workers: 1, isQuiet: true }),
    ],
    [
      () => runPart('faults', faults.ofPrograms, { label: 'programs', workers: 1, isQuiet: true }),
      () => runPart('faults', faults.ofPlans, { label: 'plans', workers: 1, isQuiet: true }),
      () => runPart('page', names.page, { isQuiet: true }),
    ],
  )
  // Many callers at once are the test: nothing beside them.
  await runPart('faults', faults.alone)
  // Judged by what all of them have seen: a part has not seen enough to say so.
  if (Object.values(names).every(parts => parts.includes('')))
    await runCheck('no secret left the house', ['tools/ledger.ts'])
}

async function runPart(name, names, options) {
  if (names.length > 0) await runProject(name, { ...options, filter: names.filter(part => part !== '') })
}

/** `npm test -- --since <ref>`: what the changes since then can reach. */
async function runSince(ref) {
  try {
    const changed = changedSince(ref, ROOT)
    const reached = reachOf(changed, readAreas(ROOT))
    const left = longWithin(reached, longFiles())
    process.stdout.write(`${changed.length} files differ from ${ref}.\n`)
    if (left.length > 0)
      process.stdout.write(`Within their reach, but left to npm run test:long: ${left.join(', ')}.\n`)
    await runAll(reached)
  } catch (error) {
    phases.push({ name: 'since', ms: 0, ...failedWhole(`--since ${ref}`, error.message) })
  }
}

async function runStatic() {
  const lint = ['ci', '--error-on-warnings', '--colors=off', '--max-diagnostics=30']
  await Promise.all([
    // Checkers of one project look at the same types each for itself, and the other core has work.
    runCheck('types', ['node_modules/typescript/bin/tsc', '-b', '--checkers', '1']),
    inTurn(
      () => runCheck('generated files', ['tools/generate.ts', '--check']),
      () => runCheck('lint', ['node_modules/@biomejs/biome/bin/biome', ...lint]),
      () => runCheck('boundaries', ['tools/boundaries.ts']),
      runBuild,
      () => runCheck('bundle sizes', ['tools/bundle.ts']),
    ),
  ])
}

async function inTurn(...steps) {
  for (const step of steps) await step()
}

/** Programs that are started, killed or updated, and plans that are read, keep others company; whatever else is there runs alone. */
function readFaults(names) {
  const all = readdirSync(join(ROOT, 'faults')).filter(name => name.endsWith('.test.ts'))
  const wanted = ['src/server.test.ts', ...all.map(name => `faults/${name}`)].filter(
    path => names.some(name => path.includes(name)) && !(isShort && path.endsWith(OF_THE_LONG_RUN)),
  )
  return {
    ofPrograms: wanted.filter(path => PROGRAMS.includes(path)),
    ofPlans: wanted.filter(path => path === PLANS),
    alone: wanted.filter(path => path !== PLANS && !PROGRAMS.includes(path)),
  }
}

/** Built as `npm start` builds it, so that neither builds again what the other has built. */
function runBuild() {
  return runCheck('build', [
    '--input-type=module',
    '-e',
    "import { buildConsole } from './tools/bring.mjs'; buildConsole(process.execPath)",
  ])
}

/** A check is one test: quiet when it passes, everything it said when it fails. */
async function runCheck(name, args) {
  const started = Date.now()
  const { why, output } = await run(args, { isQuiet: true })
  const ms = Date.now() - started
  phases.push({
    name,
    ms,
    ...(why
      ? failedWhole(name, output.trim() || why)
      : { ...failedWhole(name, ''), passed: 1, failed: 0, failures: [] }),
  })
  process.stdout.write(`${why ? '✗' : '✓'} ${name} (${seconds(ms)})\n`)
  if (why) process.stdout.write(`${output.trimEnd()}\n`)
}

/** Looked for before anything long runs: whoever has none learns it at once, and all the rest is still tested. */
function findBrowser() {
  try {
    return { env: { CHROMIUM: findChromium() } }
  } catch (error) {
    process.stdout.write(`✗ journeys: ${error.message}\n`)
    return { missing: error.message }
  }
}

/** `workers` is how many files are run at once, if not as many as there are cores; a quiet one says what it has to say when it is done. */
async function runProject(name, { label = name, filter = [], env = {}, missing, workers, isQuiet = false } = {}) {
  const started = Date.now()
  if (missing) {
    phases.push({ name, ms: 0, ...failedWhole(name, missing) })
    return
  }
  const report = join(folder.path, 'results', `${label}.json`)
  const options = [
    ...(filter.length > 0 ? ['--passWithNoTests', ...filter] : []),
    ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
  ]
  const { why, output, lastWords } = await run(
    ['node_modules/vitest/vitest.mjs', 'run', '--project', name, ...reporting(report), ...options],
    { isQuiet, env },
  )
  process.stdout.write(output)
  phases.push({ name: label, ms: Date.now() - started, ...readReport(label, report, { root: ROOT, why, lastWords }) })
}

/** Files or parts of their names, then options of Vitest. A name that fits no test is told, not passed over. */
async function runFiltered(words) {
  const at = words.findIndex(word => word.startsWith('-'))
  const options = at === -1 ? [] : words.slice(at)
  const names = words.slice(0, at === -1 ? words.length : at).map(word => {
    const path = relative(ROOT, resolve(word))
    return existsSync(join(ROOT, path)) && !path.startsWith('..') ? path : word
  })
  const isJourney = name => name.startsWith('e2e')
  const isFault = name => name.startsWith('faults') || name.startsWith('src/server.test')
  const others = names.filter(name => !isJourney(name) && !isFault(name))
  const journeys = names.filter(isJourney)
  const browser = journeys.length > 0 ? findBrowser() : {}
  if (others.length > 0 || names.length === 0)
    for (const project of ['server', 'page']) await runProject(project, { filter: [...others, ...options] })
  if (names.some(isFault)) await runProject('faults', { filter: [...names.filter(isFault), ...options] })
  if (journeys.length > 0) {
    if (!browser.missing) await runBuild()
    await runProject('journeys', { ...browser, filter: [...journeys, ...options] })
  }
  // What could not even begin read no files.
  if (phases.some(phase => phase.failed > 0)) return
  const files = phases.flatMap(phase => phase.files)
  for (const name of names.filter(name => !files.some(file => file.includes(name))))
    phases.push({ name: 'asked for', ms: 0, ...failedWhole(name, 'no file with tests is called so') })
}

/** Gives what was said where it is kept quiet, why it did not end well, and its last words. */
function run(args, { isQuiet = false, env = {} }) {
  return new Promise(resolve => {
    const child = spawn(node, args, {
      cwd: ROOT,
      stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', 'pipe'],
      detached: process.platform !== 'win32',
      env: {
        ...process.env,
        TMPDIR: join(folder.path, 'tmp'),
        INKSTONE_LEDGER: join(folder.path, 'ledger'),
        // A run starts Node some hundred times on the same files: they are compiled once.
        NODE_COMPILE_CACHE: join(folder.path, 'compiled'),
        ...(isLong ? { INKSTONE_LONG: 'yes' } : {}),
        ...(isShort ? { INKSTONE_SHORT: 'yes' } : {}),
        ...env,
      },
    })
    let output = ''
    let hung = ''
    let lastWords = ''
    child.stdout?.on('data', chunk => (output += chunk))
    child.stderr?.on('data', chunk => {
      lastWords = `${lastWords}${chunk}`.slice(-LAST_WORDS)
      if (isQuiet) output += chunk
      else process.stderr.write(chunk)
    })
    child.once('error', error => resolve({ why: error.message, output }))
    if (child.pid === undefined) return
    running.add(child)
    folder.take(-child.pid)
    const minutes = isLong ? LONG_PHASE_MINUTES : PHASE_MINUTES
    const clock = setTimeout(() => {
      hung = `was ended because it was not done after ${minutes} minutes`
      end(child)
    }, minutes * 60_000)
    // What the phase left in its group would keep its output open.
    child.once('exit', () => end(child))
    child.once('close', code => {
      clearTimeout(clock)
      running.delete(child)
      folder.drop(-child.pid)
      resolve({ why: hung || (code === 0 ? '' : `ended with ${code}`), output, lastWords })
    })
  })
}

/** With everything in its group: workers, servers under test. */
function end(child) {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}

/** Groups of their own do not hear Ctrl-C; and npm that is told to end ends its shell, and nobody tells us. */
function endWithWhoeverStartedUs() {
  const stop = async () => {
    for (const child of running) end(child)
    await folder.close()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop)
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref()
}

async function finish() {
  const cpuEnded = childrenCpuMs()
  const cpuMs = cpuBegun === undefined || cpuEnded === undefined ? undefined : cpuEnded - cpuBegun
  const { lines, isRed } = closing(phases, { wallMs: Date.now() - begun, cpuMs, isWhole: isPlain })
  await folder.close()
  if (isPlain) process.stdout.write(`\n${longFiles().length} files of tests are left to npm run test:long.\n`)
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = isRed ? 1 : 0
}

function longFiles() {
  return ['e2e', 'faults', 'src', 'tools'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter(name => name.endsWith(OF_THE_LONG_RUN))
      .map(name => `${folder}/${name.replaceAll('\\', '/')}`),
  )
}
