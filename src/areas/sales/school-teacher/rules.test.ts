import { expect, test } from 'vitest'
import { channelFault } from './link.model.ts'
import { whyNoReward, whyNotThisReward } from './rewarding.model.ts'

const YEAR = { yearFen: 20_000, givenFen: 5_000 }

test('nothing is given to any teacher until the business has said how much', () => {
  expect(whyNoReward({ yearFen: 0, givenFen: 0 })).toMatchObject({ code: 'rewards-off' })
  expect(whyNoReward(YEAR)).toBeUndefined()
  expect(whyNoReward({ yearFen: 20_000, givenFen: 20_000 })).toMatchObject({ code: 'reward-used-up' })
})

test.each([
  ['a gift to a serving teacher', false, 'GIFT', 15_000, undefined],
  ['a course for a serving teacher', false, 'COURSE', 15_000, undefined],
  ['a fen in cash to a serving teacher', false, 'CASH', 1, 'rewardKind'],
  ['cash to somebody who has left the school', true, 'CASH', 15_000, undefined],
  ['a gift above what is left of the year', false, 'GIFT', 15_001, 'valueFen'],
  ['cash above what is left of the year to somebody who has left', true, 'CASH', 15_001, 'valueFen'],
] as const)('%s', (_what, hasLeft, rewardKind, valueFen, field) => {
  expect(whyNotThisReward({ hasLeft }, { rewardKind, valueFen }, YEAR)?.field).toBe(field)
})

test.each([
  ['as a value', 'https://h5.example/join?from=x&channel=TEACHER_7', undefined],
  ['behind the sign of a page', 'https://h5.example/#/join?channel=TEACHER_7', undefined],
  ['in the path', 'https://h5.example/t/TEACHER_7', undefined],
  ['of another teacher', 'https://h5.example/join?channel=TEACHER_77', 'link-without-channel'],
  ['nowhere', 'https://h5.example/join', 'link-without-channel'],
])('a link with the code of the channel %s', (_where, link, code) => {
  expect(channelFault(link, 'TEACHER_7')?.code).toBe(code)
})
