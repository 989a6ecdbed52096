import { beforeAll, describe, expect, test } from 'vitest'
import { listOf, rowsBehind, type StatisticAnswer, type StatisticRow } from '#kit/model/statistic.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { handIn, judgedWork } from '../../../../tools/testing/works.ts'
import { statistic } from './model.ts'

const PATH = '/sales/work-count'
const SEES = { 'sale-workCount': ['list'], 'opus-list': ['list'], 'video-opus': ['list'], 'member-list': ['own'] }
const JUNE = 'from=2026-06-01&to=2026-06-30'

let instance: TestInstance
let boss: Caller
let [an, bo]: (Caller & { orgId: string })[] = []

/** An's pupil hands in two pages and goes over to Bo, then hands in a film; Bo's own pupil hands in a page. */
beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date('2026-06-10T12:00:00+08:00')) })
  boss = await person(instance, { superAdmin: true })
  an = await person(instance, { grants: SEES, scope: 'SELF', name: 'An' })
  bo = await person(instance, { grants: SEES, scope: 'SELF', name: 'Bo' })
  const pupil = await enrol(instance, { ownerId: an?.id ?? null })
  for (let page = 0; page < 2; page += 1) await handIn(instance, pupil)
  const { code } = await boss.post(`/members/member/${pupil}/assignOwner`, { newOwnerId: bo?.id, reason: '换人' })
  expect(code).toBe(0)
  await handIn(instance, await enrol(instance, { ownerId: bo?.id ?? null }))
  const film = await judgedWork(instance, { memberId: pupil, commenterId: boss.id, medium: 'VIDEO' })
  await instance.app.db.query
    .updateTable('work')
    .set({ owner_id: bo?.id ?? null, org_id: bo?.orgId ?? null, owner_then: bo?.id ?? null })
    .where('id', '=', film)
    .execute()
})

const ask = async (by: Caller, query = '') => {
  const answer = await by.get<StatisticAnswer>(`${PATH}?${JUNE}${query}`)
  expect(answer.code).toBe(0)
  return answer.data
}
const now = ({ totals }: StatisticAnswer) => totals.handedIn?.now

describe('works in numbers', () => {
  test('pages and films are counted together, and who hands in both is one pupil', async () => {
    expect(now(await ask(boss))).toEqual({
      works: 4,
      pupils: 2,
      pictures: 3,
      films: 1,
      judgedRate: 1 / 4,
      returnedRate: 0,
    })
  })

  test('a work stays with whoever had its pupil when it was handed in', async () => {
    const { rows } = await ask(boss, '&dimension=owner')
    expect(rows.map(({ label, values }) => [label, values.handedIn?.pictures, values.handedIn?.films])).toEqual([
      ['An', 2, 0],
      ['Bo', 1, 1],
    ])
  })

  test('the list behind a number holds exactly its rows, for all and for one', async () => {
    const listed = async (by: Caller, answer: StatisticAnswer, name: string, row: StatisticRow) => {
      const filters = rowsBehind(statistic, answer, name, row) ?? {}
      const search = new URLSearchParams(Object.entries(filters).map(([field, values]) => [field, String(values)]))
      return (await by.get<{ total: number }>(`/${listOf(statistic, name).screen.name}?${search}`)).data.total
    }
    let looked = 0
    for (const by of [boss, an as Caller, bo as Caller])
      for (const dimension of ['owner', 'kind', 'time']) {
        const answer = await ask(by, `&dimension=${dimension}`)
        for (const row of answer.rows)
          for (const name of ['pictures', 'films']) {
            const count = row.values.handedIn?.[name]
            expect(await listed(by, answer, name, row), `${dimension} ${row.label} ${name}`).toBe(count)
            looked += count ?? 0
          }
      }
    expect(looked).toBeGreaterThan(12)
  })

  test('who may not list films is told neither of them nor of what they are part of', async () => {
    const { 'video-opus': _films, ...pages } = SEES
    const seller = await person(instance, { grants: pages })
    expect(now(await ask(seller))).toMatchObject({ works: null, pupils: null, pictures: 3, films: null })
  })
})
