import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contoursOf, type Glyph, glyphOf, lengthOf, type Point, pacedOf } from './glyph.model.ts'
import { inverseOf, seen, viewOf } from './plane.model.ts'
import { emptyMask, fillContours, type Mask, stampDisc } from './raster.model.ts'
import { readGlyph } from './server.ts'

const glyphNamed = async (character: string): Promise<Glyph> => (await readGlyph(character)) as Glyph
const covered = ({ dots }: Mask): number => dots.reduce((sum, dot) => sum + dot, 0) / 255

describe('a character', () => {
  test('is known by its strokes in their order, from where the pen is set down', async () => {
    const ten = await glyphNamed('十')
    expect(ten.strokes).toHaveLength(2)
    const [[begin, end], [top, foot]] = ten.strokes.map(({ median }) => [median[0], median.at(-1)]) as [
      [Point, Point],
      [Point, Point],
    ]
    expect(end[0]).toBeGreaterThan(begin[0])
    expect(foot[1]).toBeGreaterThan(top[1])
    const points = ten.strokes.flatMap(({ outline }) => outline.flat())
    expect(Math.min(...points)).toBeGreaterThan(-0.5)
    expect(Math.max(...points)).toBeLessThan(0.5)
  })

  test('has as many strokes as children are taught', async () => {
    const counts = await Promise.all([...'一人大天永国繁'].map(async it => (await glyphNamed(it)).strokes.length))
    expect(counts).toEqual([1, 2, 3, 4, 5, 8, 17])
  })

  test('that nobody has told of is not known, and no other file is read instead', async () => {
    const asked = ['', 'a', '..', '永永', '../package', 'package', '😀', '\u0000', '〇'.repeat(3), '𪚥']
    expect(await Promise.all(asked.map(readGlyph))).toEqual(asked.map(() => undefined))
  })

  test('is told whose data it is, and the licence lies beside it unaltered', () => {
    expect(readFileSync('NOTICE.md', 'utf8')).toMatch(/Arphic Public License/)
    expect(readFileSync('node_modules/hanzi-writer-data/ARPHICPL.TXT', 'utf8')).toMatch(/^ARPHIC PUBLIC LICENSE/)
    expect(existsSync('node_modules/hanzi-writer-data/永.json')).toBe(true)
  })
})

describe('lines and shapes', () => {
  test('curves go through their ends and bend towards what guides them', () => {
    const [curve] = contoursOf('M 0 0 Q 50 100 100 0 Z') as [Point[]]
    expect([curve[0], curve.at(-1)]).toEqual([
      [0, 0],
      [100, 0],
    ])
    expect(curve[4]).toEqual([50, 50])
    expect(contoursOf('M0 0L10 0L10 10ZM20 20C20 30 30 30 30 20Z')).toHaveLength(2)
  })

  test('are paced in even steps, with the way they go', () => {
    const line: Point[] = [
      [0, 0],
      [10, 0],
      [10, 10],
    ]
    expect(lengthOf(line)).toBe(20)
    const steps = pacedOf(line, 2)
    expect(steps).toHaveLength(10)
    expect(steps.map(({ angle }) => angle)).toEqual([...Array(5).fill(0), ...Array(5).fill(Math.PI / 2)])
  })

  test('cover as much as they are large, and what lies in two of them once', () => {
    const square = (left: number): Point[] => [
      [left, 2.5],
      [left + 10, 2.5],
      [left + 10, 7.5],
      [left, 7.5],
    ]
    const one = emptyMask(30, 12)
    fillContours(one, [square(3.25)])
    expect(covered(one)).toBeCloseTo(50, 0)
    const two = emptyMask(30, 12)
    fillContours(two, [square(3.25), square(8.25)])
    expect(covered(two)).toBeCloseTo(75, 0)
    const disc = emptyMask(30, 30)
    stampDisc(disc, [15, 15], 6)
    expect(covered(disc)).toBeCloseTo(Math.PI * 36, -1)
  })

  test('that leave the sheet are cut at its edge', () => {
    const mask = emptyMask(4, 4)
    fillContours(mask, [contoursOf('M-9 -9L20 -9L20 20L-9 20Z')[0] as Point[]])
    expect(covered(mask)).toBe(16)
    stampDisc(mask, [-3, 90], 2)
    expect(covered(mask)).toBe(16)
  })
})

test('a page seen at an angle is brought back to where it was', () => {
  const corners: Point[] = [
    [0, 0],
    [800, 0],
    [800, 600],
    [0, 600],
  ]
  const shown: Point[] = [
    [120, 80],
    [900, 140],
    [860, 720],
    [60, 640],
  ]
  const view = viewOf(corners.map((corner, i) => [corner, shown[i] as Point]))
  const back = inverseOf(view)
  for (const point of [...corners, [400, 300], [17, 583]] as Point[]) {
    const again = seen(back, seen(view, point))
    expect(Math.hypot(again[0] - point[0], again[1] - point[1])).toBeLessThan(1e-6)
  }
  corners.forEach((corner, i) => {
    expect(seen(view, corner)[0]).toBeCloseTo((shown[i] as Point)[0], 6)
  })
})

test('stroke data with fewer ways of the pen than strokes still gives each stroke its edge', () => {
  const glyph = glyphOf('一', { strokes: ['M 0 0 L 1024 0 L 1024 100 Z'], medians: [] })
  expect(glyph.strokes[0]?.outline[0]).toEqual([-0.5, 900 / 1024 - 0.5])
  expect(glyph.strokes[0]?.median).toEqual([])
})
