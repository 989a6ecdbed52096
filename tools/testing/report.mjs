// Plain JavaScript: the test runner needs it before anything is installed.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const OUTSIDE_REPORTER = fileURLToPath(new URL('./outside-reporter.mjs', import.meta.url))
/** What a run may cost: 22 minutes of two quiet cores. A slow or busy machine takes longer and is no fault of ours. */
export const LIMIT_MINUTES = 22
export const LIMIT_CPU_MINUTES = 44
const SLOWEST = 10
/** What failed is said again at the end, where the reader of a long log looks first. */
const SAID_LINES = 12

/** Options of Vitest with which it writes down what `readReport` reads. */
export const reporting = path => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${path}`,
  `--reporter=${OUTSIDE_REPORTER}`,
  `--outputFile.outside=${outsidePath(path)}`,
]

const outsidePath = path => `${path}.outside`

/** What Vitest wrote down. A file that could not even be read, or a run that died, is a failure too. */
export function readReport(name, path, { root, why, lastWords = '' }) {
  const report = readJson(path)
  if (!report) {
    return failedWhole(name, `${why ?? 'ended'} and wrote no report`)
  }
  const files = report.testResults.map(file => relative(root, file.name))
  const tests = report.testResults.flatMap(file =>
    file.assertionResults.map(test => ({
      name: `${relative(root, file.name)} › ${test.fullName.trim()}`,
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
    ...unread.map(file => ({ name: relative(root, file.name), said: file.message })),
    ...(readJson(outsidePath(path)) ?? []).map(error => outside(name, error, root)),
  ]
  // The last resort: what goes wrong while Vitest closes is written down by nobody, only said.
  if (failures.length === 0 && why)
    failures.push({
      name,
      said: `${why} outside any test\n${lastWords
        .trim()
        .split('\n')
        .slice(1 - SAID_LINES)
        .join('\n')}`.trim(),
    })
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    files,
    tests,
    failures,
  }
}

/** Whatever ran meanwhile is named: it need not be what was at fault, but that is where to look first. */
function outside(project, { type, said, file, test }, root) {
  const during = file ? ` while ${relative(root, file)}${test ? ` › ${test}` : ''} ran` : ''
  return { name: `${project}: ${type ?? 'error'} outside any test${during}`, said }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

export function failedWhole(name, said) {
  return { passed: 0, failed: 1, skipped: 0, files: [], tests: [], failures: [{ name, said }] }
}

/** The processor time of all children that have ended, theirs among it; undefined where the system does not tell. */
export function childrenCpuMs() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name in brackets may hold spaces. Linux counts hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return undefined
  }
}

/** Everything said at the end, and whether the run is red: for what failed, never for how long it took. */
export function closing(phases, { wallMs, cpuMs, isWhole = false }) {
  const tests = phases.flatMap(phase => phase.tests).sort((a, b) => b.ms - a.ms)
  const slowest = tests.slice(0, SLOWEST).map(({ name, ms }) => `  ${seconds(ms).padStart(8)}  ${name}`)
  const lines = slowest.length > 0 ? ['', 'The slowest:', ...slowest] : []
  const sum = key => phases.reduce((total, phase) => total + phase[key], 0)
  const failures = phases.flatMap(phase => phase.failures)
  if (sum('passed') + sum('failed') === 0)
    failures.push({ name: 'no test was run', said: 'nothing fits what was asked' })
  for (const { name, said } of failures) lines.push('', `✗ ${name}`, said.split('\n').slice(0, SAID_LINES).join('\n'))
  lines.push('')
  for (const { name, passed, failed, skipped, ms } of phases) {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    lines.push(`  ${seconds(ms).padStart(8)}  ${name}: ${counts}`)
  }
  lines.push(`  ${seconds(wallMs).padStart(8)}  in all`)
  if (cpuMs !== undefined) lines.push(`  ${seconds(cpuMs).padStart(8)}  of processor time`)
  if (isWhole) lines.push(...slow({ wallMs, cpuMs }, tests))
  const failed = Math.max(sum('failed'), failures.length)
  lines.push('', `${sum('passed')} passed, ${failed} failed`)
  return { lines, isRed: failed > 0 }
}

/** Running long is a warning: the suite's fault when it took the processors as long, else the machine's. */
function slow({ wallMs, cpuMs }, tests) {
  const costs = cpuMs !== undefined && cpuMs > LIMIT_CPU_MINUTES * 60_000
  const lasted = wallMs > LIMIT_MINUTES * 60_000
  if (!costs && !lasted) return []
  const what = costs
    ? `THE TESTS COST TOO MUCH: ${seconds(cpuMs)} of processor time, more than ${LIMIT_CPU_MINUTES} minutes. People stop running what takes so long.`
    : `The run lasted longer than ${LIMIT_MINUTES} minutes${cpuMs === undefined ? '' : ': this machine is slow or busy, the tests cost no more than they may'}.`
  const slowest = tests.slice(0, 3).map(({ name, ms }) => `    ${seconds(ms).padStart(8)}  ${name}`)
  return ['', `⚠ ${what}`, ...(slowest.length > 0 ? ['  The slowest:', ...slowest] : [])]
}

export function seconds(ms) {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}
