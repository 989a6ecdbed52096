import { createHash, timingSafeEqual } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { migrationNames } from '../database/migrate.ts'
import { RETRY_SECONDS } from '../http/answer.ts'
import type { Metrics } from './metric.ts'

/** An answer this young is given again: probes come from many places, and each is one query at most. */
const READY_LIFE_MS = 1_000
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
/** With less of the disk free, nothing new is sent here: what is under way needs the rest. */
const FREE_PERCENT = 5
/** Whoever asked so lately asks regularly, and sends calls here until it has asked again: every two seconds, or more often. */
const ASKED_LATELY_MS = 15_000
const ASKS_AGAIN_MS = 2_500
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export type Probes = {
  /** From now on the instance says it is not ready, so that nothing new is sent to it. */
  stop(): void
  /** After `stop`: when whoever asks regularly has heard it. At once where nobody asks. */
  heard(): Promise<void>
}

/** `/health` says the process lives and touches nothing; `/ready` that calls can be answered; `/metrics` how it goes. */
export async function mountProbes(
  http: FastifyInstance,
  app: Pick<App, 'db' | 'log' | 'env'>,
  metrics: Metrics,
): Promise<Probes> {
  const known = await migrationNames()
  const isReady = remembered(async () => (await asksWell(app, known)) && (await hasSpace(app)))
  let stopping = false
  let askedAt = Number.NEGATIVE_INFINITY
  let heard: Promise<unknown> | undefined
  http.get('/health', async (_request, reply) => plain(reply, 200, { status: 'ok' }))
  http.get('/ready', async (_request, reply) => {
    askedAt = performance.now()
    const ready = !stopping && (await isReady())
    return plain(reply, ready ? 200 : 503, { status: ready ? 'ready' : stopping ? 'stopping' : 'unavailable' })
  })
  http.get('/metrics', async (request, reply) => {
    // Figures tell a stranger how busy we are and what exists.
    if (!isLocal(request) && !hasToken(request, app.env.METRICS_TOKEN))
      return plain(reply, 403, { status: 'this machine only, or a token' })
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(metrics.text())
  })
  return {
    stop() {
      stopping = true
      heard ??= performance.now() - askedAt < ASKED_LATELY_MS ? sleep(ASKS_AGAIN_MS) : undefined
    },
    async heard() {
      await heard
    },
  }
}

/** From this machine, and not passed on by a proxy on it: what one adds says for whom it asks. */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') && !FORWARDING.some(name => headers[name] !== undefined)

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false
  const hashed = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashed(headers.authorization ?? ''), hashed(`Bearer ${token}`))
}

const plain = (reply: FastifyReply, status: number, body: { status: string }): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...(status === 503 ? { 'retry-after': String(RETRY_SECONDS) } : {}) })
    .send(body)

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

/** A folder that is not there yet has the space of the disk it will be on; asking for it comes with the first file. */
async function hasSpace({ env, log }: Pick<App, 'env' | 'log'>): Promise<boolean> {
  const disk = await statfs(env.DATA_DIR).catch(() => undefined)
  if (!disk || disk.bavail * 100 >= disk.blocks * FREE_PERCENT) return true
  log.error(`less than ${FREE_PERCENT} % of the disk is free`)
  return false
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
