import { describe, expect, test } from 'vitest'
import { choosePhrases, speaksOf } from './model.ts'

const phrases = ['GOOD_1', 'GOOD_2', 'GOOD_3', 'SIZE_BIG_1', 'SIZE_BIG_2', 'SIZE_SMALL_1', 'TILT_1'].map(code => ({
  code,
  words: code.toLowerCase(),
}))
const chosen = (topics: readonly string[], more: { heard?: readonly string[]; seed?: number; most?: number } = {}) =>
  choosePhrases({ phrases, topics, heard: [], seed: 7, most: 9, ...more }).map(({ code }) => code)

describe('phrases for what was found', () => {
  test('speak of each thing once, the most pressing first, and of what nobody has words for not at all', () => {
    expect(chosen(['TILT', 'WRONG', 'SIZE_SMALL', 'TILT'])).toEqual(['TILT_1', 'SIZE_SMALL_1'])
    expect(chosen(['TILT', 'SIZE_SMALL'], { most: 1 })).toEqual(['TILT_1'])
  })

  test('of a thing whose kind was spoken of already are not said twice', () => {
    expect(chosen(['SIZE_SMALL', 'SIZE'])).toEqual(['SIZE_SMALL_1'])
  })

  test('are not those the pupil heard lately; where all were heard, the one longest ago', () => {
    for (let seed = 0; seed < 50; seed += 1)
      expect(chosen(['GOOD'], { heard: ['GOOD_1', 'GOOD_3'], seed })).toEqual(['GOOD_2'])
    expect(chosen(['GOOD'], { heard: ['GOOD_2', 'GOOD_1', 'GOOD_3'] })).toEqual(['GOOD_3'])
  })

  test('are the same for the same work, and change from work to work', () => {
    expect(chosen(['GOOD'], { seed: 12 })).toEqual(chosen(['GOOD'], { seed: 12 }))
    const over = Array.from({ length: 60 }, (_, seed) => chosen(['GOOD'], { seed })[0])
    for (const code of ['GOOD_1', 'GOOD_2', 'GOOD_3'])
      expect(over.filter(one => one === code).length).toBeGreaterThan(8)
  })
})

test.each([
  ['SIZE_BIG_2', 'SIZE', true],
  ['SIZE_BIG_2', 'SIZE_BIG', true],
  ['SIZE_BIG_2', 'SIZE_SMALL', false],
  ['SIZES', 'SIZE', false],
])('%s speaks of %s: %s', (code, topic, is) => {
  expect(speaksOf(code, topic)).toBe(is)
})
