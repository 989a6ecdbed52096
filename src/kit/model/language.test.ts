import { expect, test } from 'vitest'
import { fill } from './language.ts'

test('a word that follows a number is that of one, or of any other', () => {
  const said = (count: number | string) => fill('{count} {count:transaction|transactions}', { count })
  expect([said(0), said(1), said('1'), said(2), said('1,000')]).toEqual([
    '0 transactions',
    '1 transaction',
    '1 transaction',
    '2 transactions',
    '1,000 transactions',
  ])
  expect(fill('{a} {b}', { a: 1 })).toBe('1 {b}')
})
