import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  caller,
  cloneDatabase,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { listen, openSocket } from '../../../../tools/testing/live.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'

const MINUTE_MS = 60_000
const ZONES = ['UTC', 'Asia/Shanghai', 'America/New_York']

describe.each([-10, 10])('a server whose clock is %i minutes off the database’s', minutes => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(new Date(Date.now() + minutes * MINUTE_MS)) })
  })

  test('signs people in by a picture that is good for two minutes, and keeps them for seven days', async () => {
    const { account } = await employ(instance)
    const captcha = async () => (await instance.http.inject({ url: '/api/auth/captcha' })).json().data.key as string
    const [soon, late] = [await captcha(), await captcha()]
    instance.clock.forward(MINUTE_MS)
    const signed = await signIn(instance, account, { verKey: soon })
    expect(signed.code).toBe(0)
    instance.clock.forward(MINUTE_MS)
    expect((await signIn(instance, account, { verKey: late })).code).not.toBe(0)
    const me = caller(instance, '', signed.data)
    instance.clock.forward(12 * 3_600_000)
    expect((await me.get('/auth/userInfo')).code).toBe(0)
    instance.clock.forward(7 * 86_400_000)
    expect((await me.get('/auth/userInfo')).code).toBe(4001)
  })

  test('opens a socket by a ticket that is good for one minute', async () => {
    const { token } = await person(instance)
    const me = caller(instance, '', token)
    const host = instance.http.server.listening ? '' : await listen(instance)
    const ticket = async () => (await me.post<{ ticket: string }>('/iam/ticket')).data.ticket
    const [soon, late] = [await ticket(), await ticket()]
    instance.clock.forward(MINUTE_MS / 2)
    const socket = await openSocket(host, soon)
    socket.raw.close()
    instance.clock.forward(MINUTE_MS)
    await expect(openSocket(host, late)).rejects.toBe(401)
  })

  test('keeps its jobs: what is due by its clock is done, and signals of this moment stay', async () => {
    await instance.house.runJobs()
    await instance.outbox.run()
    expect(instance.logged.filter(line => /"level":(50|60)/.test(line))).toEqual([])
  })
})

test('two servers whose clocks differ by twenty minutes know the same sessions', async () => {
  const { url } = await cloneDatabase()
  const [early, late] = [
    await openTestInstance({ url, clock: stoppedClock(new Date(Date.now() - 10 * MINUTE_MS)) }),
    await openTestInstance({ url, clock: stoppedClock(new Date(Date.now() + 10 * MINUTE_MS)) }),
  ]
  for (const [here, there] of [
    [early, late],
    [late, early],
  ] as const) {
    const { token } = await person(here)
    expect((await caller(there, '', token).get('/auth/userInfo')).code).toBe(0)
    expect((await caller(here, '', token).get('/auth/userInfo')).code).toBe(0)
    expect((await caller(here, '', token).post('/logout')).code).toBe(0)
    await expect.poll(async () => (await caller(there, '', token).get('/auth/userInfo')).code).toBe(4001)
  }
})

describe.each(ZONES)('a process that runs in %s', zone => {
  const own = process.env.TZ
  afterEach(() => {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  })

  test.each([
    ['2026-11-15T15:59:59.000Z', '2026-11-15'],
    ['2026-11-15T16:00:00.000Z', '2026-11-16'],
    // The night New York puts its clocks back, a leap day, and the turn of a year.
    ['2026-11-01T05:30:00.000Z', '2026-11-01'],
    ['2028-02-28T16:00:00.000Z', '2028-02-29'],
    ['2028-02-29T15:59:59.000Z', '2028-02-29'],
    ['2028-02-29T16:00:00.000Z', '2028-03-01'],
    ['2026-12-31T16:00:00.000Z', '2027-01-01'],
  ])('an order of %s is one of %s, and of no other day', async (instant, day) => {
    process.env.TZ = zone
    const instance = await shared()
    const id = await placeOrder(instance)
    await instance.app.db.query.updateTable('sales_order').set({ created_at: instant }).where('id', '=', id).execute()
    const admin = await person(instance, { superAdmin: true })
    const found = async (begin: string, end: string) => {
      const path = `/orders/order?createdAtBegin=${begin}&createdAtEnd=${end}&size=100`
      const { data } = await admin.get<{ records: { id: string; createdAt: string }[] }>(path)
      return data.records.find(record => record.id === id)
    }
    expect(Date.parse((await found(day, day))?.createdAt ?? '')).toBe(Date.parse(instant))
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
    expect(await found(next, next)).toBeUndefined()
    expect(await found(before, before)).toBeUndefined()
  })
})

let kept: Promise<TestInstance> | undefined
const shared = () => (kept ??= openTestInstance())
