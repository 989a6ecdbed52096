import { expect, test } from 'vitest'
import type * as z from 'zod'
import { money, number } from '#kit/model/field.ts'
import { metaAt, refusalOf } from './field-refusal.ts'

const told = (schema: z.ZodType, value: unknown) => {
  const issue = schema.safeParse(value, { reportInput: true }).error?.issues[0]
  return issue && refusalOf(issue, metaAt(schema, []))
}

test('a number past all numbers is told the bound of its field, as any that is too large', () => {
  for (const much of [2 ** 53, 1e18]) {
    expect(told(money(0, 10_000), much)).toEqual({ code: 'kit:field-too-big', params: { max: '¥100.00' } })
    expect(told(number(1, 10_000), much)).toEqual(told(number(1, 10_000), 10_001))
  }
  expect(told(number(1, 10_000), -1e18)).toEqual({ code: 'kit:field-too-small', params: { min: 1 } })
})
