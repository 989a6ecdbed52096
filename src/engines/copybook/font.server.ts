import { readFile } from 'node:fs/promises'
import { create, type Font } from 'fontkit'
import { contoursOf, type Point } from '#engines/stroke/glyph.model.ts'
import { type Figure, figureOf } from './drawing.model.ts'
import { type Letter, type Letters, RISE } from './letters.model.ts'

/** Words are set in the font that travels with the product for papers. */
const WORDS = new URL('../fonts/NotoSansHans-Regular.otf', import.meta.resolve('@embedpdf/fonts-sc'))
/** What it has no letter for leaves a gap. */
const NOTHING: Letter = { figure: '', advance: 0.5 }

let opened: Promise<Letters> | undefined

/** Opened once: its tables are read as letters are asked for, and every letter that was is kept. */
export function openLetters(): Promise<Letters> {
  opened ??= readFile(WORDS).then(
    bytes => lettersOf(create(bytes)),
    error => {
      opened = undefined
      throw error
    },
  )
  return opened
}

function lettersOf(font: Font): Letters {
  const known = new Map<string, Letter>()
  return character => {
    const letter = known.get(character) ?? read(font, character)
    known.set(character, letter)
    return letter
  }
}

function read(font: Font, character: string): Letter {
  const codePoint = character.codePointAt(0) ?? 0
  if (!font.hasGlyphForCodePoint(codePoint)) return NOTHING
  return {
    figure: figureIn(font, codePoint),
    advance: font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm,
  }
}

/** A glyph around the middle of its advance and of its line, as large a share of its em as is wanted. */
export function figureIn(font: Font, codePoint: number, share = 1): Figure {
  const { advanceWidth, path } = font.glyphForCodePoint(codePoint)
  const { unitsPerEm } = font
  const scale = share / unitsPerEm
  const placed = ([x, y]: Point): Point => [(x - advanceWidth / 2) * scale, (RISE * unitsPerEm - y) * scale]
  return figureOf(contoursOf(path.toSVG()).map(contour => contour.map(placed)))
}
