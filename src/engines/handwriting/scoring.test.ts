import { describe, expect, test } from 'vitest'
import { randomFrom } from '#demo/builders.server.ts'
import { drawnByFont } from '#engines/stroke/demo-font.server.ts'
import { drawnFrom, FORM_FAULTS, goodWriting, type Writing } from '#engines/stroke/demo-hand.server.ts'
import type { Glyph } from '#engines/stroke/glyph.model.ts'
import { emptyMask } from '#engines/stroke/raster.model.ts'
import { readGlyph } from '#engines/stroke/server.ts'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { type Told, toldOf } from './demo-measure.server.ts'
import { KINDS, practicePage } from './demo-page.server.ts'
import { CELL, type Cell } from './ink.model.ts'
import { measure } from './judge.model.ts'
import { scorePicture } from './scoring.server.ts'
import { characterModel } from './server.ts'
import { shapeOf } from './shape.model.ts'
import { templateOf } from './template.model.ts'
import { placeText } from './text.model.ts'
import { verdictOf } from './verdict.model.ts'

/** Sixty characters each, of every fault alike: 500 of each in the long run. */
const PAGES = IS_LONG ? 62 : 4
const LOOKALIKE_PAGES = IS_LONG ? 8 : 1
const FORM_PAGES = IS_LONG ? 26 : 2
const PAIRS =
  '未末 末未 土士 士土 日目 目日 今令 令今 大太 太大 人入 入人 牛午 午牛 田由 由田 木本 本木 刀力 力刀 白百 百白 天夫 夫天 晴睛 睛晴 己已 已己 王玉 玉王 鸟乌 乌鸟 干千 千干'
    .split(' ')
    .map(pair => [...pair] as [string, string])

async function toldBy(seed: number, wish: Parameters<typeof practicePage>[1]): Promise<Told[]> {
  const page = await practicePage(seed, { ...wish, shot: { longSide: 1200 } })
  const score = await scorePicture(page.picture, page.text)
  if (typeof score === 'string') throw new Error(score)
  return toldOf(page, score)
}

const rightShare = (told: readonly Told[]): number => told.filter(({ isRight }) => isRight).length / told.length

describe('what is written', () => {
  test('is told to be good where it is, and each fault is named', { timeout: 3_600_000 }, async () => {
    const told: Told[] = []
    for (let page = 0; page < PAGES; page += 1) told.push(...(await toldBy(5_000 + page, {})))
    const shares = KINDS.map(kind => [kind, rightShare(told.filter(({ written }) => written.kind === kind))] as const)
    // A tenth of the characters may be off by a few of them.
    const least = IS_LONG ? { good: 0.97, other: 0.95 } : { good: 0.93, other: 0.88 }
    expect(shares.filter(([kind, share]) => share < (kind === 'good' ? least.good : least.other))).toEqual([])
  })

  test('is told to be too narrow, too wide or crowded where it is', { timeout: 3_600_000 }, async () => {
    const told: Told[] = []
    for (let page = 0; page < FORM_PAGES; page += 1) told.push(...(await toldBy(9_000 + page, { kinds: FORM_FAULTS })))
    const shares = FORM_FAULTS.map(
      kind => [kind, rightShare(told.filter(({ written }) => written.kind === kind))] as const,
    )
    // Of what was written over nobody can always say whether it is something else.
    const least = { narrow: 0.9, wide: 0.9, crowded: 0.7 }
    expect(shares.filter(([kind, share]) => share < least[kind])).toEqual([])
  })

  test('is told apart from what it is taken for', { timeout: 3_600_000 }, async () => {
    const told: Told[] = []
    for (let page = 0; page < LOOKALIKE_PAGES; page += 1)
      told.push(...(await toldBy(7_000 + page, { kinds: ['wrong'], pairs: PAIRS })))
    expect(rightShare(told)).toBeGreaterThanOrEqual(0.85)
    expect(told.some(({ written, said }) => said.reasons[0]?.like === written.drawn)).toBe(true)
  })
})

/** What a pen leaves in one cell, without paper and camera. */
function cellOf(glyph: Glyph, writing: Writing): Cell {
  const size = 2 * CELL
  const mask = emptyMask(size, size)
  drawnFrom(glyph, 'pen', 0.5)(mask, { middle: [size / 2, size / 2], cell: CELL }, writing, randomFrom(3))
  const inked = [...mask.dots.keys()].filter(at => (mask.dots[at] as number) > 127)
  const [xs, ys] = [inked.map(at => (at % size) - CELL / 2), inked.map(at => Math.floor(at / size) - CELL / 2)]
  return {
    column: 0,
    row: 0,
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs) + 1,
    bottom: Math.max(...ys) + 1,
    dots: Int16Array.from(inked.flatMap((_, i) => [xs[i] as number, ys[i] as number])),
  }
}

