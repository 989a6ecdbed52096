import { describe, expect, test } from 'vitest'
import { askingReasons, standingReasons, withReasons } from './second-approval.model.ts'

const TERMS = { windowDays: 7, windowUsedPercent: 10, l2Fen: 100_000, l2Days: 30 }

describe('finance decides too', () => {
  test.each([
    ['at the limit: no', { sumFen: 100_000, daysSincePaid: 1 }, []],
    ['a fen above it: yes', { sumFen: 100_001, daysSincePaid: 1 }, [{ why: 'SUM', value: 100_001 }]],
    ['on the thirtieth day: no', { sumFen: 100, daysSincePaid: 30 }, []],
    ['on the thirty-first: yes', { sumFen: 100, daysSincePaid: 31 }, [{ why: 'LATE', value: 31 }]],
  ])('%s', (_name, standing, expected) => {
    expect(standingReasons(standing, TERMS)).toEqual(expected)
  })

  const ordinary = { amountFen: 100, suggestedFen: 100, payee: 'PAYER' as const, takesNothing: false }
  test.each([
    ['what is suggested, to whoever paid: no', {}, []],
    ['less than suggested: no', { amountFen: 99 }, []],
    ['more than suggested: yes', { amountFen: 101 }, [{ why: 'BEYOND', value: 1 }]],
    ['to somebody else: yes', { payee: 'OTHER' as const }, [{ why: 'PAYEE', value: 0 }]],
    ['taking nothing back: yes', { takesNothing: true }, [{ why: 'NOTHING', value: 0 }]],
  ])('%s', (_name, given, expected) => {
    expect(askingReasons({ ...ordinary, ...given })).toEqual(expected)
  })

  test('what is found later stands beside what was found before', () => {
    const [before, now] = [[{ why: 'PAYEE' as const, value: 0 }], [{ why: 'SUM' as const, value: 3 }]]
    expect(withReasons([...before, { why: 'SUM', value: 2 }], now)).toEqual([...before, ...now])
  })
})
