import { describe, expect, test } from 'vitest'
import { isOptOut, outweighs } from './model.ts'

const [early, late] = [new Date('2026-03-01T10:00:00Z'), new Date('2026-03-02T10:00:00Z')]

describe('of two words on one purpose', () => {
  test.each([
    ['the later yes counts', { act: 'GIVEN', happenedAt: late }, { act: 'WITHDRAWN', happenedAt: early }, true],
    ['the later no counts', { act: 'WITHDRAWN', happenedAt: late }, { act: 'GIVEN', happenedAt: early }, true],
    [
      'one that arrives late does not',
      { act: 'GIVEN', happenedAt: early },
      { act: 'WITHDRAWN', happenedAt: late },
      false,
    ],
    [
      'the no of the same moment counts',
      { act: 'WITHDRAWN', happenedAt: late },
      { act: 'GIVEN', happenedAt: late },
      true,
    ],
    [
      'the yes of the same moment does not',
      { act: 'GIVEN', happenedAt: late },
      { act: 'WITHDRAWN', happenedAt: late },
      false,
    ],
  ] as const)('%s', (_, word, standing, counts) => {
    expect(outweighs(word, standing)).toBe(counts)
  })

  test('the first one counts', () => {
    expect(outweighs({ act: 'GIVEN', happenedAt: early }, undefined)).toBe(true)
  })
})

test.each([
  ['R', true],
  [' r ', true],
  ['Ｒ', true],
  ['TD', true],
  ['退订。', true],
  ['拒收', true],
  ['好的', false],
  ['Rapido', false],
  ['', false],
])('an answer "%s" refuses further advertising: %s', (answered, refuses) => {
  expect(isOptOut(answered)).toBe(refuses)
})
