import { expect, test } from 'vitest'
import { MAX_NAMED, refuse, refusedFields } from './refusal.ts'

const wrong = (count: number) =>
  refusedFields(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, refuse('kit:field-missing')])),
    'validation',
  )
const named = (count: number) => String(wrong(count).refusal.params?.names).split(', ')

test('a refusal names at most 20 fields, says that there are more, and explains no others', () => {
  expect(MAX_NAMED).toBe(20)
  expect(named(20)).toEqual(Array.from({ length: 20 }, (_, at) => `field${at}`))
  expect(named(21)).toEqual([...named(20), '…'])
  expect(Object.keys(wrong(10_000).fields ?? {})).toEqual(named(20))
})

test('a name of any length is told by its beginning', () => {
  const { refusal } = refusedFields({ ['x'.repeat(5_000)]: refuse('kit:field-unknown') }, 'parameter')
  expect(refusal.params?.names).toBe('x'.repeat(100))
})
