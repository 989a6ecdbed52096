import { describe, expect, test } from 'vitest'
import { type Cursor, entered, isArrow, moved } from './cursor.model.ts'

const PICTURE = { width: 1_000, height: 600, turns: 0, isStride: false }
const at = (x: number, y: number): Cursor => ({ at: [x, y], from: null })

describe('the cursor on a picture', () => {
  test('is in its middle at first', () => {
    expect(moved(null, 'arrowup', PICTURE)).toEqual(at(500, 300))
  })

  test.each([
    ['arrowup', 0, [500, 290]],
    ['arrowright', 0, [510, 300]],
    ['arrowdown', 0, [500, 310]],
    ['arrowleft', 0, [490, 300]],
    // Turned by a quarter to the right, what was above is on the right.
    ['arrowright', 1, [500, 290]],
    ['arrowdown', 1, [510, 300]],
    ['arrowup', 2, [500, 310]],
    ['arrowleft', 3, [500, 290]],
  ])('goes the way of the key as it is seen: %s, turned %i times', (key, turns, place) => {
    expect(moved(at(500, 300), key, { ...PICTURE, turns }).at).toEqual(place)
  })

  test('strides with Shift, and stays on the picture', () => {
    expect(moved(at(500, 300), 'arrowright', { ...PICTURE, isStride: true }).at).toEqual([580, 300])
    expect(moved(at(990, 5), 'arrowright', { ...PICTURE, isStride: true }).at).toEqual([1_000, 5])
    expect(moved(at(990, 5), 'arrowup', PICTURE).at).toEqual([990, 0])
  })

  test('draws a pin at once, and a box from where it was begun', () => {
    expect(entered(at(5, 6), true)).toEqual({ cursor: at(5, 6), line: [[5, 6]] })
    const begun = entered(at(5, 6), false)
    expect(begun).toEqual({ cursor: { at: [5, 6], from: [5, 6] }, line: [] })
    const moving = moved(begun.cursor, 'arrowdown', PICTURE)
    expect(entered(moving, false)).toEqual({
      cursor: at(5, 16),
      line: [
        [5, 6],
        [5, 16],
      ],
    })
  })

  test('is led by arrows alone', () => {
    expect(['arrowup', 'enter', 'a', 'escape'].map(isArrow)).toEqual([true, false, false, false])
  })
})
