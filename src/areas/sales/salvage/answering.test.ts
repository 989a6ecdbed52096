import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RuleSet } from '#engines/allocation/rule.model.ts'
import { arrive } from '#engines/lead/server.ts'
import { formatInstant } from '#kit/model/time.ts'
import { paceOf, type Waiting } from '#kit/model/waiting.ts'
import { type WorkingHours, workedMs } from '#kit/model/working-time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt, randomFrom } from '../../../demo/builders.server.ts'
import type { AllocationView } from '../consultant/rules.model.ts'

const PATH = '/sales/salvage'
const TERMS = { weight: 10, dailyCap: null, openCap: null, workFrom: 9, workTo: 18 }
const WEEK = ['MON', 'TUE', 'WED', 'THU', 'FRI']
const SAID = { contactKind: 'PHONE', content: '介绍了体验课', level: null, nextAt: null, picture: [] }
/** An instant in Shanghai. */
const at = (text: string) => new Date(`${text.replace(' ', 'T')}:00+08:00`)

let instance: TestInstance
let manager: Caller
const clock = stoppedClock(at('2026-11-12 10:00'))
/** Never a time that ends in zero (tools/testing/instance.ts). */
const go = async (text: string): Promise<void> => {
  clock.set(new Date(at(text).getTime() + 7))
  // No session lasts for the days that pass here.
  manager = await person(instance, {
    grants: {
      'sale-salvage': ['list', 'detail', 'assign', 'contact', 'claim'],
      'sale-list': ['list', 'detail', 'create', 'update'],
    },
    scope: 'ALL',
  })
}
beforeAll(async () => {
  instance = await openTestInstance({ clock })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const query = () => instance.app.db.query
const seller = () =>
  person(instance, { grants: { 'sale-salvage': ['list', 'detail', 'claim', 'contact'] }, scope: 'SELF' })
/** Somebody with terms of work; gives the id of the terms too. */
async function atWork(workDays = WEEK) {
  const made = await seller()
  const { data } = await manager.post<{ id: string }>('/sales/consultant', { staffId: made.id, ...TERMS, workDays })
  return { ...made, termsId: data.id }
}
let counter = PHONES.test + 96_000
async function leadOf(ownerId: string): Promise<string> {
  counter += 1
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', cameBy: 'FORM' as const }
  const { org_id: orgId } = await query()
    .selectFrom('staff')
    .select('org_id')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const one = { phone: phoneAt(counter), key: `test:${counter}`, ...came, owner: { id: ownerId, orgId } }
  const [arrived] = await instance.changing(change => arrive(change, [one]))
  return String(arrived?.leadId)
}
type Row = { id: string; answerBy: string | null; waiting: Waiting | null; version: number }
const read = async (id: string) => (await manager.get<Row>(`${PATH}/${id}`)).data
const due = async (id: string) => formatInstant(new Date((await read(id)).answerBy ?? '')).slice(0, 16)
const late = async () => {
  const { data } = await manager.get<{ records: Row[] }>(`${PATH}?overdue=1&size=100`)
  return data.records.map(({ id }) => id)
}
const isPrompt = async (leadId: string) =>
  (await query().selectFrom('lead_owner').select('prompt').where('lead_id', '=', leadId).executeTakeFirstOrThrow())
    .prompt
const answer = async (leadId: string) =>
  expect(await manager.post(`${PATH}/${leadId}/contact`, SAID)).toMatchObject({ code: 0 })
async function keepHolidays(holidays: string[]): Promise<void> {
  const { edition } = (await manager.get<AllocationView>('/sales/consultant/allocation')).data
  const set: RuleSet = { rules: [], holidays, warnMinutes: 15 }
  expect(await manager.post('/sales/consultant/allocation', { set, note: '放假', edition })).toMatchObject({ code: 0 })
}

describe('the clock of a first answer', () => {
  test('stands still while whoever has the lead is off: Friday evening’s lead is answered in time on Monday morning', async () => {
    await go('2026-11-13 20:00')
    const [worker, other] = [await atWork(), await seller()]
    const [lead, hasty] = [await leadOf(worker.id), await leadOf(other.id)]
    expect([await due(lead), await due(hasty)]).toEqual(['2026-11-16 18:00', '2026-11-14 20:00'])
    await go('2026-11-15 12:00')
    expect(await late()).toEqual([hasty])
    const pace = async (id: string) => {
      const { waiting } = await read(id)
      return waiting && paceOf(waiting, clock.now())
    }
    expect([await pace(lead), await pace(hasty)]).toEqual(['normal', 'overdue'])
    await go('2026-11-16 09:10')
    await answer(lead)
    await answer(hasty)
    expect([await isPrompt(lead), await isPrompt(hasty)]).toEqual([true, false])
  })

  test('runs for its owner only: who is given it later has a day of the own', async () => {
    await go('2026-11-16 15:00')
    const [worker, weekender] = [await atWork(), await atWork(['SAT', 'SUN'])]
    const lead = await leadOf(worker.id)
    expect(await due(lead)).toEqual('2026-11-17 15:00')
    await manager.post(`${PATH}/${lead}/assign`, { newOwnerId: weekender.id })
    expect(await due(lead)).toEqual('2026-11-21 18:00')
  })

  test('follows the terms and the holidays, whenever they are changed', async () => {
    await go('2026-11-18 15:00')
    const worker = await atWork()
    const lead = await leadOf(worker.id)
    await keepHolidays(['2026-11-19'])
    expect(await due(lead)).toEqual('2026-11-20 15:00')
    const { data } = await manager.get<{ version: number }>(`/sales/consultant/${worker.termsId}`)
    const terms = { ...TERMS, workDays: ['WED', 'MON'], version: data.version }
    expect(await manager.put(`/sales/consultant/${worker.termsId}`, terms)).toMatchObject({ code: 0 })
    expect(await due(lead)).toEqual('2026-11-23 15:00')
    expect((await read(lead)).waiting?.hours).toEqual({ days: [3, 1], from: 9, to: 18, holidays: ['2026-11-19'] })
    await keepHolidays([])
  })

  test('is touched by no rules that keep the holidays as they are, and what is late stays late whatever is declared afterwards', async () => {
    await go('2026-11-23 15:00')
    const worker = await atWork()
    const overdue = await leadOf(worker.id)
    await go('2026-11-25 10:00')
    const fresh = await leadOf(worker.id)
    const written = async () => {
      const { rows } = await sql<{ at: string }>`
        select xmin::text as at from lead where id in (${overdue}, ${fresh}) order by id`.execute(query())
      return rows.map(({ at: told }) => told)
    }
    const before = await written()
    await keepHolidays([])
    expect(await written()).toEqual(before)
    await keepHolidays(['2026-11-24', '2026-11-26'])
    expect([await due(overdue), await due(fresh)]).toEqual(['2026-11-24 15:00', '2026-11-27 10:00'])
    await keepHolidays([])
  })
})

test('the table reckons working time exactly as the rule does, and when so much of it has passed', async () => {
  const random = randomFrom(7)
  const names = [...WEEK, 'SAT', 'SUN']
  const minute = (from: number) => new Date(from + random.whole(0, 40 * 24 * 60) * 60_000)
  const asked = Array.from({ length: 400 }, () => {
    const from = random.whole(0, 22)
    const days = names.flatMap((_, nth) => (random.chance(0.6) ? [nth + 1] : []))
    const since = minute(at('2026-09-01 00:00').getTime())
    const holidays = ['2026-10-01', '2026-10-02', '2026-10-03'].filter(() => random.chance(0.7))
    const hours: WorkingHours = { from, to: random.whole(from + 1, 24), days: days.length === 0 ? [3] : days, holidays }
    return { since, until: minute(since.getTime()), hours, needed: random.whole(1, 3_000) }
  })
  for (const { since, until, hours, needed } of asked) {
    const terms = sql`${hours.days.map(day => names[day - 1])}::text[], ${hours.from}::int, ${hours.to}::int, ${hours.holidays}::date[]`
    const { rows } = await sql<{ worked: string; until: string }>`
      select extract(epoch from worked(${since}, ${until}, ${terms})) * 1000 as worked,
        worked_until(${since}, make_interval(mins => ${needed}), ${terms}) as until`.execute(query())
    expect(Number(rows[0]?.worked)).toBe(workedMs(since, until, hours))
    const then = new Date(String(rows[0]?.until))
    expect(workedMs(since, then, hours)).toBe(needed * 60_000)
    expect(workedMs(since, new Date(then.getTime() - 1), hours)).toBeLessThan(needed * 60_000)
  }
})
