import { describe, expect, test } from 'vitest'
import { daysLeft, daysUsed, membershipEnd, type Pause, pausedDays, periodsOf } from './model.ts'

const lot = (id: number, grantedOn: string, remaining: number) => ({ id: String(id), grantedOn, remaining })
const pause = (startsOn: string, endsOn: string): Pause => ({ startsOn, endsOn })

describe('a membership that is paused', () => {
  const thirty = [lot(1, '2026-03-01', 30)]

  test.each([
    ['never', [], '2026-03-30'],
    ['for ten days', [pause('2026-03-05', '2026-03-14')], '2026-04-09'],
    ['from its first day on', [pause('2026-03-01', '2026-03-10')], '2026-04-09'],
    ['on its last day', [pause('2026-03-30', '2026-03-31')], '2026-04-01'],
    ['after it has ended', [pause('2026-03-31', '2026-04-09')], '2026-03-30'],
    ['before it began', [pause('2026-02-01', '2026-02-10')], '2026-03-30'],
    ['twice', [pause('2026-03-05', '2026-03-09'), pause('2026-03-20', '2026-03-24')], '2026-04-09'],
    [
      'again in the days a pause added',
      [pause('2026-03-05', '2026-03-14'), pause('2026-04-05', '2026-04-06')],
      '2026-04-11',
    ],
  ] as const)('%s ends so many days later', (_when, pauses, end) => {
    expect(membershipEnd(thirty, pauses)).toBe(end)
  })

  test('uses up no day while it is paused, and goes on where it stopped', () => {
    const pauses = [pause('2026-03-05', '2026-03-14')]
    const [period] = periodsOf(thirty, pauses)
    if (!period) throw new Error('no period')
    const used = (today: string) => daysUsed(period, today, pauses)
    expect(['2026-03-04', '2026-03-05', '2026-03-14', '2026-03-15', '2026-04-09'].map(used)).toEqual([4, 4, 4, 5, 30])
    const left = (today: string) => daysLeft(period, today, pauses)
    expect(['2026-03-04', '2026-03-05', '2026-03-14', '2026-03-15', '2026-04-09'].map(left)).toEqual([
      27, 26, 26, 26, 1,
    ])
  })

  test('moves what follows it as well, and what is given meanwhile begins after it', () => {
    const pauses = [pause('2026-03-05', '2026-03-14')]
    expect(periodsOf([...thirty, lot(2, '2026-03-10', 5)], pauses)).toMatchObject([
      { startsOn: '2026-03-01', endsOn: '2026-04-09' },
      { startsOn: '2026-04-10', endsOn: '2026-04-14' },
    ])
    expect(periodsOf([lot(1, '2026-03-10', 5)], pauses)).toMatchObject([
      { startsOn: '2026-03-15', endsOn: '2026-03-19' },
    ])
  })

  test('has every day passed, left or paused, whenever it is asked', () => {
    const pauses = [pause('2026-03-05', '2026-03-14'), pause('2026-04-01', '2026-04-03')]
    const [period] = periodsOf(thirty, pauses)
    if (!period) throw new Error('no period')
    for (const today of [
      '2026-02-20',
      '2026-03-01',
      '2026-03-07',
      '2026-03-31',
      '2026-04-02',
      '2026-04-12',
      '2026-05-01',
    ]) {
      const isPaused = pausedDays(pauses, today, today) === 1
      const isOn = today >= period.startsOn && today <= period.endsOn && !isPaused
      // The day itself is used, and still there.
      expect(daysUsed(period, today, pauses) + daysLeft(period, today, pauses)).toBe(isOn ? 31 : 30)
    }
  })
})
