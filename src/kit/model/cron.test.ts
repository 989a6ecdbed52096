import { describe, expect, test } from 'vitest'
import { dueTimes, nextDue, parseCron } from './cron.ts'
import { formatInstant } from './time.ts'

const at = (text: string) => new Date(`${text.replace(' ', 'T')}+08:00`)
const dues = (cron: string, after: string, count = 3): string[] => {
  const parsed = parseCron(cron)
  const found: string[] = []
  for (
    let due = parsed && nextDue(parsed, at(after));
    due && found.length < count;
    due = parsed && nextDue(parsed, due)
  )
    found.push(formatInstant(due))
  return found
}

describe('when something is due', () => {
  test.each([
    ['* * * * * *', '2026-11-16 10:00:00', ['2026-11-16 10:00:01', '2026-11-16 10:00:02', '2026-11-16 10:00:03']],
    ['*/10 * * * *', '2026-11-16 23:45:00', ['2026-11-16 23:50:00', '2026-11-17 00:00:00', '2026-11-17 00:10:00']],
    ['0 30 3 * * ?', '2026-11-16 10:00:00', ['2026-11-17 03:30:00', '2026-11-18 03:30:00', '2026-11-19 03:30:00']],
    [
      '7/20 0 8-10/2 * * *',
      '2026-11-16 08:00:30',
      ['2026-11-16 08:00:47', '2026-11-16 10:00:07', '2026-11-16 10:00:27'],
    ],
    ['0 9 * * MON-FRI', '2026-11-20 09:00:00', ['2026-11-23 09:00:00', '2026-11-24 09:00:00', '2026-11-25 09:00:00']],
    ['0 0 L * *', '2028-01-31 12:00:00', ['2028-02-29 00:00:00', '2028-03-31 00:00:00', '2028-04-30 00:00:00']],
    ['0 0 29 2 *', '2026-01-01 00:00:00', ['2028-02-29 00:00:00', '2032-02-29 00:00:00', '2036-02-29 00:00:00']],
    // Either is enough where days and weekdays are both given; 0 and 7 are both Sunday.
    ['0 0 1 * 7', '2026-11-20 00:00:00', ['2026-11-22 00:00:00', '2026-11-29 00:00:00', '2026-12-01 00:00:00']],
    [
      '0 0 1,15 JAN,jul *',
      '2026-11-20 00:00:00',
      ['2027-01-01 00:00:00', '2027-01-15 00:00:00', '2027-07-01 00:00:00'],
    ],
  ])('%s after %s, by the clock of Shanghai', (cron, after, expected) => {
    expect(dues(cron, after)).toEqual(expected)
  })

  test.each([
    '',
    '* * * *',
    '* * * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '*/0 * * * *',
    '1,,2 * * * *',
    '*-5 * * * *',
    '* * * FOO *',
    '-1 * * * *',
    '1e1 * * * *',
    '0 0 30 2 *',
    `${'1,'.repeat(60)}1 * * * *`,
  ])('“%s” is no schedule, or one that is never due', cron => {
    expect(parseCron(cron)).toBeUndefined()
  })

  test('all due times between two instants, both included', () => {
    const cron = parseCron('0 */20 * * * *')
    const found = cron ? [...dueTimes(cron, at('2026-11-16 10:00:00'), at('2026-11-16 11:00:00'))] : []
    expect(found.map(formatInstant).map(text => text.slice(11, 16))).toEqual(['10:00', '10:20', '10:40', '11:00'])
  })
})
