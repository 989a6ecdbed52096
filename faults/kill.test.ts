import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { secretOf, signatureOf } from '../src/kit/server/live/inbox-secret.ts'
import { codeBatch } from '../tools/testing/codes.ts'
import { buy, enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import { type Caller, cloneDatabase, openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { freePort } from '../tools/testing/port.ts'
import { refundBody } from '../tools/testing/refunds.ts'
import { rounds } from './rounds.ts'
import { watchSlowness } from './slowness.ts'

const REFUND = '/orders/refund-application'
const PRICE_FEN = 36_500
const ORDERS = 40
const CODES = rounds(2_000)
const CALLERS = 8
/** Longer than any machine takes: what is not back by then does not come back. */
const READY_MS = 120_000
/** As soon as this the console must answer again, on a machine that does nothing else. */
const BACK_MS = 10_000

type RefundStep = 'create' | 'approve' | 'withdraw' | 'pay'
/** What the console said yes to. */
class Acknowledged {
  readonly refunds: { readonly id: string; readonly step: RefundStep }[] = []
  /** Numbers of orders whose money the signed door took. */
  readonly sales: string[] = []
  readonly redemptions: string[] = []
  get count() {
    return this.refunds.length + this.sales.length + this.redemptions.length
  }
  get lacksOne() {
    return [this.refunds, this.sales, this.redemptions].some(({ length }) => length === 0)
  }
}
/** The simulated provider fails to pay some amounts the first time. */
const PAYING = ['PAYING', 'PAID', 'FAILED', 'ABNORMAL']
/** The states a refund must have reached at least. */
const REACHED: Readonly<Record<RefundStep, readonly string[]>> = {
  create: ['SUBMITTED', 'L1_APPROVED', 'WITHDRAWN', ...PAYING],
  approve: ['L1_APPROVED', 'WITHDRAWN', ...PAYING],
  withdraw: ['WITHDRAWN'],
  pay: PAYING,
}

/** Of a refund more was taken back, or less, than was calculated for it. */
const SETTLED_TWICE = `
  select r.id, r.calculation, taken.units from refund_application r
  cross join lateral (
    select coalesce(-sum(e.delta), 0) as units from entitlement_entry e where e.refund_id = r.id and e.cause = 'TAKEN_BACK'
  ) taken
  where r.status = 'PAID' and taken.units <> (
    select coalesce(sum((part ->> 'units')::int + (part ->> 'debt')::int), 0)
    from jsonb_array_elements(r.calculation) line, jsonb_array_elements(line -> 'parts') part
  )`

describe('a server that is killed in the middle of money', () => {
  let keeper: TestInstance
  let folder: string
  let port: number
  const people: Record<string, Caller> = {}
  const orders: string[] = []
  const members: { id: string; phone: string }[] = []
  let productCode: string
  let codes: string[]
  let server: ChildProcess | undefined

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    keeper = await openTestInstance({ url })
    folder = await mkdtemp(join(tmpdir(), 'inkstone-kill-'))
    port = await freePort()
    const hold = (...actions: string[]) =>
      person(keeper, {
        grants: { 'order-list': ['list', 'detail'], 'order-refundApply': ['list', 'detail', ...actions] },
      })
    people.asker = await hold('create', 'withdraw')
    people.manager = await hold('approve')
    people.cashier = await hold('pay')
    people.clerk = await person(keeper, { grants: { 'order-exchange': ['list', 'redeem'] } })
    const product = await offer(keeper, [grantOf('MEMBER_DAYS', 365, 900), grantOf('COINS', 100, 100)], {
      priceFen: PRICE_FEN,
    })
    for (let nth = 0; nth < ORDERS; nth += 1) orders.push((await buy(keeper, await enrol(keeper), product)).orderId)
    const { query } = keeper.app.db
    members.push(
      ...(await query.selectFrom('member').select(['id', 'phone']).$narrowType<{ phone: string }>().execute()),
    )
    productCode = (await query.selectFrom('product').select('code').where('id', '=', product).executeTakeFirstOrThrow())
      .code
    const approval = { applicantId: people.asker.id, approvedBy: people.manager.id }
    codes = (await codeBatch(keeper, approval, { quantity: CODES, perPerson: 100 })).codes
  }, 600_000)
  afterAll(async () => {
    server?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  /** Answers how long it took, told as on a machine of its own. */
  const start = async () => {
    const slowness = await watchSlowness(keeper.url)
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
        INBOX_SECRET: keeper.app.env.INBOX_SECRET,
        CODE_SECRET: keeper.app.env.CODE_SECRET,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    while (!(await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.ok) {
      if (Date.now() - begun > READY_MS) throw new Error('the console did not come back')
      await sleep(50)
    }
    const ms = Date.now() - begun
    return ms / (await slowness(server.pid))
  }
  const kill = async () => {
    const ended = new Promise(resolve => server?.once('exit', resolve))
    server?.kill('SIGKILL')
    await ended
  }
  /** The answer, or nothing when the server died before it gave one. */
  const call = async <T>(path: string, body: string, headers: Record<string, string>): Promise<T | undefined> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      const { code, data } = (await answer.json()) as { code: number; data: T }
      return code === 0 ? (data ?? ({} as T)) : undefined
    } catch {
      return undefined
    }
  }
  const post = <T>(who: string, path: string, body: object) =>
    call<T>(path, JSON.stringify(body), { authtoken: people[who]?.token ?? '', 'idempotency-key': randomUUID() })
  const tell = (type: string, data: object) => {
    const [body, timestamp] = [JSON.stringify({ id: randomUUID(), type, data }), String(Date.now())]
    const signature = signatureOf(secretOf(keeper.app.env.INBOX_SECRET ?? '', 'app'), timestamp, body)
    const headers = { 'x-inkstone-timestamp': timestamp, 'x-inkstone-signature': signature }
    return call('/open/v1/app/events', body, headers)
  }
  const anyOf = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T

  async function refund({ refunds }: Acknowledged): Promise<void> {
    const body = refundBody(anyOf(orders), randomInt(1, 90))
    const made = await post<{ id: string }>('asker', REFUND, body)
    if (!made) return
    refunds.push({ id: made.id, step: 'create' })
    if (await post('manager', `${REFUND}/${made.id}/approve`, {})) refunds.push({ id: made.id, step: 'approve' })
    const [who, step] = anyOf([['cashier', 'pay'] as const, ['asker', 'withdraw'] as const])
    if (await post(who, `${REFUND}/${made.id}/${step}`, {})) refunds.push({ id: made.id, step })
  }

  async function sell({ sales }: Acknowledged): Promise<void> {
    const orderNo = `9${randomInt(1e8, 1e9)}${randomInt(1e7, 1e8)}`
    const { phone } = anyOf(members)
    if (!(await tell('order.placed', { orderNo, phone, productCode, source: 'APP' }))) return
    const paid = { orderNo, provider: 'WECHAT', providerNo: randomUUID(), amountFen: PRICE_FEN }
    if (await tell('order.paid', { ...paid, paidAt: new Date().toISOString() })) sales.push(orderNo)
  }

  async function redeem({ redemptions }: Acknowledged): Promise<void> {
    const body = { code: codes.pop(), memberId: anyOf(members).id }
    const made = await post<{ id: string }>('clerk', '/orders/redemption/redeem', body)
    if (made) redemptions.push(made.id)
  }

  /** Money moves until it is told to stop. */
  async function mix(said: Acknowledged, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await anyOf([refund, refund, sell, redeem])(said)
  }

  test(`${rounds(20)} times: what it said yes to is there, and nothing is half done`, async () => {
    const said = new Acknowledged()
    for (let round = 0; round < rounds(20); round += 1) {
      expect(await start()).toBeLessThan(BACK_MS)
      const stop = new AbortController()
      const callers = Array.from({ length: CALLERS }, () => mix(said, stop.signal))
      // At a random moment, but not before it has said yes to something of each kind.
      for (const until = said.count + randomInt(10, 60); said.count < until || said.lacksOne; ) await sleep(1)
      await kill()
      stop.abort()
      await Promise.all(callers)
    }
    const { query } = keeper.app.db
    const refunds = await query.selectFrom('refund_application').select(['id', 'status']).execute()
    const states = new Map(refunds.map(({ id, status }) => [id, status]))
    expect(said.refunds.filter(({ id, step }) => !REACHED[step].includes(states.get(id) ?? 'missing'))).toEqual([])
    const done = await query.selectFrom('redemption').select('id').where('status', '=', 'DONE').execute()
    expect(done.map(({ id }) => id)).toEqual(expect.arrayContaining(said.redemptions))
    expect(await findBroken(keeper.app.db, keeper.catalogue)).toEqual([])
    // What was under way when the server died is done by whoever comes after it, as soon as it is due again.
    keeper.clock.set(new Date(Date.now() + 3_600_000))
    await Promise.all([keeper.outbox.run(), keeper.inbox.sweep()])
    const paying = await query.selectFrom('refund_application').select('id').where('status', '=', 'PAYING').execute()
    expect(paying).toEqual([])
    const open = await query
      .selectFrom('refund_application as r')
      .innerJoin('refund_effect as e', 'e.refund_id', 'r.id')
      .select(['r.id', 'e.name', 'e.status', 'e.error'])
      .where('r.status', '=', 'PAID')
      .where(eb => eb.or([eb('e.status', '<>', 'DONE'), eb('r.effects_open', '<>', 0)]))
      .execute()
    expect(open).toEqual([])
    const settled = await keeper.app.db.read.rows(SETTLED_TWICE, [])
    expect(settled).toEqual([])
    const paid = await query.selectFrom('sales_order').select('order_no').where('pay_state', '=', 'PAID').execute()
    expect(paid.map(({ order_no: orderNo }) => orderNo)).toEqual(expect.arrayContaining(said.sales))
    expect(await findBroken(keeper.app.db, keeper.catalogue)).toEqual([])
  }, 1_800_000)
})
