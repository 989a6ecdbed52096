import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import type { CalendarDay, CheckIn } from './model.ts'

const PAGE = 'member-activity'
const PATH = '/members/check-in'
const READ = ['list', 'detail']

let instance: TestInstance
let teacher: Caller
// Noon of Shanghai in the middle of a month, so that a few days either way stay in it.
const clock = stoppedClock(new Date('2026-11-18T04:00:00Z'))
const today = '2026-11-18'
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  teacher = await person(instance, {
    grants: { [PAGE]: [...READ, 'approve', 'reject', 'tellTeacher'], 'member-list': [...READ, 'teach'] },
  })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const tell = async (type: string, data: object, id: string = randomUUID()) => {
  const answer = await sendEvent(instance, 'app', { id, type, data: data as never })
  await instance.inbox.sweep()
  return answer
}
const practise = (memberId: string, at?: string, plan = 'DAILY') =>
  tell('check-in.submitted', { memberId, plan, ...(at === undefined ? {} : { at }) })
const askFor = (memberId: string, day: string) =>
  tell('check-in.make-up-requested', { memberId, plan: 'DAILY', day, reason: '发烧请假' })
/** Days that were practised long ago, as they came in then. */
async function practised(memberId: string, days: readonly string[]): Promise<void> {
  const now = clock.now()
  for (const day of days) {
    clock.set(`${day}T12:00:00+08:00`)
    await practise(memberId)
  }
  clock.set(now)
}
const listed = async (memberId: string, by = teacher) =>
  (await by.get<{ records: CheckIn[] }>(`${PATH}?memberId=${memberId}&sort=day:asc&size=50`)).data.records
const told = async (memberId: string) =>
  (await listed(memberId)).map(({ day, streak, dayNo, status }) => `${day} ${streak}/${dayNo} ${status}`)
const coinsOf = async (memberId: string) =>
  (
    await instance.app.db.query
      .selectFrom('member')
      .select('coins')
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
  ).coins
const ago = (days: number) => addDays(today, -days)
const step = (id: string, name: string, body?: object) => teacher.post(`${PATH}/${id}/${name}`, body)

describe('a check-in', () => {
  test('is one a day and plan, however many come at once; another plan is another', async () => {
    const memberId = await enrol(instance)
    await Promise.all(Array.from({ length: 20 }, () => practise(memberId)))
    await instance.inbox.sweep()
    await practise(memberId, undefined, 'POEM')
    expect((await listed(memberId)).map(({ plan }) => plan).sort()).toEqual(['DAILY', 'POEM'])
  })

  test('belongs to the day it is in Shanghai, also at half past midnight', async () => {
    const memberId = await enrol(instance)
    await practise(memberId, '2026-11-16T23:59:00+08:00')
    await practise(memberId, '2026-11-17T00:30:00+08:00')
    await practise(memberId, '2026-11-17T16:30:00Z')
    expect(await told(memberId)).toEqual(['2026-11-16 1/1 DONE', '2026-11-17 2/2 DONE', '2026-11-18 3/3 DONE'])
  })

  test('that comes late stands on its day, and one from the future or older than two days is refused', async () => {
    const memberId = await enrol(instance)
    await practise(memberId)
    await practise(memberId, `${ago(1)}T20:00:00+08:00`)
    expect(await told(memberId)).toEqual([`${ago(1)} 1/1 DONE`, `${today} 2/2 DONE`])
    await practise(memberId, `${addDays(today, 1)}T12:00:00+08:00`)
    await practise(memberId, `${ago(3)}T11:00:00+08:00`)
    expect(await listed(memberId)).toHaveLength(2)
  })

  test('is remembered with the member, and what is told late does not turn it back', async () => {
    const memberId = await enrol(instance)
    await practise(memberId)
    await practise(memberId, `${ago(1)}T20:00:00+08:00`)
    const { last_check_in_at: at } = await instance.app.db.query
      .selectFrom('member')
      .select('last_check_in_at')
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
    expect(dayOf(new Date(String(at)))).toBe(today)
  })

  test('of an unknown plan changes nothing', async () => {
    const memberId = await enrol(instance)
    await practise(memberId, undefined, 'NOSUCH')
    expect(await listed(memberId)).toEqual([])
  })
})

describe('coins', () => {
  test('come with the seventh day in a row, once, and with the fourteenth', async () => {
    const memberId = await enrol(instance)
    const days = Array.from({ length: 14 }, (_, at) => ago(13 - at))
    await practised(memberId, days.slice(0, 6))
    expect(await coinsOf(memberId)).toBe(0)
    await practised(memberId, days.slice(6, 7))
    expect(await coinsOf(memberId)).toBe(20)
    await practised(memberId, days.slice(6))
    expect(await coinsOf(memberId)).toBe(40)
    expect((await listed(memberId)).map(({ rewardCoins }) => rewardCoins).filter(Boolean)).toEqual([20, 20])
  })

  test('are not given to who is frozen', async () => {
    const memberId = await enrol(instance)
    await instance.app.db.query.updateTable('member').set({ status: 'FROZEN' }).where('id', '=', memberId).execute()
    await practised(
      memberId,
      Array.from({ length: 7 }, (_, at) => ago(6 - at)),
    )
    expect(await coinsOf(memberId)).toBe(0)
    expect(await listed(memberId)).toHaveLength(7)
  })
})