describe('the score of a character', () => {
  const AS_MODEL: Writing = { dx: 0, dy: 0, size: 1, aspect: 1, tilt: 0 }
  const scoreOf = (glyph: Glyph, writing: Writing) =>
    verdictOf(measure(templateOf(glyph), shapeOf(cellOf(glyph, writing))))

  test('falls as a fault grows', async () => {
    const glyph = (await characterModel('永')) as Glyph
    const courses: Writing[][] = [
      [0, 0.08, 0.12, 0.16, 0.2].map(dx => ({ ...AS_MODEL, dx })),
      [1, 1.15, 1.25, 1.32, 1.4].map(size => ({ ...AS_MODEL, size })),
      [1, 0.87, 0.75, 0.68, 0.62].map(size => ({ ...AS_MODEL, size })),
      [0, 5, 8, 11, 15].map(tilt => ({ ...AS_MODEL, tilt })),
      [1, 0.84, 0.78, 0.7, 0.6].map(aspect => ({ ...AS_MODEL, aspect })),
      [1, 1.2, 1.3, 1.45, 1.6].map(aspect => ({ ...AS_MODEL, aspect })),
    ]
    for (const course of courses) {
      const scores = course.map(writing => scoreOf(glyph, writing).score as number)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      expect(new Set(scores).size).toBe(scores.length)
      expect(scores[0]).toBeGreaterThanOrEqual(97)
    }
  })

  test('says by how much and which stroke, and is at most 60 where one is missing', async () => {
    const glyph = (await readGlyph('国')) as Glyph
    expect(scoreOf(glyph, goodWriting(randomFrom(8))).reasons).toEqual([])
    const [off] = scoreOf(glyph, { ...AS_MODEL, dx: -0.15 }).reasons
    expect(off?.code).toBe('off-left')
    expect(Math.abs((off?.value ?? 0) - 15)).toBeLessThanOrEqual(2)
    const [tilted] = scoreOf(glyph, { ...AS_MODEL, tilt: 10 }).reasons
    expect(tilted?.code).toBe('tilted-right')
    expect(Math.abs((tilted?.value ?? 0) - 10)).toBeLessThanOrEqual(2)
    expect(scoreOf(glyph, { ...AS_MODEL, aspect: 0.65 }).reasons.map(({ code }) => code)).toEqual(['too-narrow'])
    expect(scoreOf(glyph, { ...AS_MODEL, aspect: 1.55 }).reasons.map(({ code }) => code)).toEqual(['too-wide'])
    expect(scoreOf(glyph, { ...AS_MODEL, again: 0.8 }).reasons.map(({ code }) => code)).toEqual(['too-crowded'])
    const { score, reasons } = scoreOf(glyph, { ...AS_MODEL, missing: 4 })
    expect(reasons).toEqual([{ code: 'missing-stroke', value: 5 }])
    expect(score).toBeLessThanOrEqual(60)
  })
})

describe('a character of a font', () => {
  /** The character as the stroke data has it, in one piece, as fonts have theirs. */
  const shapeIn = ({ strokes }: Glyph) => strokes.map(({ outline }) => outline)
  const draw = (glyph: Glyph, missing?: number) => {
    const mask = emptyMask(2 * CELL, 2 * CELL)
    const place = { middle: [CELL, CELL] as const, cell: CELL }
    const writing = { dx: 0, dy: 0, size: 1, aspect: 1, tilt: 0, ...(missing === undefined ? {} : { missing }) }
    const isDrawn = drawnByFont(glyph, shapeIn(glyph))(mask, place, writing, randomFrom(4))
    return { isDrawn, inked: mask.dots.filter(dot => dot > 127).length }
  }

  test('loses one stroke and keeps the others where one is left out', async () => {
    const glyph = (await readGlyph('三')) as Glyph
    const whole = draw(glyph).inked
    for (const stroke of [0, 1, 2]) {
      const { isDrawn, inked } = draw(glyph, stroke)
      expect(isDrawn).toBe(true)
      expect(inked / whole).toBeGreaterThan(0.45)
      expect(inked / whole).toBeLessThan(0.85)
    }
  })

  test('is not drawn where the stroke lies elsewhere in the font: nobody is blamed for what was not left out', async () => {
    const [glyph, other] = [(await readGlyph('三')) as Glyph, (await readGlyph('川')) as Glyph]
    const mask = emptyMask(2 * CELL, 2 * CELL)
    const place = { middle: [CELL, CELL] as const, cell: CELL }
    const writing = { dx: 0, dy: 0, size: 1, aspect: 1, tilt: 0, missing: 1 }
    expect(drawnByFont(glyph, shapeIn(other).slice(0, 1))(mask, place, writing, randomFrom(4))).toBe(false)
  })
})

describe('the text of a page', () => {
  const page = (...written: number[]) => ({
    columns: 3,
    rows: 2,
    cells: written.map(index => ({ column: index % 3, row: Math.floor(index / 3) })),
  })

  test('is laid row by row where it has lines, and spaces are cells left empty', () => {
    expect(placeText(' 永和\n九', page(1, 2, 3))).toEqual([null, '永', '和', '九', null, null])
  })

  test('follows what is written where that is as long, and is not moved by a character left out', () => {
    expect(placeText('永和九', page(1, 2, 4))).toEqual([null, '永', '和', null, '九', null])
    expect(placeText('永和九', page(0, 2))).toEqual(['永', '和', '九', null, null, null])
  })

  test('that is practised is written again and again, the last time perhaps not to its end', () => {
    expect(placeText('永和', page(0, 1, 3, 4))).toEqual(['永', '和', null, '永', '和', null])
    expect(placeText('永和', page(0, 1, 2, 3, 4))).toEqual(['永', '和', '永', '和', '永', null])
    expect(placeText('永和', page(0, 2, 3))).toEqual(['永', '和', '永', '和', null, null])
  })

  test('that does not fit its page is none of it', () => {
    expect(placeText('永和九年春天地', page(0))).toBeUndefined()
    expect(placeText('永\n和\n九', page(0))).toBeUndefined()
  })
})
