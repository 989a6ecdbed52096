import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from './app.ts'
import type { Metrics } from './metric.ts'
import { readMigrations } from './migrate.ts'

/** An answer this young is given again: probes come from many places, and each is one query at most. */
const READY_LIFE_MS = 1_000
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export type Probes = {
  /** From now on the instance says it is not ready, so that nothing new is sent to it. */
  stop(): void
}

/** `/health` says the process lives and touches nothing; `/ready` that calls can be answered; `/metrics` how it goes. */
export async function mountProbes(
  http: FastifyInstance,
  app: Pick<App, 'db' | 'log'>,
  metrics: Metrics,
): Promise<Probes> {
  const known = (await readMigrations()).map(({ name }) => name)
  const isReady = remembered(() => asksWell(app, known))
  let stopping = false
  http.get('/health', async (_request, reply) => plain(reply, 200, { status: 'ok' }))
  http.get('/ready', async (_request, reply) => {
    const ready = !stopping && (await isReady())
    return plain(reply, ready ? 200 : 503, { status: ready ? 'ready' : stopping ? 'stopping' : 'unavailable' })
  })
  http.get('/metrics', async (request, reply) => {
    // Figures tell a stranger how busy we are and what exists: whoever scrapes from elsewhere comes through a proxy here.
    if (!LOOPBACK.test(request.socket.remoteAddress ?? '') || request.headers['x-forwarded-for'] !== undefined) {
      return plain(reply, 403, { status: 'loopback only' })
    }
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(metrics.text())
  })
  return {
    stop() {
      stopping = true
    },
  }
}

const plain = (reply: FastifyReply, status: number, body: { status: string }): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send(body)

/** A newer instance may have brought the database further than this one knows; it must only not be behind. */
async function asksWell({ db, log }: Pick<App, 'db' | 'log'>, known: readonly string[]): Promise<boolean> {
  try {
    const rows = await db.read.rows('select name from migration', [])
    const applied = new Set(rows.map(row => row.name))
    return known.every(name => applied.has(name))
  } catch (error) {
    log.warn({ err: error }, 'the database does not answer')
    return false
  }
}

/** Callers at one time share one question. */
function remembered(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => {
    if (!answer) {
      answer = ask()
      const forget = () => {
        answer = undefined
      }
      answer.finally(() => setTimeout(forget, READY_LIFE_MS).unref())
    }
    return answer
  }
}