describe('a missed day', () => {
  test('is asked for by the pupil, and once approved fills the gap, with the coins the whole row earns', async () => {
    const memberId = await enrol(instance)
    await practised(memberId, [6, 5, 4, 3, 1, 0].map(ago))
    await askFor(memberId, ago(2))
    const asked = (await listed(memberId)).find(({ status }) => status === 'REQUESTED')
    expect(asked).toMatchObject({ isMakeUp: true, reason: '发烧请假', streak: 0 })
    expect(await coinsOf(memberId)).toBe(0)
    const pressed = await Promise.all([step(String(asked?.id), 'approve'), step(String(asked?.id), 'approve')])
    expect(pressed.map(({ code }) => code).sort()).toEqual([0, 4006])
    expect((await told(memberId)).at(-1)).toBe(`${today} 7/7 DONE`)
    expect(await coinsOf(memberId)).toBe(20)
  })

  test('is asked for within a week, three times a month, and not twice', async () => {
    const memberId = await enrol(instance)
    await practised(memberId, [ago(1)])
    for (const days of [8, 0, -1, 1]) await askFor(memberId, ago(days))
    expect(await listed(memberId)).toHaveLength(1)
    for (const days of [2, 2, 3, 4, 5]) await askFor(memberId, ago(days))
    expect((await listed(memberId)).map(({ day }) => day)).toEqual([4, 3, 2, 1].map(ago))
  })

  test('that is refused stays missed, may be asked for again, and the refusal can then not be taken back', async () => {
    const memberId = await enrol(instance)
    await askFor(memberId, ago(2))
    const [first] = await listed(memberId)
    expect(await step(String(first?.id), 'reject')).toMatchObject({ code: 4005 })
    expect(await step(String(first?.id), 'reject', { reason: '没有作品' })).toMatchObject({ code: 0 })
    await askFor(memberId, ago(2))
    expect((await listed(memberId)).map(({ status }) => status).sort()).toEqual(['REJECTED', 'REQUESTED'])
    expect(await step(String(first?.id), 'reject/undo')).toMatchObject({ code: 4006 })
  })

  test('that was practised after all is no make-up any more', async () => {
    const memberId = await enrol(instance)
    await askFor(memberId, ago(1))
    await practise(memberId, `${ago(1)}T20:00:00+08:00`)
    expect(await listed(memberId)).toMatchObject([{ status: 'DONE', isMakeUp: false, streak: 1 }])
  })
})

describe('who has stopped coming', () => {
  const bind = (memberId: string) =>
    instance.app.db.query.updateTable('member').set({ teacher_id: teacher.id }).where('id', '=', memberId).execute()

  test('is found by the last day of the plan, and comes out of it by coming again', async () => {
    const [away, back] = [await enrol(instance), await enrol(instance)]
    for (const memberId of [away, back]) await practised(memberId, [ago(6), ago(5)])
    await practise(back)
    const found = async () =>
      (await teacher.get<{ records: CheckIn[] }>(`${PATH}?quietSinceEnd=${ago(5)}&size=100`)).data.records
        .filter(({ memberId }) => [away, back].includes(memberId))
        .map(({ memberId, day }) => `${memberId} ${day}`)
    expect(await found()).toEqual([`${away} ${ago(5)}`])
  })

  test('is told to the teacher in the console, once', async () => {
    const memberId = await enrol(instance)
    await bind(memberId)
    await practised(memberId, [ago(5)])
    const [row] = await listed(memberId)
    for (let turn = 0; turn < 2; turn += 1)
      expect(await step(String(row?.id), 'tellTeacher')).toMatchObject({ code: 0 })
    const messages = await instance.app.db.query
      .selectFrom('message')
      .select('body')
      .where('staff_id', '=', teacher.id)
      .where('body', 'like', '%5 天没有打卡%')
      .execute()
    expect(messages).toHaveLength(1)
    expect((await listed(memberId))[0]?.toldAt).toEqual(expect.any(String))
  })

  test('is not told where there is nothing to tell, or nobody to tell', async () => {
    const [fresh, alone] = [await enrol(instance), await enrol(instance)]
    await bind(fresh)
    await practised(fresh, [ago(4), ago(1)])
    await practised(alone, [ago(4)])
    const [old, recent] = await listed(fresh)
    const [unbound] = await listed(alone)
    const said = async (row: CheckIn | undefined) => (await step(String(row?.id), 'tellTeacher')).msg
    expect(await said(old)).toContain('has checked in since')
    expect(await said(recent)).toContain('has not been away')
    expect(await said(unbound)).toContain('no teacher')
  })
})

describe('the calendar', () => {
  test('shows the days of three months, asked for ones too and refused ones not, to who sees the member', async () => {
    const seller = await person(instance, { grants: { [PAGE]: READ }, scope: 'SELF' })
    const stranger = await person(instance, { grants: { [PAGE]: READ }, scope: 'SELF' })
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
    await practised(memberId, [ago(40), ago(1)])
    await askFor(memberId, ago(3))
    const asked = (by: Caller, from: string) =>
      by.get<CalendarDay[]>(`${PATH}/calendar?memberId=${memberId}&from=${from}&to=${today}`)
    const days = (await asked(seller, ago(60))).data.map(({ day, status }) => `${day} ${status}`)
    expect(days.sort()).toEqual([`${ago(40)} DONE`, `${ago(3)} REQUESTED`, `${ago(1)} DONE`])
    expect((await asked(stranger, ago(60))).data).toEqual([])
    expect(await asked(seller, ago(200))).toMatchObject({ code: 4000 })
  })
})
