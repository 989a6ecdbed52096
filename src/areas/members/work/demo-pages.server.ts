import { randomFrom } from '#demo/builders.server.ts'
import { drawnFrom, FAULTS, faultyWriting, goodWriting, type Writing } from '#engines/stroke/demo-hand.server.ts'
import { photograph } from '#engines/stroke/demo-photo.server.ts'
import { drawSheet, type Entry, type SheetStyle } from '#engines/stroke/demo-sheet.server.ts'
import { readGlyph } from '#engines/stroke/server.ts'

/** What the pupils of the demo business practise. */
export const LESSONS: readonly (readonly [lesson: string, characters: string])[] = [
  ['横画与竖画', '十土王工上下'],
  ['撇捺练习', '人大天木米水'],
  ['左右结构', '明林江河他们'],
  ['上下结构', '字花思是李岁'],
  ['包围结构', '国回园问同风'],
  ['古诗一首', '春眠不觉晓处处闻啼鸟'],
]

const STYLE: SheetStyle = { columns: 6, rows: 4, colour: 'red', lines: 'cross' }
const LONG_SIDE = 1_000

/** How a hand writes that has practised so far: 0 is who begins, 1 who needs no teacher any more. */
const handOf = (skill: number) => ({
  wobble: 3 - 2 * skill,
  faulty: 0.3 - 0.8 * (skill / 3),
  /** How far characters stray, beside a good hand. */
  spread: 1.6 - 1.2 * skill,
  /** Who begins writes too large, and leans. */
  large: 0.16 * Math.max(0, 1 - 2 * skill),
  lean: 7 * Math.max(0, 1 - 2 * skill),
})

const strayed = (good: Writing, { spread, large, lean }: ReturnType<typeof handOf>): Writing => ({
  dx: good.dx * spread,
  dy: good.dy * spread,
  size: 1 + (good.size - 1) * spread + large,
  aspect: 1 + (good.aspect - 1) * spread,
  tilt: good.tilt * spread + lean,
})

/** In the middle one character in six has a fault. */
const USUAL_SKILL = 0.5

/** A page a child wrote, as a phone sees it: the same for the same seed and skill. */
export async function drawPage(lesson: number, seed: number, skill = USUAL_SKILL): Promise<Buffer> {
  const chance = randomFrom(seed * 131 + lesson)
  const hand = handOf(skill)
  const characters = [...(LESSONS[lesson % LESSONS.length]?.[1] ?? '')]
  const cells = STYLE.columns * STYLE.rows
  const glyphs = await Promise.all(characters.map(readGlyph))
  const entries = Array.from({ length: cells }, (_, at): Entry | undefined => {
    const glyph = glyphs[at % glyphs.length]
    if (!glyph) return undefined
    const strokes = glyph.strokes.length
    const writing = chance.chance(hand.faulty)
      ? faultyWriting(chance.pick(FAULTS.filter(fault => fault !== 'wrong')), strokes, chance)
      : strayed(goodWriting(chance), hand)
    return { draw: drawnFrom(glyph, 'pen', hand.wobble), writing }
  })
  const sheet = drawSheet(STYLE, entries, chance)
  const shot = {
    longSide: LONG_SIDE,
    tilt: 6 * chance.fraction() - 3,
    perspective: 0.015,
    shadow: 0.3 * chance.fraction(),
  }
  return (await photograph(sheet, shot, chance)).picture
}
