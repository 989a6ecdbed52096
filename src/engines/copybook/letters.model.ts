import type { Point } from '#engines/stroke/glyph.model.ts'
import type { Figure, Mark } from './drawing.model.ts'

/** A letter of the font for words: its shape around the middle of its em, and how far it moves the next one, in ems. */
export type Letter = { readonly figure: Figure; readonly advance: number }
export type Letters = (character: string) => Letter
type Align = 'start' | 'middle' | 'end'
export type Placed = { readonly at: Point; readonly size: number; readonly colour: string; readonly align?: Align }

/** The middle of a line lies so far above what its letters stand on, in ems of the font for words. */
export const RISE = 0.38

export const widthOf = (letters: Letters, text: string, size: number): number =>
  [...text].reduce((sum, it) => sum + letters(it).advance * size, 0)

/** Words as shapes: a sheet looks the same wherever it is opened, and carries no font. `at` is the middle of the line's height. */
export function textMarks(letters: Letters, text: string, { at, size, colour, align = 'start' }: Placed): Mark[] {
  const share = { start: 0, middle: 0.5, end: 1 }[align]
  let x = at[0] - share * widthOf(letters, text, size)
  return [...text].flatMap((character): Mark[] => {
    const { figure, advance } = letters(character)
    const middle: Point = [x + (advance * size) / 2, at[1]]
    x += advance * size
    return figure === '' ? [] : [{ kind: 'figures', figures: [figure], at: middle, em: size, colour }]
  })
}

/** What fits, and an ellipsis where something was cut. */
export function fitted(letters: Letters, text: string, size: number, width: number): string {
  if (widthOf(letters, text, size) <= width) return text
  const characters = [...text]
  while (characters.length > 0 && widthOf(letters, `${characters.join('')}…`, size) > width) characters.pop()
  return `${characters.join('')}…`
}
