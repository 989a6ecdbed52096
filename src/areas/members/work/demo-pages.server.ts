import { randomFrom } from '#demo/builders.server.ts'
import { drawnFrom, FAULTS, faultyWriting, goodWriting } from '#engines/stroke/demo-hand.server.ts'
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

/** A page a child wrote, as a phone sees it: the same for the same seed. One character in six has a fault. */
export async function drawPage(lesson: number, seed: number): Promise<Buffer> {
  const chance = randomFrom(seed * 131 + lesson)
  const characters = [...(LESSONS[lesson % LESSONS.length]?.[1] ?? '')]
  const cells = STYLE.columns * STYLE.rows
  const glyphs = await Promise.all(characters.map(readGlyph))
  const entries = Array.from({ length: cells }, (_, at): Entry | undefined => {
    const glyph = glyphs[at % glyphs.length]
    if (!glyph) return undefined
    const strokes = glyph.strokes.length
    const writing = chance.chance(1 / 6)
      ? faultyWriting(chance.pick(FAULTS.filter(fault => fault !== 'wrong')), strokes, chance)
      : goodWriting(chance)
    return { draw: drawnFrom(glyph, 'pen', 2), writing }
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
