import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomFrom } from '#demo/builders.server.ts'
import { drawnFrom, FAULTS, faultyWriting, goodWriting, type Tool, type Writing } from './demo-hand.server.ts'
import { photograph, usualShot } from './demo-photo.server.ts'
import { cellPlace, drawSheet, SHEET_CELL, type SheetStyle } from './demo-sheet.server.ts'
import type { Glyph, Point } from './glyph.model.ts'
import { seen } from './plane.model.ts'
import { emptyMask } from './raster.model.ts'
import { readGlyph } from './server.ts'

const STYLE: SheetStyle = { columns: 3, rows: 2, colour: 'red', lines: 'star' }
const AS_MODEL: Writing = { dx: 0, dy: 0, size: 1, aspect: 1, tilt: 0 }
let glyphs: Glyph[] = []
beforeAll(async () => {
  glyphs = await Promise.all([...'永和九年春'].map(async it => (await readGlyph(it)) as Glyph))
})

const pageBy = async (seed: number, style = STYLE, longSide = 700) => {
  const chance = randomFrom(seed)
  const entries = glyphs.map(glyph => ({ draw: drawnFrom(glyph, 'pen'), writing: goodWriting(chance) }))
  const sheet = drawSheet(style, entries, chance)
  return { sheet, photo: await photograph(sheet, { ...usualShot(chance), longSide }, chance) }
}

/** Middle, height and ink of a character written into a cell of 200 dots. */
function written(writing: Writing, tool: Tool = 'pen') {
  const mask = emptyMask(300, 300)
  drawnFrom(glyphs[0] as Glyph, tool, 0)(mask, { middle: [150, 150], cell: 200 }, writing, randomFrom(5))
  const inked = [...mask.dots.entries()]
    .filter(([, dot]) => dot > 127)
    .map(([at]): Point => [at % 300, Math.floor(at / 300)])
  const [xs, ys] = [inked.map(([x]) => x), inked.map(([, y]) => y)]
  const middle = (of: number[]) => (Math.min(...of) + Math.max(...of)) / 2
  return { x: middle(xs), y: middle(ys), height: Math.max(...ys) - Math.min(...ys), ink: inked.length }
}

describe('a page of the demo business', () => {
  test('comes out the same from the same seed, and another from another', async () => {
    const [first, again, other] = await Promise.all([pageBy(1), pageBy(1), pageBy(2)])
    expect(first.photo.picture.equals(again.photo.picture)).toBe(true)
    expect(first.photo.picture.equals(other.photo.picture)).toBe(false)
  })

  test('shows its grid in each colour, and lines within the cells as they are wanted', async () => {
    const inks = await Promise.all(
      (['red', 'green', 'grey', 'black'] as const).map(async colour => {
        const { dots, width } = drawSheet({ ...STYLE, colour, lines: 'none' }, [], randomFrom(1))
        const [x, y] = cellPlace(STYLE, 4)
        const at = 3 * ((y + 60) * width + x)
        return [...dots.slice(at, at + 3)].map(part => part > 128)
      }),
    )
    expect(inks).toEqual([
      [true, false, false],
      [false, true, false],
      [true, true, true],
      [false, false, false],
    ])
    const inkOf = (lines: SheetStyle['lines']) =>
      drawSheet({ ...STYLE, lines }, [], randomFrom(1)).dots.filter(dot => dot < 200).length
    expect(inkOf('none')).toBeLessThan(inkOf('cross'))
    expect(inkOf('cross')).toBeLessThan(inkOf('star'))
  })

  test('tells where the ink of each cell is seen in the picture', async () => {
    const { sheet, photo } = await pageBy(3)
    expect(sheet.ink.filter(Boolean)).toHaveLength(5)
    const { data, info } = await sharp(photo.picture).greyscale().raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([photo.width, photo.height])
    const box = sheet.ink[0]
    const darkest = (left: number, top: number, right: number, bottom: number): number => {
      let found = 255
      for (let y = top; y < bottom; y += 1)
        for (let x = left; x < right; x += 1) {
          const [px, py] = seen(photo.view, [x, y])
          found = Math.min(found, data[Math.round(py) * info.width + Math.round(px)] as number)
        }
      return found
    }
    if (!box) throw new Error('no ink')
    expect(darkest(box.left, box.top, box.right, box.bottom)).toBeLessThan(70)
    // The last cell is empty: nothing but its lines.
    const [left, top] = cellPlace(STYLE, 5)
    expect(darkest(left + 9, top + 9, left + SHEET_CELL - 9, top + SHEET_CELL - 9)).toBeGreaterThan(75)
  })

  test('may be as large as phones take them', async () => {
    const { photo } = await pageBy(4, { ...STYLE, columns: 3, rows: 2 }, 4000)
    expect(photo.width * photo.height).toBeGreaterThan(10_000_000)
    expect(photo.width * photo.height).toBeLessThanOrEqual(12_600_000)
  })
})

describe('a fault', () => {
  test('is the only thing that is beyond a good hand', () => {
    const chance = randomFrom(9)
    for (const fault of FAULTS)
      for (let i = 0; i < 200; i += 1) {
        const { dx, dy, size, tilt, missing } = faultyWriting(fault, 5, chance)
        const beyond = [
          Math.abs(dx) > 0.0401 || Math.abs(dy) > 0.0401 ? 'shift' : '',
          size > 1.081 ? 'big' : size < 0.919 ? 'small' : '',
          Math.abs(tilt) > 3.01 ? 'tilt' : '',
          missing === undefined ? '' : 'missing',
        ].filter(Boolean)
        expect(beyond).toEqual(fault === 'wrong' ? [] : [fault])
      }
  })

  test('is seen in what is drawn, with pen and brush', () => {
    for (const tool of ['pen', 'brush'] as const) {
      const model = written(AS_MODEL, tool)
      const moved = written({ ...AS_MODEL, dx: 0.12, dy: -0.05 }, tool)
      expect(moved.x - model.x).toBeCloseTo(24, -0.5)
      expect(moved.y - model.y).toBeCloseTo(-10, -0.5)
      expect(written({ ...AS_MODEL, size: 0.7 }, tool).height / model.height).toBeCloseTo(0.7, 1)
      expect(written({ ...AS_MODEL, missing: 1 }, tool).ink).toBeLessThan(0.9 * model.ink)
    }
  })
})
