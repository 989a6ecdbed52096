import { describe, expect, test } from 'vitest'
import { criteriaOf, isScored, type Kind, mark, RUBRIC, said, scoreOf } from './comment.model.ts'
import { type Judging, judge, NOTHING_SAID, nextCriterion, pointsOf } from './desk-state.model.ts'

describe('the score of a work', () => {
  test('weighs strokes and structure twice as much as the layout, and is out of a hundred', () => {
    expect(scoreOf('HOMEWORK', { strokes: 10, structure: 10, layout: 10 })).toBe(100)
    expect(scoreOf('HOMEWORK', { strokes: 8, structure: 7, layout: 5 })).toBe(70)
    expect(scoreOf('GRIP', { grip: 6 })).toBe(60)
  })

  test('of every kind is shared out whole among its criteria', () => {
    for (const kind of Object.keys(RUBRIC) as Kind[])
      expect(Object.values(RUBRIC[kind]).reduce((sum, weight) => sum + weight, 0)).toBe(100)
  })

  test('is there when each criterion of the kind has points, and no other', () => {
    expect(isScored('HOMEWORK', { strokes: 8, structure: 7 })).toBe(false)
    expect(isScored('HOMEWORK', { strokes: 8, structure: 7, layout: 5 })).toBe(true)
    expect(isScored('GRIP', { grip: 8, posture: 8 })).toBe(false)
  })
})

describe('a mark', () => {
  const shaped = (shape: string, points: number[][]) =>
    mark.safeParse({ picture: 0, shape, points, fault: null, words: '' }).success
  test('is a place, a line of at least two, or a box of exactly two', () => {
    expect(shaped('PIN', [[1, 2]])).toBe(true)
    expect(
      shaped('PIN', [
        [1, 2],
        [3, 4],
      ]),
    ).toBe(false)
    expect(shaped('LINE', [[1, 2]])).toBe(false)
    expect(
      shaped('BOX', [
        [1, 2],
        [3, 4],
      ]),
    ).toBe(true)
    expect(
      shaped('BOX', [
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    ).toBe(false)
  })

  test('lies within any picture that can be sent, and there are at most sixty', () => {
    expect(shaped('PIN', [[-1, 2]])).toBe(false)
    expect(shaped('PIN', [[40_001, 2]])).toBe(false)
    const pin = { picture: 0, shape: 'PIN', points: [[1, 2]], fault: null, words: '' }
    const comment = (count: number) => ({ marks: Array(count).fill(pin), scores: {}, words: '' })
    expect(said.safeParse(comment(60)).success).toBe(true)
    expect(said.safeParse(comment(61)).success).toBe(false)
  })
})

describe('what is said at the desk', () => {
  const pin = { picture: 0, shape: 'PIN', points: [[1, 2]], fault: null, words: '' } as Judging['marks'][number]

  test('a new mark is the one the next digit speaks of, and no longer once it has a fault', () => {
    const drawn = judge(judge(NOTHING_SAID, { do: 'draw', mark: pin }), { do: 'draw', mark: pin })
    expect(drawn.chosen).toBe(1)
    const blamed = judge(drawn, { do: 'blame', at: 1, fault: 'SIZE' })
    expect(blamed).toMatchObject({ chosen: null, marks: [{ fault: null }, { fault: 'SIZE' }] })
  })

  test('digits give points from the first criterion on, zero is ten', () => {
    const criteria = criteriaOf('HOMEWORK')
    expect(nextCriterion(criteria, NOTHING_SAID)).toBe('strokes')
    const one = judge(NOTHING_SAID, { do: 'score', criterion: 'strokes', points: 8 })
    expect(nextCriterion(criteria, one)).toBe('structure')
    expect([pointsOf('0'), pointsOf('7'), pointsOf('x')]).toEqual([10, 7, undefined])
  })

  test('phrases stand one below the other, after what was written', () => {
    const written = judge(NOTHING_SAID, { do: 'write', words: '很好 ' })
    expect(judge(written, { do: 'say', phrase: '继续保持' }).words).toBe('很好\n继续保持')
  })
})
