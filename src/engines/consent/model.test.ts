import { describe, expect, test } from 'vitest'
import { ageGroupOf, isOptOut, outweighs, ownWordFrom, readBirthMonth, whyNotAgreed } from './model.ts'

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

describe('a month of birth', () => {
  test.each([
    ['2016-05', '2016-05'],
    ['2016-5', '2016-05'],
    ['2016/05', '2016-05'],
    ['2016年5月', '2016-05'],
    ['201605', '2016-05'],
    ['２０１６．１２', '2016-12'],
    [' 2026-11 ', '2026-11'],
    ['2026-12', undefined],
    ['2016-13', undefined],
    ['2016-00', undefined],
    ['1816-05', undefined],
    ['2016', undefined],
    ['2016-05-03', undefined],
    ['五月', undefined],
  ])('is read as people write it: "%s" is %s', (typed, month) => {
    expect(readBirthMonth(typed, '2026-11-17')).toBe(month)
  })

  test.each([
    ['2012-10', '2026-11-01'],
    ['2012-11', '2026-12-01'],
    ['2012-12', '2027-01-01'],
    ['2012-02', '2026-03-01'],
  ])('makes somebody born in %s surely fourteen on %s', (month, day) => {
    expect(ownWordFrom(month)).toBe(day)
  })

  test('makes the day on which somebody turns fourteen count, and nobody knows of one who has none', () => {
    expect(ageGroupOf('2012-10', '2026-10-31')).toBe('UNDER_14')
    expect(ageGroupOf('2012-10', '2026-11-01')).toBe('FROM_14')
    expect(ageGroupOf(null, '2026-11-01')).toBe('UNKNOWN')
  })
})

describe('what may rest on a word', () => {
  // Midnight in Shanghai: the month after the fourteenth birthday begins.
  const [eve, day] = [new Date('2026-10-31T15:59:59Z'), new Date('2026-10-31T16:00:00Z')]
  const said = (saidAs: 'GUARDIAN' | 'PUPIL', act: 'GIVEN' | 'WITHDRAWN', happenedAt: Date) => ({
    saidAs,
    act,
    happenedAt,
  })
  test.each([
    ['nothing where nobody was asked', undefined, '2012-10', 'NEVER_ASKED'],
    ['a guardian\u2019s yes at any age', said('GUARDIAN', 'GIVEN', eve), '2012-10', undefined],
    ['a guardian\u2019s yes where no age is known', said('GUARDIAN', 'GIVEN', eve), null, undefined],
    ['no yes of a pupil the evening before', said('PUPIL', 'GIVEN', eve), '2012-10', 'TOO_YOUNG'],
    ['a pupil\u2019s own yes from that day on', said('PUPIL', 'GIVEN', day), '2012-10', undefined],
    ['no yes of a pupil whose age nobody knows', said('PUPIL', 'GIVEN', day), null, 'TOO_YOUNG'],
    ['nothing on a guardian\u2019s no', said('GUARDIAN', 'WITHDRAWN', day), '2012-10', 'WITHDRAWN'],
    ['nothing on a child\u2019s own no, however young', said('PUPIL', 'WITHDRAWN', eve), null, 'WITHDRAWN'],
  ] as const)('%s', (_, word, birthMonth, lack) => {
    expect(whyNotAgreed(word, birthMonth)).toBe(lack)
  })
})
