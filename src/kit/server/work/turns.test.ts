import { describe, expect, test } from 'vitest'
import { openTurns, type TurnLimits } from './turns.ts'

/** Work that ends when it is told to, and a list of who has begun. */
function opened(limits: Partial<TurnLimits> = {}) {
  const turns = openTurns({ places: 2, perPerson: 1, line: 3, waitMs: 5_000, ...limits })
  const begun: string[] = []
  const ends: Record<string, () => void> = {}
  const come = (person: string, what: string) =>
    turns.take(person, () => {
      begun.push(what)
      return new Promise<string>(resolve => {
        ends[what] = () => resolve(what)
      })
    })
  return { begun, ends, come }
}
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('turns', () => {
  test('a few are at work at once, one of each person, and the next begins when one ends', async () => {
    const { begun, ends, come } = opened()
    const works = [come('ann', 'a1'), come('ann', 'a2'), come('bo', 'b1'), come('cy', 'c1')]
    await settled()
    expect(begun).toEqual(['a1', 'b1'])
    ends.b1?.()
    await settled()
    // Ann's second has waited longer, but her first is still at work.
    expect(begun).toEqual(['a1', 'b1', 'c1'])
    ends.a1?.()
    await settled()
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
    ends.c1?.()
    ends.a2?.()
    expect(await Promise.all(works)).toEqual(['a1', 'a2', 'b1', 'c1'])
  })

  test('a line that is too long, or lasts too long, is told with when to come back', async () => {
    const { ends, come } = opened({ line: 1, waitMs: 30 })
    const first = [come('ann', 'a1'), come('bo', 'b1')]
    const waiting = expect(come('cy', 'c1')).rejects.toMatchObject({ kind: 'too-many', retrySeconds: 1 })
    await expect(come('di', 'd1')).rejects.toMatchObject({ kind: 'too-many' })
    await waiting
    ends.a1?.()
    ends.b1?.()
    await Promise.all(first)
  })

  test('work that fails frees its place', async () => {
    const turns = openTurns({ places: 1, perPerson: 1, line: 0, waitMs: 10 })
    await expect(turns.take('ann', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns.take('ann', async () => 'yes')).toBe('yes')
  })
})
