import { expect, test } from 'vitest'
import { strengthOf } from './password.ts'

test('how strong a typed password looks', () => {
  const typed = [
    '',
    'abc12',
    'aaaaaa',
    '111111111111',
    'abcdef',
    'Abcdef12',
    'paper mulberry',
    'Tr7#kq2m',
    'Tr7#kq2mW!xz',
    'a long walk by the river',
    '墨香满室春意浓',
  ]
  expect(typed.map(word => `${word} → ${strengthOf(word)}`)).toEqual([
    ' → too-short',
    'abc12 → too-short',
    'aaaaaa → low',
    '111111111111 → low',
    'abcdef → low',
    'Abcdef12 → medium',
    'paper mulberry → medium',
    'Tr7#kq2m → strong',
    'Tr7#kq2mW!xz → strong',
    'a long walk by the river → strong',
    '墨香满室春意浓 → low',
  ])
})
