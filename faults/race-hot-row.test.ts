import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import { type Answer, type Caller, caller, person } from '../tools/testing/instance.ts'
import { refundBody } from '../tools/testing/refunds.ts'
import { CALLERS, rounds } from './rounds.ts'
import { watchSlowness } from './slowness.ts'
import { atOnce, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const REFUND = '/orders/refund-application'
const HAMMER_MS = rounds(30) * 1_000
/** A bystander waits no longer than this, on a machine that does nothing else. */
const P99_MS = 500
/** Where the machine does not allow that: no more times longer than while as many ask for as much of orders of their own. */
const MOST_TIMES = 1.5
/** So many that nobody waits for a row. */
const COLD = 40

let two: TwoInstances
let clerk: Caller
let [hot, own]: string[] = []
let product: string
/** Of people who have just signed in: no instance remembers their sessions yet. */
const fresh: string[] = []

beforeAll(async () => {
  two = await openTwoInstances()
  product = await offer(two.at(0), [grantOf('MEMBER_DAYS', 100)], { priceFen: 10_000_000 })
  clerk = await person(two.at(0), {
    grants: { 'order-list': ['list', 'detail'], 'order-refundApply': ['list', 'detail', 'create'] },
  })
  hot = (await buy(two.at(0), await enrol(two.at(0)), product)).orderId
  own = (await buy(two.at(0), await enrol(two.at(0)), product)).orderId
  const { db, sessions } = two.at(0).app
  for (let nth = 0; nth < 600; nth += 1)
    fresh.push((await db.write(tx => sessions.open(tx, clerk.id, { address: '', device: '' }))).token)
})

const ask = (nth: number, orderId: string | undefined) =>
  caller(two.at(nth), clerk.id, clerk.token).post(REFUND, refundBody(orderId ?? '', 1))
const signedIn = (nth: number, token = clerk.token) => caller(two.at(nth), clerk.id, token)

/** What others do meanwhile, each at both instances in turn. */
const BYSTANDERS: readonly ((nth: number) => Promise<Answer>)[] = [
  nth => signedIn(nth).get('/orders/order'),
  nth => signedIn(nth).get(`/orders/order/${own}`),
  nth => signedIn(nth, fresh.pop()).get('/auth/userInfo'),
  nth => ask(nth, own),
]

type Seen = { readonly status: number; readonly ms: number }

/** Calls one after the other, with the pause a person makes, until told to stop. */
async function watch(call: (nth: number) => Promise<Answer>, signal: AbortSignal): Promise<Seen[]> {
  const seen: Seen[] = []
  for (let nth = 0; !signal.aborted; nth += 1) {
    const begun = performance.now()
    const { status } = await call(nth)
    seen.push({ status, ms: performance.now() - begun })
    await sleep(10)
  }
  return seen
}

const watched = async (ms: number): Promise<Seen[]> =>
  (await Promise.all(BYSTANDERS.map(call => watch(call, AbortSignal.timeout(ms))))).flat()

const p99 = (seen: readonly Seen[]): number =>
  seen.map(({ ms }) => ms).sort((a, b) => a - b)[Math.ceil(seen.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY

/** What bystanders see, and what 200 are answered, while all of them ask for refunds of these orders again and again. */
async function hammer(orders: readonly (string | undefined)[]) {
  const stop = AbortSignal.timeout(HAMMER_MS)
  const hammering = atOnce(CALLERS, async nth => {
    const answers: Answer[] = []
    while (!stop.aborted) answers.push(await ask(nth, orders[nth % orders.length]))
    return answers
  })
  const seen = await watched(HAMMER_MS)
  return { seen, hammered: (await hammering).flat() }
}

/** How long bystanders wait on this machine while as many ask for as much, and nobody for what another holds. */
async function p99WithoutTheRow(): Promise<number> {
  const cold = await persistent(COLD, async nth => (await buy(two.at(nth), await enrol(two.at(nth)), product)).orderId)
  return p99((await hammer(cold)).seen)
}

test('while 200 callers ask for refunds of one order, nobody else is refused or kept waiting', async () => {
  // A console that has been at work for a while: its connections are open.
  await atOnce(CALLERS, nth => ask(nth, hot))
  const slowness = await watchSlowness(two.at(0).url)
  const { seen, hammered } = await hammer([hot])
  const slow = await slowness()
  expect(seen.filter(({ status }) => status >= 500)).toEqual([])
  if (p99(seen) > P99_MS * slow) expect(p99(seen)).toBeLessThanOrEqual(MOST_TIMES * (await p99WithoutTheRow()))
  // Whoever really has to wait too long is told so, and when to come again; nobody is told of an error.
  const refused = hammered.filter(({ status }) => status !== 200)
  expect(refused.filter(({ status, headers }) => status !== 503 || !headers['retry-after'])).toEqual([])
  expect(hammered.length - refused.length).toBeGreaterThan(0)
  expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
})
