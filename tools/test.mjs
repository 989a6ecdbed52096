// Runs on Node 20 before anything is installed: plain JavaScript.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bring } from './bring.mjs'
import { findChromium } from './chromium.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RESULTS = join(ROOT, '.cache', 'test')
const LEDGER = join(ROOT, '.cache', 'ledger')
/** The whole run, on two cores. Slower than this, people stop running it. */
const LIMIT_MINUTES = 22
/** Nothing may hang for ever: a phase is ended this long after the limit. */
const GRACE_MINUTES = 5
const LONG_MINUTES = 240
const SLOWEST = 10
/** What failed is said again at the end, where the reader of a long log looks first. */
const SAID_LINES = 12

const begun = Date.now()
const phases = []
const [first, ...rest] = process.argv.slice(2)
/** Races, random orders of events and kills at the full number of rounds, for as long as they take. */
const isLong = first === 'long'
const node = bring()
rmSync(RESULTS, { recursive: true, force: true })
rmSync(LEDGER, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })
mkdirSync(LEDGER, { recursive: true })

if (first === undefined) {
  await runStatic()
  for (const project of ['server', 'faults', 'page', 'journeys']) await runProject(project)
  await runCheck('no secret left the house', ['tools/ledger.ts'])
} else if (first === 'long') {
  await runProject('faults')
} else if (first === 'static') {
  await runStatic()
} else {
  await runFiltered([first, ...rest])
}
finish()

async function runStatic() {
  await runCheck('generated files', ['tools/generate.ts', '--check'])
  await runCheck('types', ['node_modules/typescript/bin/tsc', '-b'])
  await runCheck('lint', [
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '--error-on-warnings',
    '--colors=off',
    '--max-diagnostics=30',
  ])
  await runCheck('boundaries', ['tools/boundaries.ts'])
  await runBuild()
  await runCheck('bundle sizes', ['tools/bundle.ts'])
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
  const { code, output } = await run(args, 'pipe')
  const isRight = code === 0
  phases.push({
    name,
    passed: isRight ? 1 : 0,
    failed: isRight ? 0 : 1,
    skipped: 0,
    ms: Date.now() - started,
    tests: [],
    failures: isRight ? [] : [{ name, said: output.trim() }],
  })
  process.stdout.write(`${isRight ? '✓' : '✗'} ${name} (${seconds(Date.now() - started)})\n`)
  if (!isRight) process.stdout.write(`${output.trimEnd()}\n`)
}

/** Journeys without a Chromium fail as one test that says why. */
async function runProject(name, filter = []) {
  const started = Date.now()
  const env = {}
  if (name === 'journeys') {
    try {
      env.CHROMIUM = findChromium()
    } catch (error) {
      process.stdout.write(`✗ journeys: ${error.message}\n`)
      phases.push({ name, ms: Date.now() - started, ...failedWhole(name, error.message) })
      return
    }
  }
  const report = join(RESULTS, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const options = filter.length > 0 ? ['--passWithNoTests', ...filter] : []
  const { code } = await run(
    ['node_modules/vitest/vitest.mjs', 'run', '--project', name, ...reporters, ...options],
    'inherit',
    env,
  )
  phases.push({ name, ms: Date.now() - started, ...readReport(name, report, code) })
}

async function runFiltered(filter) {
  const isJourney = filter.some(path => path.startsWith('e2e'))
  if (isJourney) await runBuild()
  const isFault = filter.some(path => path.startsWith('faults') || path.startsWith('src/server'))
  for (const project of isJourney ? ['journeys'] : isFault ? ['faults'] : ['server', 'page'])
    await runProject(project, filter)
}

/** What Vitest wrote down. A file that could not even be read, or a run that died, is a failure too. */
function readReport(name, path, code) {
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return failedWhole(name, `ended with ${code} and wrote no report`)
  }
  const tests = report.testResults.flatMap(file =>
    file.assertionResults.map(test => ({
      name: `${relative(ROOT, file.name)} › ${test.fullName.trim()}`,
      ms: test.duration ?? 0,
      isFailed: test.status === 'failed',
      said: test.failureMessages.join('\n'),
    })),
  )
  const unread = report.testResults.filter(
    file => file.status === 'failed' && file.assertionResults.every(test => test.status !== 'failed'),
  )
  const failures = [
    ...tests.filter(test => test.isFailed),
    ...unread.map(file => ({ name: relative(ROOT, file.name), said: file.message })),
  ]
  // Errors outside any test end the run with a code, and are in no list.
  if (failures.length === 0 && code !== 0) failures.push({ name, said: `ended with ${code} outside any test` })
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    tests,
    failures,
  }
}

function failedWhole(name, said) {
  return { passed: 0, failed: 1, skipped: 0, tests: [], failures: [{ name, said }] }
}

function run(args, stdio, env = {}) {
  return new Promise(resolve => {
    const child = spawn(node, args, {
      cwd: ROOT,
      stdio: stdio === 'pipe' ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, INKSTONE_LEDGER: LEDGER, ...(isLong ? { INKSTONE_LONG: 'yes' } : {}), ...env },
    })
    let output = ''
    child.stdout?.on('data', chunk => (output += chunk))
    child.stderr?.on('data', chunk => (output += chunk))
    const left = begun + (isLong ? LONG_MINUTES : LIMIT_MINUTES + GRACE_MINUTES) * 60_000 - Date.now()
    const clock = setTimeout(() => child.kill('SIGKILL'), Math.max(left, 1_000))
    child.once('error', error => resolve({ code: 1, output: `${output}${error.message}` }))
    child.once('exit', code => {
      clearTimeout(clock)
      resolve({ code: code ?? 1, output })
    })
  })
}

function finish() {
  const took = Date.now() - begun
  const tests = phases.flatMap(phase => phase.tests).sort((a, b) => b.ms - a.ms)
  if (tests.length > 0) {
    process.stdout.write('\nThe slowest ten:\n')
    for (const { name, ms } of tests.slice(0, SLOWEST)) process.stdout.write(`  ${seconds(ms).padStart(8)}  ${name}\n`)
  }
  for (const { name, said } of phases.flatMap(phase => phase.failures))
    process.stdout.write(`\n✗ ${name}\n${said.split('\n').slice(0, SAID_LINES).join('\n')}\n`)
  process.stdout.write('\n')
  for (const { name, passed, failed, skipped, ms } of phases) {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    process.stdout.write(`  ${seconds(ms).padStart(8)}  ${name}: ${counts}\n`)
  }
  const isLate = !isLong && took > LIMIT_MINUTES * 60_000
  process.stdout.write(
    `  ${seconds(took).padStart(8)}  in all${isLate ? `: more than ${LIMIT_MINUTES} minutes` : ''}\n\n`,
  )
  const sum = key => phases.reduce((total, phase) => total + phase[key], 0)
  const failed = sum('failed') + (isLate ? 1 : 0)
  process.stdout.write(`${sum('passed')} passed, ${failed} failed\n`)
  process.exit(failed === 0 ? 0 : 1)
}

function seconds(ms) {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}
