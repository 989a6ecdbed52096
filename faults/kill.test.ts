import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/invariants.ts'
import { freePort } from '../tools/testing/browser.ts'
import { buy, enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import { type Caller, cloneDatabase, openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { rounds } from './rounds.ts'

const REFUND = '/orders/refund-application'
const ORDERS = 40
const CALLERS = 8
const READY_MS = 30_000
/** As soon as this the console must answer again. */
const BACK_MS = 10_000

/** A write the console said yes to, and the state the record must have reached at least. */
type Acknowledged = { readonly id: string; readonly step: 'create' | 'approve' | 'withdraw' | 'pay' }
const REACHED: Readonly<Record<Acknowledged['step'], readonly string[]>> = {
  create: ['SUBMITTED', 'L1_APPROVED', 'PAYING', 'PAID', 'WITHDRAWN'],
  approve: ['L1_APPROVED', 'PAYING', 'PAID', 'WITHDRAWN'],
  withdraw: ['WITHDRAWN'],
  pay: ['PAYING', 'PAID'],
}

describe('a server that is killed in the middle of money', () => {
  let keeper: TestInstance
  let folder: string
  let port: number
  const people: Record<string, Caller> = {}
  const orders: string[] = []
  let server: ChildProcess | undefined

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    keeper = await openTestInstance({ url })
    folder = await mkdtemp(join(tmpdir(), 'inkstone-kill-'))
    port = await freePort()
    const hold = (...actions: string[]) => ({
      'order-list': ['list', 'detail'],
      'order-refundApply': ['list', 'detail', ...actions],
    })
    people.asker = await person(keeper, { grants: hold('create', 'withdraw') })
    people.manager = await person(keeper, { grants: hold('approve') })
    people.cashier = await person(keeper, { grants: hold('pay') })
    const product = await offer(keeper, [grantOf('MEMBER_DAYS', 365, 900), grantOf('COINS', 100, 100)])
    for (let nth = 0; nth < ORDERS; nth += 1) orders.push((await buy(keeper, await enrol(keeper), product)).orderId)
  }, 120_000)
  afterAll(async () => {
    server?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  const start = async () => {
    const begun = Date.now()
    server = spawn(process.execPath, ['src/server.ts'], {
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: keeper.url,
        DATA_DIR: folder,
        SEED: 'none',
        SIMULATE: 'off',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    while (!(await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.ok) {
      if (Date.now() - begun > READY_MS) throw new Error('the console did not come back')
      await sleep(50)
    }
    return Date.now() - begun
  }
  const kill = async () => {
    const ended = new Promise(resolve => server?.once('exit', resolve))
    server?.kill('SIGKILL')
    await ended
  }
  /** The answer, or nothing when the server died before it gave one. */
  const post = async <T>(who: string, path: string, body: object): Promise<T | undefined> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authtoken: people[who]?.token ?? '',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify(body),
      })
      const { code, data } = (await answer.json()) as { code: number; data: T }
      return code === 0 ? (data ?? ({} as T)) : undefined
    } catch {
      return undefined
    }
  }

  /** Asks, approves, pays and withdraws until it is told to stop. */
  async function mix(said: Acknowledged[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const orderId = orders[randomInt(orders.length)]
      const body = {
        orderId,
        amountFen: randomInt(1, 90),
        deviation: 'test',
        reason: 'NO_TIME',
        route: 'ORIGINAL',
        note: '',
      }
      const made = await post<{ id: string }>('asker', REFUND, body)
      if (!made) continue
      said.push({ id: made.id, step: 'create' })
      if (await post('manager', `${REFUND}/${made.id}/approve`, {})) said.push({ id: made.id, step: 'approve' })
      const isPaid = randomInt(2) === 0
      const [who, step] = isPaid ? (['cashier', 'pay'] as const) : (['asker', 'withdraw'] as const)
      if (await post(who, `${REFUND}/${made.id}/${step}`, {})) said.push({ id: made.id, step })
    }
  }

  test(`${rounds(20)} times: what it said yes to is there, and nothing is half done`, async () => {
    const said: Acknowledged[] = []
    for (let round = 0; round < rounds(20); round += 1) {
      expect(await start()).toBeLessThan(BACK_MS)
      const stop = new AbortController()
      const callers = Array.from({ length: CALLERS }, () => mix(said, stop.signal))
      await sleep(randomInt(400, 1_500))
      await kill()
      stop.abort()
      await Promise.all(callers)
    }
    expect(said.length).toBeGreaterThan(rounds(20) * 10)
    const rows = await keeper.app.db.query.selectFrom('refund_application').select(['id', 'status']).execute()
    const states = new Map(rows.map(({ id, status }) => [id, status]))
    const lost = said.filter(({ id, step }) => !REACHED[step].includes(states.get(id) ?? 'missing'))
    expect(lost).toEqual([])
    expect(await findBroken(keeper.app.db, keeper.app.catalogue)).toEqual([])
    // What was being paid when the server died is paid by whoever comes after it.
    keeper.clock.forward(120_000)
    await keeper.outbox.run()
    const left = await keeper.app.db.query
      .selectFrom('refund_application')
      .select('id')
      .where('status', '=', 'PAYING')
      .execute()
    expect(left).toEqual([])
    expect(await findBroken(keeper.app.db, keeper.app.catalogue)).toEqual([])
  }, 600_000)
})
