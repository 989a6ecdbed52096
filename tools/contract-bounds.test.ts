import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { metaOf, type Resource } from '../src/kit/model/resource.ts'
import { numbersAt, type Statistic } from '../src/kit/model/statistic.ts'
import type { Slice } from '../src/kit/server/catalogue.ts'
import { type Caller, openTestInstance, person, type TestInstance } from './testing/instance.ts'
import { IS_LONG } from './testing/long.ts'

/** Every filter of every list: it grows with the screens. */
const LONG_MS = 600_000

/** What stands in an address, already encoded: half a sign has no encoding of its own. */
const TEXTS = ['', '%00', 'a%00b', '%ED%A0%80', 'x'.repeat(10_000), '%F0%9F%96%8C', '%25']
const NUMBERS = [
  '-1',
  '0',
  '1',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775808',
  '1.5',
  '1e3',
]
const DAYS = ['0000-01-01', '1899-12-31', '1900-01-01', '2026-02-31', '2100-12-31', '2101-01-01', '9999-12-31']

let instance: TestInstance
let admin: Caller
let resources: Resource[]
let statistics: Statistic[]
beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
  resources = instance.app.catalogue.slices.flatMap(({ resource }) => resource ?? [])
  statistics = instance.app.catalogue.slices.flatMap(({ statistic }) => statistic ?? [])
})

describe('an extreme value', () => {
  test('of a time in an event is refused at the door, for no database keeps it', () => {
    const taken = (instance.app.catalogue.slices as readonly Slice[]).flatMap(({ events }) =>
      events.flatMap(({ type, data }) =>
        Object.entries((data as z.ZodObject<Record<string, z.ZodType>>).shape).flatMap(([name, schema]) =>
          ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].some(at => schema.safeParse(at).success) &&
          JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('date-time')
            ? [`${type}.${name}`]
            : [],
        ),
      ),
    )
    expect(taken).toEqual([])
  })

  test(
    'of any filter of any list finds what there is, or is refused: it is never an error of ours',
    async () => {
      const failed: string[] = []
      for (const resource of resources) {
        for (const field of resource.list.filters) {
          for (const name of namesOf(resource, field)) {
            for (const value of tried(resource, field, name)) {
              const { status } = await admin.get(`/${resource.screen.name}?${name}=${value}`)
              if (status !== 200 && status !== 400)
                failed.push(`${status} ${resource.screen.name}?${name}=${value.slice(0, 30)}`)
            }
          }
        }
      }
      expect(failed).toEqual([])
    },
    LONG_MS,
  )

  test('of a filter of numbers or days is taken up to the bounds of the field, and refused beyond', async () => {
    for (const resource of resources) {
      for (const field of resource.list.filters) {
        const bounds = boundsOf(resource, field)
        if (!bounds) continue
        const codes = []
        for (const value of bounds)
          codes.push((await admin.get(`/${resource.screen.name}?${field}Begin=${value}`)).code)
        expect(codes, `${resource.screen.name}.${field}`).toEqual([4000, 0, 0, 4000])
      }
    }
  })

  test('of the period of any statistic is refused in words, and counted through by nobody', async () => {
    for (const statistic of statistics) {
      const name = numbersAt(statistic)
      for (const day of [...DAYS, ...TEXTS]) {
        for (const address of [`from=${day}`, `to=${day}`, `from=${day}&to=${day}`, `to=${day}&interval=month`]) {
          const answer = await admin.get(`/${name}?${address}`)
          expect([200, 400], `${name}?${address.slice(0, 40)}`).toContain(answer.status)
        }
      }
    }
  })
})

/** The parameters a filter has: its ends, or itself. */
const isRanged = (resource: Resource, field: string) =>
  ['instant', 'day', 'money', 'number'].includes(metaOf(resource, field).kind)
const namesOf = (resource: Resource, field: string): string[] =>
  isRanged(resource, field) ? [`${field}Begin`, `${field}End`] : [field]

const kinds = new Set<string>()
/** All of them in the first filter of each kind, at each end; of the others what no column holds. */
function tried(resource: Resource, field: string, name: string): readonly string[] {
  const kind = `${metaOf(resource, field).kind} ${name.slice(field.length)}`
  const isFirst = !kinds.has(kind)
  kinds.add(kind)
  const all = extremesOf(resource, field)
  return isFirst || IS_LONG ? all : all.filter(value => value === '9223372036854775808' || value === '%00')
}

/** What may be an error for this kind of field; a list of choices can only be told from any text. */
function extremesOf(resource: Resource, field: string): readonly string[] {
  const { kind } = metaOf(resource, field)
  if (kind === 'instant' || kind === 'day') return [...DAYS, ...TEXTS.slice(0, 5)]
  if (kind === 'money' || kind === 'number') return [...NUMBERS, ...TEXTS.slice(0, 5)]
  if (kind === 'reference' || kind === 'id') return [...NUMBERS, ...TEXTS.slice(0, 2)]
  return TEXTS
}

/** One before, first, last and one beyond; zero is always among what may be asked for. */
function boundsOf(resource: Resource, field: string): readonly string[] | undefined {
  const meta = metaOf(resource, field)
  if (meta.kind === 'instant' || meta.kind === 'day') return ['1899-12-31', '1900-01-01', '2100-12-31', '2101-01-01']
  if (meta.kind !== 'number' && meta.kind !== 'money') return undefined
  const min = Math.min(0, meta.min)
  return [min - 1, min, meta.max, meta.max + 1].map(String)
}
