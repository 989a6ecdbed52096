import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownChange } from '#kit/server/change/operation.ts'
import { cloneDatabase, openTestInstance, type TestInstance } from '../../../tools/testing/instance.ts'
import { type NumberKind, numberOf } from './model.ts'
import { nextNumber } from './server.ts'

let instances: readonly [TestInstance, TestInstance]
beforeAll(async () => {
  const { url } = await cloneDatabase()
  instances = [await openTestInstance({ url }), await openTestInstance({ url })]
})

const NOON = new Date('2026-11-15T04:00:00Z')
const given = (kind: NumberKind, now = NOON, at = 0) =>
  nextNumber({ app: (instances[at % 2] as TestInstance).app, now }, kind)
const [lastOf, setLast] = [
  async (kind: NumberKind, day: string) =>
    Number(
      (
        await instances[0].app.db.read.rows('select last from number_sequence where kind = $1 and day = $2', [
          kind,
          day,
        ])
      )[0]?.last ?? 0,
    ),
  (kind: NumberKind, day: string, last: number) =>
    instances[0].app.db.read.rows(
      `insert into number_sequence (kind, day, last) values ($1, $2, $3) on conflict (kind, day) do update set last = excluded.last`,
      [kind, day, last],
    ),
]

describe('numbers people read', () => {
  test('nobody waits for another change that took a number and has not ended', async () => {
    const { app } = instances[0]
    const first = await app.db.write(async tx => {
      const own = await nextNumber(ownChange(app, tx, NOON, 'test'), 'P')
      const others = await Promise.all([given('P', NOON, 0), given('P', NOON, 1)])
      expect(others.filter(no => no <= own)).toEqual([])
      return own
    })
    expect(first).toMatch(/^P20261115\d{8}$/)
  })

  test('a change that fails leaves a gap: its number is not given again', async () => {
    const { app } = instances[0]
    let lost = ''
    const failing = app.db.write(async tx => {
      lost = await nextNumber(ownChange(app, tx, NOON, 'test'), 'C')
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
    expect((await given('C')) > lost).toBe(true)
  })

  test('of 400 asked for at once at two instances, no two are the same and none is missing', async () => {
    const before = await lastOf('S', '2026-11-15')
    const numbers = await Promise.all(Array.from({ length: 400 }, (_, nth) => given('S', NOON, nth)))
    const expected = Array.from({ length: 400 }, (_, nth) => numberOf('S', '2026-11-15', before + nth + 1))
    expect(numbers.sort()).toEqual(expected)
  })

  test('each day in Shanghai begins anew', async () => {
    await setLast('R', '2026-11-16', 41)
    const evening = new Date('2026-11-17T15:59:59Z')
    const morning = new Date('2026-11-17T16:00:00Z')
    expect([await given('R', evening), await given('R', morning), await given('R', evening)]).toEqual([
      'R2026111700001',
      'R2026111800001',
      'R2026111700002',
    ])
    expect(await given('R', new Date('2026-11-16T01:00:00Z'))).toBe('R2026111600042')
  })

  test('after 99 999 of a day they stay as wide and go on behind the others', async () => {
    await setLast('R', '2026-12-01', 99_998)
    const now = new Date('2026-12-01T04:00:00Z')
    const numbers = [await given('R', now), await given('R', now), await given('R', now)]
    expect(numbers).toEqual(['R2026120199999', 'R20261201A0000', 'R20261201A0001'])
    expect([...numbers].sort()).toEqual(numbers)
  })

  test('there are more than a million a day of each kind that machines make, all of one width, in order, and read back', async () => {
    const kinds = ['', 'R', 'C', 'E', 'S', 'P'] as const
    const nth = fc.integer({ min: 1, max: 2_000_000 })
    const cases = fc.sample(fc.tuple(fc.constantFrom(...kinds), nth, nth), 500)
    for (const [kind, a, b] of cases) {
      const [one, other] = [numberOf(kind, '2026-11-15', a), numberOf(kind, '2026-11-15', b)]
      expect(one).toHaveLength(other.length)
      expect(Math.sign(a - b)).toBe(one < other ? -1 : one > other ? 1 : 0)
    }
    const written = cases.map(([kind, a]) => numberOf(kind, '2026-11-15', a).slice(kind.length + 8))
    const read = await instances[0].app.db.read.rows(
      'select running_number(w)::int as n from unnest($1::text[]) with ordinality as t (w, nth) order by nth',
      [written],
    )
    expect(read.map(({ n }) => n)).toEqual(cases.map(([, a]) => a))
  })
})
