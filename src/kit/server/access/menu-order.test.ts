import { describe, expect, test } from 'vitest'
import { placesOf } from './menu-order.ts'

/** Menus below one group, in the order of the code. */
const wanted = (codes: string) => [...codes].map(code => ({ code, parent: 'group' }))
/** Stored in the order people see, each with its place in the code of that day. */
const stored = (seen: string, code: string) =>
  [...seen].map((name, at) => ({ code: name, parent: 'group', sort: at, codeSort: code.indexOf(name) }))
const order = (places: ReadonlyMap<string, number>) =>
  [...places]
    .sort(([, a], [, b]) => a - b)
    .map(([code]) => code)
    .join('')

describe('the order of the menu', () => {
  test.each([
    ['on the first start is the order of the code', 'abc', '', '', 'abc'],
    ['nobody has changed follows the code when that changes', 'cab', 'abc', 'abc', 'cab'],
    ['people gave stays theirs when the code changes', 'cab', 'bac', 'abc', 'bac'],
    ['people gave takes a new screen after the one it follows in the code', 'axbc', 'bac', 'abc', 'baxc'],
    ['people gave takes a new first screen at the beginning', 'xabc', 'bac', 'abc', 'xbac'],
    ['people gave takes several new ones in their order', 'abxyc', 'cab', 'abc', 'cabxy'],
    ['people gave leaves out what is gone', 'ac', 'cba', 'abc', 'ca'],
  ])('%s', (_, code, seen, before, expected) => {
    expect(order(placesOf(wanted(code), stored(seen, before)))).toBe(expected)
  })

  test('of one group says nothing of another, and a screen that changes its group is new there', () => {
    const menus = [
      { code: 'a', parent: 'one' },
      { code: 'b', parent: 'two' },
      { code: 'c', parent: 'two' },
    ]
    const known = [
      { code: 'c', parent: 'one', sort: 0, codeSort: 2 },
      { code: 'a', parent: 'one', sort: 1, codeSort: 1 },
      { code: 'b', parent: 'two', sort: 0, codeSort: 1 },
    ]
    expect([...placesOf(menus, known)]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ])
  })
})
