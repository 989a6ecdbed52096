import { describe, expect, test } from 'vitest'
import { further, MAX_REMINDERS, REMIND_AFTER_HOURS, whyNotRemind } from './model.ts'

const NOW = Date.parse('2026-11-16T02:00:00Z')
const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString()

describe('a reminder is sent', () => {
  test.each([
    ['to whoever was never reminded', { reminders: 0, remindedAt: null }, undefined],
    ['a day after the last one', { reminders: 1, remindedAt: ago(REMIND_AFTER_HOURS) }, undefined],
    ['not within a day of the last one', { reminders: 1, remindedAt: ago(REMIND_AFTER_HOURS - 1) }, 'reminded-lately'],
    ['not a fourth time', { reminders: MAX_REMINDERS, remindedAt: ago(400) }, 'reminded-enough'],
    ['to nobody whose number was forgotten', { phone: null, reminders: 0, remindedAt: null }, 'number-forgotten'],
  ])('%s', (_, row, code) => {
    expect(whyNotRemind({ phone: '13800138000', ...row }, { nowMs: NOW })?.code).toBe(code)
  })
})

test('what is told late does not lead back to an earlier step', () => {
  expect([further('PHONE', 'PROFILE'), further('PROFILE', 'PHONE'), further('CODE_SENT', 'CODE_SENT')]).toEqual([
    'PROFILE',
    'PROFILE',
    'CODE_SENT',
  ])
})
