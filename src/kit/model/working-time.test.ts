import { describe, expect, test } from 'vitest'
import { paceOf } from './waiting.ts'
import { type WorkingHours, workedMs } from './working-time.ts'

const WEEK: WorkingHours = { days: [1, 2, 3, 4, 5], from: 9, to: 18, holidays: [] }
const GOLDEN_WEEK: WorkingHours = {
  ...WEEK,
  holidays: ['2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'],
}
/** An instant in Shanghai. */
const at = (text: string) => new Date(`${text.replace(' ', 'T')}:00+08:00`)

// The sixteenth of November 2026 is a Monday.
const CASES: [name: string, hours: WorkingHours | undefined, since: string, until: string, minutes: number][] = [
  ['within one day of work it is the clock on the wall', WEEK, '2026-11-16 10:00', '2026-11-16 10:25', 25],
  [
    'assigned Friday at eight in the evening, answered Monday at ten past nine',
    WEEK,
    '2026-11-13 20:00',
    '2026-11-16 09:10',
    10,
  ],
  ['assigned before work, answered after it has begun', WEEK, '2026-11-16 07:00', '2026-11-16 09:20', 20],
  ['assigned at night and answered at night: no time at all', WEEK, '2026-11-16 22:00', '2026-11-17 01:00', 0],
  ['assigned and answered on a rest day: no time at all', WEEK, '2026-11-14 10:00', '2026-11-15 16:00', 0],
  ['from one evening to the next morning only what is worked', WEEK, '2026-11-16 17:30', '2026-11-17 09:15', 45],
  ['a whole week has five days of work', WEEK, '2026-11-16 00:00', '2026-11-23 00:00', 5 * 9 * 60],
  ['across a holiday of a week', GOLDEN_WEEK, '2026-09-30 17:00', '2026-10-08 09:30', 90],
  ['on a holiday itself: no time at all', GOLDEN_WEEK, '2026-10-01 09:00', '2026-10-01 18:00', 0],
  ['a shift may end at midnight', { ...WEEK, from: 20, to: 24 }, '2026-11-16 23:30', '2026-11-17 20:10', 40],
  [
    'a rest day of the calendar may be one of work',
    { ...WEEK, days: [6, 7] },
    '2026-11-13 20:00',
    '2026-11-14 10:00',
    60,
  ],
  ['where nobody said when there is work, all time counts', undefined, '2026-11-13 20:00', '2026-11-14 08:00', 720],
  ['an answer before the question takes no time', WEEK, '2026-11-16 12:00', '2026-11-16 11:00', 0],
  ['an answer before the question takes none by the wall either', undefined, '2026-11-16 12:00', '2026-11-16 11:00', 0],
]

describe('how much of some time was working time', () => {
  test.each(CASES)('%s', (_name, hours, since, until, minutes) => {
    expect(workedMs(at(since), at(until), hours) / 60_000).toBe(minutes)
  })
})

test('what waits for somebody who is off stays in its colour until work begins, and turns by hours of work', () => {
  // A working day of nine hours, from Friday at eight in the evening on.
  const wait = { since: at('2026-11-13 20:00').toISOString(), dueAt: at('2026-11-16 18:00').toISOString(), hours: WEEK }
  const paces = ['2026-11-15 23:00', '2026-11-16 15:17', '2026-11-16 15:18', '2026-11-16 17:59', '2026-11-16 18:00']
  expect(paces.map(when => paceOf(wait, at(when)))).toEqual(['normal', 'normal', 'due', 'due', 'overdue'])
})
