import { expect, test } from 'vitest'
import { pauseOf, type Standing, whyNotPause } from './pausing.model.ts'

const TODAY = '2026-06-01'
const standing = (other: Partial<Standing> = {}): Standing => ({
  ...{ today: TODAY, membershipEndsOn: '2027-05-31', pauses: [], openRefunds: 0, isClosing: false, daysAYear: 180 },
  ...other,
})
const why = (from: string, days: number, other?: Partial<Standing>) => {
  const found = whyNotPause({ from, days }, standing(other))
  return found && [found.field, found.refusal.code, found.refusal.params]
}

test.each([
  ['today', TODAY, 1],
  ['ninety days ahead', '2026-08-30', 180],
  ['on the last day of the membership', '2026-06-20', 10, { membershipEndsOn: '2026-06-20' }],
  [
    'again, the day after the last was over',
    TODAY,
    150,
    { pauses: [{ startsOn: '2026-05-02', endsOn: '2026-05-31' }] },
  ],
  ['whole, a year after the last one', TODAY, 180, { pauses: [{ startsOn: '2025-01-01', endsOn: '2025-05-31' }] }],
] as const)('a membership may be paused from %s', (_when, from, days, other?: Partial<Standing>) => {
  expect(why(from, days, other)).toBeUndefined()
})

test.each([
  ['yesterday', '2026-05-31', 1, {}, ['pauseFrom', 'pause-past', {}]],
  ['more than ninety days ahead', '2026-08-31', 1, {}, ['pauseFrom', 'pause-too-far', { latest: '2026-08-30' }]],
  ['when it has no days left', TODAY, 1, { membershipEndsOn: '2026-05-31' }, ['memberId', 'pause-no-days', {}]],
  ['when there never was one', TODAY, 1, { membershipEndsOn: null }, ['memberId', 'pause-no-days', {}]],
  [
    'after it ends',
    '2026-06-21',
    1,
    { membershipEndsOn: '2026-06-20' },
    ['pauseFrom', 'pause-after-end', { day: '2026-06-20' }],
  ],
  ['while a refund is under way', TODAY, 1, { openRefunds: 1 }, ['memberId', 'pause-refund', {}]],
  ['while the account is to be closed', TODAY, 1, { isClosing: true }, ['memberId', 'pause-closing', {}]],
  [
    'while it is paused',
    ...(['2026-07-01', 1, { pauses: [{ startsOn: '2026-05-20', endsOn: TODAY }] }] as const),
    ['memberId', 'pause-twice', { from: '2026-05-20', until: TODAY }],
  ],
  [
    'for more days than a year allows',
    ...([TODAY, 151, { pauses: [{ startsOn: '2026-05-02', endsOn: '2026-05-31' }] }] as const),
    ['pauseDays', 'pause-too-long', { max: 180, left: 150 }],
  ],
] as const)('a membership is not paused %s', (_when, from, days, other, said) => {
  expect(why(from, days, other)).toEqual(said)
})

test('what is agreed to late begins on that day and lasts as long as was asked for', () => {
  expect(pauseOf({ from: '2026-05-28', days: 10 }, TODAY)).toEqual({ startsOn: TODAY, endsOn: '2026-06-10' })
  expect(pauseOf({ from: '2026-06-05', days: 1 }, TODAY)).toEqual({ startsOn: '2026-06-05', endsOn: '2026-06-05' })
})
