import { describe, expect, test } from 'vitest'
import { base32, codeAt, codeOfStep, keyUri, stepOfCode } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1_000)
const NEVER = -1

describe('codes by time', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %d are those of RFC 6238, of which six digits are taken', (seconds, code) => {
    expect(codeAt(SECRET, at(seconds))).toBe(code)
  })

  test('are those of RFC 4226 by count', () => {
    expect([0, 1, 2, 9].map(step => codeOfStep(SECRET, step))).toEqual(['755224', '287082', '359152', '520489'])
  })

  test('are good half a minute before and after their own, and no longer', () => {
    const code = codeAt(SECRET, at(3_000))
    const good = [2_939, 2_940, 2_970, 3_000, 3_030, 3_059, 3_060].map(
      seconds => stepOfCode(SECRET, code, at(seconds), NEVER) !== undefined,
    )
    expect(good).toEqual([false, false, true, true, true, true, false])
  })

  test('that were used, and those older than one that was used, are not good again', () => {
    const now = at(3_000)
    const step = stepOfCode(SECRET, codeAt(SECRET, now), now, NEVER) as number
    expect(step).toBe(100)
    expect(stepOfCode(SECRET, codeAt(SECRET, now), now, step)).toBeUndefined()
    expect(stepOfCode(SECRET, codeOfStep(SECRET, step - 1), now, step)).toBeUndefined()
    expect(stepOfCode(SECRET, codeOfStep(SECRET, step + 1), now, step)).toBe(step + 1)
  })

  test.each(['', '28708', '2870822', ' 287082', '２８７０８２', 'abcdef', '-87082'])('%j is none', typed => {
    expect(stepOfCode(SECRET, typed, at(59), NEVER)).toBeUndefined()
  })

  test('are made of what the picture says, and of the same typed by hand', () => {
    expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(keyUri('Inkstone', 'wang.li', SECRET)).toBe(
      'otpauth://totp/Inkstone:wang.li?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Inkstone&algorithm=SHA1&digits=6&period=30',
    )
  })
})
