import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CODES } from '#kit/model/contract.ts'
import type { App } from '../app.ts'
import type { Live } from '../live/live.ts'
import { routeOf } from '../process/log.ts'

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LOGIN = '/api/auth/login'
const NANOSECONDS = 1e9

type Labels = Readonly<Record<string, string>>
type Sample = { readonly labels?: Labels; readonly value: number }
/** A figure that is asked for when somebody looks. */
type Figure = {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly help: string
  read(): readonly Sample[]
}

export type Metrics = { text(): string }

/**
 * What this instance counts, in Prometheus' text form. Labels are route templates, methods and fixed words, so that no
 * caller can add a series by calling what does not exist.
 */
export function openMetrics(http: FastifyInstance, app: Pick<App, 'db'>, live: Live['metrics']): Metrics {
  const calls = new CallTimes()
  const logins = new Map([
    ['ok', 0],
    ['failed', 0],
    ['locked', 0],
  ])
  let underWay = 0
  const loop = monitorEventLoopDelay({ resolution: 20 })
  loop.enable()
  http.addHook('onClose', async () => void loop.disable())
  // By callback: a promise for each hook of each call would cost more than the counting.
  http.addHook('onRequest', (_request, reply, done) => {
    underWay += 1
    // Not onResponse: a caller who hangs up gets no response, but the connection always closes.
    reply.raw.once('close', () => {
      underWay -= 1
    })
    done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    calls.observe(request, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  http.addHook('onSend', (request, _reply, payload, done) => {
    if (routeOf(request) === LOGIN && typeof payload === 'string') {
      const result = loginResult(payload)
      logins.set(result, (logins.get(result) ?? 0) + 1)
    }
    done()
  })
  const figures: Figure[] = [
    gauge('inkstone_calls_under_way', 'Calls being answered now.', () => underWay),
    {
      name: 'inkstone_logins_total',
      type: 'counter',
      help: 'Attempts to sign in, by result.',
      read: () => [...logins].map(([result, value]) => ({ labels: { result }, value })),
    },
    ...poolFigures(app.db),
    ...liveFigures(live),
    gauge(
      'inkstone_event_loop_p99_seconds',
      'Delay of the event loop since the last look, 99th percentile.',
      () => loop.percentile(99) / NANOSECONDS,
    ),
    gauge('inkstone_event_loop_max_seconds', 'The longest delay of the event loop since the last look.', () => {
      const delay = loop.max / NANOSECONDS
      loop.reset()
      return delay
    }),
    gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
    counter('process_cpu_seconds_total', 'CPU time of the process.', cpuSeconds),
  ]
  return { text: () => `${[calls.text(), ...figures.map(written)].join('\n')}\n` }
}

const figure =
  (type: Figure['type']) =>
  (name: string, help: string, read: () => number): Figure => ({ name, type, help, read: () => [{ value: read() }] })
const gauge = figure('gauge')
const counter = figure('counter')

function poolFigures(db: App['db']): Figure[] {
  const pools = Object.entries(db.pools)
  const byPool = (name: string, help: string, value: (pool: App['db']['read']['pool']) => number): Figure => ({
    name,
    type: 'gauge',
    help,
    read: () => pools.map(([pool, held]) => ({ labels: { pool }, value: value(held) })),
  })
  return [
    byPool('inkstone_database_connections_used', 'Connections at work.', pool => pool.totalCount - pool.idleCount),
    byPool('inkstone_database_connections_waiting', 'Calls that wait for a connection.', pool => pool.waitingCount),
    gauge('inkstone_changes_in_line', 'Changes that wait in line for a record.', () => db.inLine()),
  ]
}

const liveFigures = (live: Live['metrics']): Figure[] => [
  gauge('inkstone_sockets_open', 'Open sockets of the live channel.', () => live.open),
  counter('inkstone_pushes_sent_total', 'Messages sent over the live channel.', () => live.sent),
  counter('inkstone_sockets_dropped_total', 'Sockets cut off because their reader was too slow.', () => live.dropped),
]

function loginResult(payload: string): 'ok' | 'failed' | 'locked' {
  const code = Number(/^\{"code":(\d+)/.exec(payload)?.[1])
  if (code === CODES.ok) return 'ok'
  return code === CODES['too-many'] ? 'locked' : 'failed'
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** A histogram of durations by method and template, and a count by status beside it. */
class CallTimes {
  private readonly series = new Map<
    string,
    { labels: Labels; counts: number[]; sum: number; statuses: Map<number, number> }
  >()

  observe(request: FastifyRequest, status: number, seconds: number): void {
    const route = routeOf(request)
    // Methods outside the known ones come from strangers.
    const method = /^(GET|HEAD|POST|PUT|DELETE)$/.test(request.method) ? request.method : 'other'
    const key = `${method} ${route}`
    let series = this.series.get(key)
    if (!series) {
      series = { labels: { method, route }, counts: BUCKETS_S.map(() => 0).concat(0), sum: 0, statuses: new Map() }
      this.series.set(key, series)
    }
    const bucket = BUCKETS_S.findIndex(limit => seconds <= limit)
    const place = bucket === -1 ? BUCKETS_S.length : bucket
    series.counts[place] = (series.counts[place] ?? 0) + 1
    series.sum += seconds
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1)
  }

  text(): string {
    const lines = ['# HELP inkstone_call_seconds Time to answer a call.', '# TYPE inkstone_call_seconds histogram']
    const answers = ['# HELP inkstone_calls_total Calls answered, by status.', '# TYPE inkstone_calls_total counter']
    for (const { labels, counts, sum, statuses } of this.series.values()) {
      let total = 0
      counts.forEach((count, index) => {
        total += count
        lines.push(line('inkstone_call_seconds_bucket', { ...labels, le: String(BUCKETS_S[index] ?? '+Inf') }, total))
      })
      lines.push(line('inkstone_call_seconds_sum', labels, sum), line('inkstone_call_seconds_count', labels, total))
      for (const [status, count] of statuses)
        answers.push(line('inkstone_calls_total', { ...labels, status: String(status) }, count))
    }
    return [...lines, ...answers].join('\n')
  }
}

function written({ name, type, help, read }: Figure): string {
  const samples = read().map(({ labels = {}, value }) => line(name, labels, value))
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples].join('\n')
}

function line(name: string, labels: Labels, value: number): string {
  const inner = Object.entries(labels).map(([label, text]) => `${label}="${text.replace(/["\\\n]/g, '\\$&')}"`)
  return `${name}${inner.length > 0 ? `{${inner.join(',')}}` : ''} ${Number.isFinite(value) ? value : 0}`
}
