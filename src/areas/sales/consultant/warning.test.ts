import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobs as engineJobs } from '#engines/allocation/server.ts'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { atOnce } from '#kit/server/work/job.ts'
import {
  type Caller,
  openTestInstance,
  org,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { listen, openSocket, type TestSocket } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { AllocationView } from './rules.model.ts'

const PATH = '/sales/consultant'
const SELLS = { 'sale-salvage': ['list', 'claim'], 'member-list': ['list', 'own'] }
const TERMS = { weight: 10, openCap: null, workDays: [], workFrom: 0, workTo: 24 }
const WARN_MINUTES = 15
const MINUTE_MS = 60_000

type Staff = Caller & { orgId: string }
/** A group that is given leads of one channel: who leads it, and who sells. */
type Group = { readonly leader: Staff; readonly seller: Staff; readonly channel: string }

let instance: TestInstance
let host: string
let boss: Caller
let [first, second]: Group[] = []
const clock = stoppedClock(new Date('2026-11-16T02:00:00.007Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock, isSending: false })
  host = await listen(instance)
  boss = await person(instance, { superAdmin: true })
  first = await group('XIAOHONGSHU_NOTE')
  second = await group('DOUYIN_LIVE')
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

async function group(channel: string): Promise<Group> {
  const orgId = await org(instance)
  const leader = await person(instance, { grants: SELLS, scope: 'DEPARTMENT', orgId })
  const seller = await person(instance, { grants: SELLS, scope: 'SELF', orgId, managerId: leader.id })
  return { leader, seller, channel }
}
/** A round, and who is to be told of what it left. */
const round = () => instance.changing(atOnce((engineJobs as readonly (typeof engineJobs)[number][])[0] as never))

async function work(group: Group, terms: { dailyCap: number | null; workFrom?: number }): Promise<void> {
  const { data } = await boss.post<{ id: string }>(PATH, { staffId: group.seller.id, ...TERMS, ...terms })
  expect(data.id).toBeDefined()
}
async function put(...groups: Group[]): Promise<void> {
  const { edition } = (await boss.get<AllocationView>(`${PATH}/allocation`)).data
  const rules = groups.map(({ seller, channel }, nth) => ({
    ...{ key: `rule-${nth}`, name: `规则 ${channel}`, sources: [], channels: [channel], products: [] },
    ...{ validFrom: null, validUntil: null, lines: [{ staffId: seller.id, weight: null, isFallback: false }] },
  }))
  const set = { rules, holidays: [], warnMinutes: WARN_MINUTES }
  expect(await boss.post(`${PATH}/allocation`, { set, note: '测试', edition })).toMatchObject({ code: 0 })
}
let counter = PHONES.test + 99_000
async function come({ channel }: Group, count: number): Promise<void> {
  const came = { name: null, source: 'XIAOHONGSHU', channel, consent: 'FORM', owner: null, cameBy: 'IMPORT' } as const
  const arrivals = Array.from({ length: count }, () => {
    counter += 1
    return { phone: phoneAt(counter), key: `test:${counter}`, ...came }
  })
  await instance.changing(change => arrive(change, arrivals))
  await instance.outbox.run()
}

/** Everybody of both groups looks at the console; gives who was warned of what meanwhile. */
async function warned(meanwhile: () => Promise<void>) {
  const people = Object.entries({
    ...{ leader: first?.leader, seller: first?.seller, otherLeader: second?.leader, otherSeller: second?.seller },
  }) as [string, Staff][]
  const sockets: [string, Staff, TestSocket][] = []
  for (const [name, who] of people) sockets.push([name, who, await openSocket(host, who.token)])
  await meanwhile()
  const told: Record<string, unknown[]> = {}
  for (const [name, { id, orgId }, socket] of sockets) {
    // What comes after all that was said before.
    const mark = randomUUID()
    const content = { type: 1, key: mark, content: '{}', page: 'member-list', ownerId: id, orgId } as const
    await instance.app.signals.send(instance.app.db.query, 'push', content)
    await socket.next(({ key }) => key === mark)
    const own = socket.pushes.filter(({ type }) => type === 10)
    if (own.length > 0) told[name] = own.map(push => JSON.parse(push.content))
    socket.raw.close()
  }
  return told
}

describe('leads nobody could be given', () => {
  test('are told to whoever leads the group of their rule, and to nobody else, once they have waited longer than the rules say', async () => {
    const [one, two] = [first as Group, second as Group]
    await work(one, { dailyCap: null, workFrom: 22 })
    await work(two, { dailyCap: 1 })
    await put(one, two)
    const early = await warned(async () => {
      await come(one, 2)
      clock.forward(WARN_MINUTES * MINUTE_MS - 1)
      await round()
    })
    expect(early).toEqual({})
    const late = await warned(async () => {
      clock.forward(1)
      await round()
      await round()
    })
    expect(late).toEqual({ leader: [{ rule: '规则 XIAOHONGSHU_NOTE', count: 2 }] })
  })

  test('because everybody at work has had as many as may be are told at once, to whoever leads that group alone', async () => {
    const told = await warned(async () => {
      await come(second as Group, 3)
      await round()
      await round()
    })
    expect(told).toEqual({ otherLeader: [{ rule: '规则 DOUYIN_LIVE', count: 2 }] })
  })
})
