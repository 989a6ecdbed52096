import sharp from 'sharp'
import { readGlyph } from '#engines/stroke/server.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { type Code, type Drawn, figureOf, PAPER, type Page } from './drawing.model.ts'
import { openLetters } from './font.server.ts'
import type { SheetWords } from './head.model.ts'
import { kaiFigure } from './kai.server.ts'
import { layOut } from './layout.model.ts'
import { isHan, nameFault, type SheetOrder, verseFault } from './order.model.ts'
import { svgOf } from './svg.model.ts'

/** A picture for the chat: 150 dots to the inch of paper. */
const PICTURE_WIDTH = 1_240
/** Where one unit of a drawing is one dot. */
const PLAIN_DENSITY = 72

type Written = Pick<SheetOrder, 'name' | 'verse'>
export type Faults = Readonly<Partial<Record<keyof Written, Refusal>>>

/** Why no sheet can be made, by what it is about: also which characters nobody can draw, by name. */
export async function faultsOf({ name, verse }: Written): Promise<Faults> {
  const [ofName, ofVerse] = await Promise.all([
    nameFault(name) ?? undrawable(name),
    verseFault(verse) ?? undrawable(verse),
  ])
  return { ...(ofName ? { name: ofName } : {}), ...(ofVerse ? { verse: ofVerse } : {}) }
}

async function undrawable(text: string): Promise<Refusal | undefined> {
  const drawn = await drawAll(text)
  const unknown = hanIn(text).filter(character => !drawn.has(character))
  if (unknown.length > 0) return refuse('engines/copybook:character-unknown', { characters: unknown.join(' ') })
}

const hanIn = (text: string): string[] => [...new Set(text)].filter(isHan)

async function drawAll(text: string): Promise<Map<string, Drawn>> {
  const found = await Promise.all(hanIn(text).map(async character => [character, await drawnOf(character)] as const))
  return new Map(found.flatMap(([character, drawn]) => (drawn ? [[character, drawn]] : [])))
}

/** By its strokes; where nobody has told those, as a font of the same hand shows it. */
async function drawnOf(character: string): Promise<Drawn | undefined> {
  const glyph = await readGlyph(character)
  if (glyph) return { figures: glyph.strokes.map(({ outline }) => figureOf([outline])), isOrdered: true }
  const figure = await kaiFigure(character)
  return figure === undefined ? undefined : { figures: [figure], isOrdered: false }
}

/** The pages of a sheet that has no faults. */
export async function makeSheet(order: SheetOrder, words: SheetWords, code?: Code): Promise<Page[]> {
  const [drawn, letters, readings] = await Promise.all([
    drawAll(order.name + order.verse),
    openLetters(),
    readingsOf(order.name),
  ])
  return layOut({ order, words, drawn, readings, letters, code })
}

/** How each character of a name is read, with its tone; a surname as surnames are. */
export async function readingsOf(name: string): Promise<string[]> {
  const { pinyin } = await import('pinyin-pro')
  return pinyin(name, { type: 'array', toneType: 'symbol', surname: 'head' })
}

export const pictureOf = (page: Page): Promise<Buffer> =>
  sharp(Buffer.from(svgOf(page)), { density: (PLAIN_DENSITY * PICTURE_WIDTH) / PAPER.width })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
