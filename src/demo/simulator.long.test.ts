import { beforeAll, describe, expect, test } from 'vitest'
import { PUSHES } from '#kit/model/contract.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { openDemoInstance } from '../../tools/testing/demo-instance.ts'
import { openTestInstance, person, type TestInstance } from '../../tools/testing/instance.ts'
import { listen, openSocket } from '../../tools/testing/live.ts'
import { putInForce } from '../../tools/testing/settings.ts'
import { randomFrom } from './builders.server.ts'
import { startSimulator } from './simulator.server.ts'

const MINUTE_MS = 60_000
const DAY = 24 * 60

const KINDS = [
  'check-in.make-up-requested',
  'check-in.submitted',
  'coin-order.placed',
  'contact.added',
  'contact.lost',
  'douyin.webhook',
  'lead-form.submitted',
  'lesson.progressed',
  'member.registered',
  'official-account.messaged',
  'official-account.number-left',
  'official-account.scanned',
  'official-account.subscribed',
  'official-account.unsubscribed',
  'opus.upload-failed',
  'order.browsed',
  'order.paid',
  'order.placed',
  'platform-order.told',
  'registration.reached',
  'voucher.claimed',
  'voucher.refunded',
  'wechat-shop.messages',
  'xiaohongshu.push',
]

test('without any member there is nothing to play with', async () => {
  const instance = await openTestInstance()
  const simulator = startSimulator(instance.app, `http://${await listen(instance)}`)
  expect(await simulator.play()).toBeUndefined()
  await simulator.close()
})

describe('a day of the demo business', () => {
  let instance: TestInstance
  let host: string
  beforeAll(async () => {
    instance = await openDemoInstance()
    await putInForce(instance, 'xhsOrder.push', 1)
    host = await listen(instance)
  })
  const count = async (query: string) => Number((await instance.app.db.read.pool.query(query)).rows[0].n)

  // What somebody asks for in vain is refused, and done with.
  const open = `select count(*) as n from inbox_event where applied_at is null and outcome is distinct from 'REFUSED'`
  /** What was told is applied: the next that plays finds what it left, however slow the machine. */
  const settled = async () => {
    await instance.inbox.sweep()
    await expect.poll(() => count(open), { interval: 20 }).toBe(0)
  }

  /** Gives these numbers one after the other, then halves. */
  const chances =
    (...given: number[]) =>
    () =>
      given.shift() ?? 0.5

  test.each([1, 2, 8] as const)('type %i is played through the signed door and reaches a socket', async type => {
    const admin = await person(instance, { superAdmin: true })
    const socket = await openSocket(host, admin.token)
    const played = new Set<string | undefined>()
    // Every slice adds scenes of its own: the one that is meant is somewhere among them.
    for (let scene = 0.005; scene < 1 && !played.has(PUSHES[type].event); scene += 0.01) {
      const simulator = startSimulator(instance.app, `http://${host}`, { chance: chances(0.5, scene) })
      played.add(await simulator.play())
      await simulator.close()
      await settled()
    }
    await socket.next(push => push.type === type)
    socket.raw.close()
  })

  test('people register, look, order, pay, spend coins and want money back, and every promise holds', async () => {
    const begun = instance.clock.now().toISOString()
    const orders = await count('select count(*) as n from sales_order')
    const paid = await count(`select count(*) as n from sales_order where pay_state = 'PAID'`)
    // What comes in is at work: leads of both kinds, an answer to a word, a contact with the account it was added by.
    const since = `created_at >= '${begun}'`
    const withLead = (kind: string) =>
      `select count(*) as n from lead_form where kind = '${kind}' and lead_id is not null and ${since}`
    const atWork = [
      withLead('FORM'),
      withLead('MESSAGE'),
      `select count(*) as n from account_answer where kind = 'KEYWORD' and ${since}`,
      `select count(*) as n from chat_account_add a join chat_contact c on c.id = a.contact_id where c.${since}`,
    ]
    const idle = async () => {
      const found = await Promise.all(atWork.map(count))
      return atWork.filter((_, nth) => found[nth] === 0)
    }
    const simulator = startSimulator(instance.app, `http://${host}`, { chance: randomFrom(3).fraction })
    const played = new Set<string>()
    const isMissing = async () => played.size < KINDS.length || (await idle()).length > 0
    // What is rare, and finds nobody it could happen to, may miss a day: it comes on one of the next.
    for (let minutes = 0; minutes < DAY || (minutes < 5 * DAY && (await isMissing())); minutes += 8) {
      instance.clock.forward(8 * MINUTE_MS)
      played.add(String(await simulator.play()))
      await settled()
      if (minutes % 80 === 0) await instance.house.runJobs()
    }
    await simulator.close()
    await instance.outbox.run()
    expect([...played].sort()).toEqual(KINDS)
    expect(await count(open)).toBe(0)
    expect(await idle()).toEqual([])
    expect(await count('select count(*) as n from sales_order')).toBeGreaterThan(orders + 10)
    expect(await count(`select count(*) as n from sales_order where pay_state = 'PAID'`)).toBeGreaterThan(paid + 5)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
