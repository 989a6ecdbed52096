import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSame, merge } from './merge.ts'

const FIELDS = ['name', 'note', 'items', 'amountFen', 'beginsAt']
const value = fc.oneof(
  fc.constantFrom(null, undefined, '', 'a', 'b', 'c', 0, 1, true, false),
  fc.array(fc.record({ label: fc.constantFrom('x', 'y') }), { maxLength: 2 }),
)
const version = fc.record(Object.fromEntries(FIELDS.map(field => [field, value])))

describe('three versions of a record become one', () => {
  test('no field is lost: what one side alone changed is kept, what nobody changed stays, the rest is asked', () => {
    fc.assert(
      fc.property(version, version, version, (base, mine, theirs) => {
        const { values, taken, asked } = merge(FIELDS, base, mine, theirs)
        expect(Object.keys(values)).toEqual(FIELDS)
        for (const field of FIELDS) {
          const [b, m, t] = [base[field], mine[field], theirs[field]]
          const isAsked = !isSame(b, m) && !isSame(b, t) && !isSame(m, t)
          expect([field, asked.includes(field)]).toEqual([field, isAsked])
          if (!isAsked) expect(isSame(values[field], isSame(b, m) ? t : m)).toBe(true)
          else expect(values[field]).toBe(m)
          expect(taken.includes(field)).toBe(!isAsked && !isSame(values[field], m))
        }
      }),
    )
  })

  test('whoever is first makes no difference to what is merged and what is asked', () => {
    fc.assert(
      fc.property(version, version, version, (base, mine, theirs) => {
        const here = merge(FIELDS, base, mine, theirs)
        const there = merge(FIELDS, base, theirs, mine)
        expect(there.asked).toEqual(here.asked)
        for (const field of FIELDS.filter(name => !here.asked.includes(name)))
          expect(isSame(here.values[field], there.values[field])).toBe(true)
      }),
    )
  })

  test('a merged version brought together with the same latest one asks and takes nothing more', () => {
    fc.assert(
      fc.property(version, version, version, (base, mine, theirs) => {
        const { values } = merge(FIELDS, base, mine, theirs)
        expect(merge(FIELDS, theirs, values, theirs)).toMatchObject({ taken: [], asked: [] })
      }),
    )
  })
})

test.each([
  ['nothing, however it is written', null, '', true],
  ['nothing and no lines', undefined, [], true],
  ['a text with spaces around it', ' Ink ', 'Ink', true],
  ['one instant in two zones', '2026-03-02T06:00:00.000Z', '2026-03-02T14:00:00+08:00', true],
  ['parts in another order', { label: 'x', value: 'y' }, { value: 'y', label: 'x' }, true],
  ['nothing and zero', null, 0, false],
  ['nothing and no', null, false, false],
  ['lines in another order', [{ label: 'x' }, { label: 'y' }], [{ label: 'y' }, { label: 'x' }], false],
])('two values are compared by what they say: %s', (_, one, other, expected) => {
  expect(isSame(one, other)).toBe(expected)
})
