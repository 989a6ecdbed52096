import { describe, expect, test } from 'vitest'
import { linesBetween, wordsBetween } from './difference.ts'

const LESSONS = { key: 'id', name: 'title', parts: { title: 'lesson.title', day: 'lesson.day' } }
const lesson = (id: string, day: number, title = `第${id}课`) => ({ id, title, day })
const told = (before: readonly object[], after: readonly object[]) =>
  linesBetween(LESSONS, before as never, after as never)

describe('what differs between two lists of lines', () => {
  const [a, b, c, d] = [lesson('a', 1), lesson('b', 2), lesson('c', 3), lesson('d', 4)]

  test('one more at the top is one added line, and no change of those below it', () => {
    expect(told([a, b, c], [d, a, b, c])).toMatchObject({ lines: [{ key: 'd', is: 'added' }], same: 3 })
  })

  test('one that is gone is told once, by its name', () => {
    expect(told([a, b, c], [a, c])).toMatchObject({ lines: [{ name: '第b课', is: 'gone' }], same: 2 })
  })

  test('one carried to the end has moved; those it passed have not', () => {
    expect(told([a, b, c, d], [b, c, d, a])).toEqual({
      lines: [{ key: 'a', name: '第a课', is: 'kept', moved: { from: 1, to: 4 }, parts: [] }],
      same: 3,
    })
  })

  test('one that changed says which part, from what to what', () => {
    expect(told([a, b], [a, { ...b, day: 9 }])).toMatchObject({
      lines: [{ key: 'b', is: 'kept', moved: null, parts: [{ part: 'day', before: 2, after: 9 }] }],
    })
  })

  test('what only names a line elsewhere is not compared', () => {
    expect(told([{ ...a, sku: 'OLD' }], [{ ...a, sku: 'NEW' }])).toEqual({ lines: [], same: 1 })
  })

  test('put in the opposite order, all but one have moved', () => {
    expect(told([a, b, c, d], [d, c, b, a]).lines).toHaveLength(3)
  })
})

describe('what differs between two texts', () => {
  const said = (before: string, after: string) =>
    wordsBetween(before, after)?.map(({ is, text }) =>
      is === 'same' ? text : is === 'new' ? `[+${text}]` : `[-${text}]`,
    )

  test('Chinese is compared by words, not by the whole sentence', () => {
    expect(said('每天练习楷书二十分钟', '每天练习行书二十分钟')?.join('')).toMatch(/^每天练习.*\[\+行?书?.*二十分钟$/)
  })

  test('English is compared by words too', () => {
    expect(said('Write ten lines a day', 'Write five lines a day')).toEqual([
      'Write ',
      '[-ten]',
      '[+five]',
      ' lines a day',
    ])
  })

  test('two texts with little in common are told as one and the other', () => {
    expect(said('控笔入门', 'Semi-cursive')).toBeUndefined()
  })
})
