import { describe, expect, test } from 'vitest'
import { isPersonal, readTyped } from './typed.ts'

describe('what somebody types to find something', () => {
  test.each([
    ['13800138000', { kind: 'phone', phone: '13800138000' }],
    ['+86 138-0013-8000', { kind: 'phone', phone: '13800138000' }],
    ['１３８００１３８０００', { kind: 'phone', phone: '13800138000' }],
    ['小满 8000', { kind: 'last-four', digits: '8000', name: '小满' }],
    ['8000 林', { kind: 'last-four', digits: '8000', name: '林' }],
    ['８０００　林小满', { kind: 'last-four', digits: '8000', name: '林小满' }],
    ['lin xiaoman 8000', { kind: 'last-four', digits: '8000', name: 'lin xiaoman' }],
    ['林小满8000', { kind: 'last-four', digits: '8000', name: '林小满', isJoined: true }],
    ['林小满８０００', { kind: 'last-four', digits: '8000', name: '林小满', isJoined: true }],
    // A number of its own, or too long for an end: no name stands before it.
    ['lin8000', { kind: 'number', text: 'lin8000' }],
    ['林小满18000', { kind: 'name', text: '林小满18000' }],
    ['3500常用字', { kind: 'name', text: '3500常用字' }],
    ['202611150000000017', { kind: 'number', text: '202611150000000017' }],
    ['r2026111500017', { kind: 'number', text: 'r2026111500017' }],
    ['SF-1234 5678', { kind: 'name', text: 'SF-1234 5678' }],
    ['8000', { kind: 'number', text: '8000' }],
    ['lxm', { kind: 'letters', text: 'lxm' }],
    ['ＬＸＭ', { kind: 'letters', text: 'LXM' }],
    [' 小满 ', { kind: 'name', text: '小满' }],
    ['50%_', { kind: 'number', text: '50%_' }],
  ])('%s', (typed, expected) => {
    expect(readTyped(typed)).toEqual(expected)
  })

  test('nothing typed asks for nothing', () => {
    expect(readTyped(' \u3000')).toBeUndefined()
  })

  test.each(['8000', '8000 ', '8000 l', '% 8000', '8000 %%', '_ 8000', '-- 8000', '8000 8000', '··· 8000'])(
    'the end of a number without a name is no search for a person: %s',
    typed => {
      expect(isPersonal(readTyped(typed))).toBe(false)
    },
  )
})
