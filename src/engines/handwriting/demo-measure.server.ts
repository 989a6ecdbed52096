import type { Cut } from './cutting.server.ts'
import type { Kind, PracticePage, Written } from './demo-page.server.ts'
import type { Box } from './ink.model.ts'
import type { PageScore, ScoredCharacter } from './scoring.server.ts'
import type { ReasonCode } from './verdict.model.ts'

/** Boxes that share less of their area are not of the same character. */
const SAME_BOX = 0.7

const areaOf = ({ left, top, right, bottom }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top)

/** What two boxes share, of what they cover together. */
function sharedBy(one: Box, other: Box): number {
  const both = areaOf({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  })
  return both / (areaOf(one) + areaOf(other) - both)
}

type Boxed = { readonly column: number; readonly row: number; readonly box: Box | null }

/** Which characters of a page were not found in their cell, and how many cells were taken for written that are empty. */
export function missedOn(
  { style, written }: PracticePage,
  { columns, rows }: Pick<Cut, 'columns' | 'rows'>,
  cells: readonly Boxed[],
) {
  const isSame = columns === style.columns && rows === style.rows
  const found = new Map(cells.map(cell => [cell.row * columns + cell.column, cell.box]))
  const missed = written.filter(({ index, box }: Written) => {
    const other = found.get(index)
    return !isSame || !other || sharedBy(box, other) < SAME_BOX
  })
  return { missed, extra: Math.max(0, cells.filter(({ box }) => box !== null).length - written.length) }
}

const CODES: Readonly<Record<Exclude<Kind, 'good'>, readonly ReasonCode[]>> = {
  shift: ['off-left', 'off-right', 'off-up', 'off-down'],
  big: ['too-big'],
  small: ['too-small'],
  narrow: ['too-narrow'],
  wide: ['too-wide'],
  crowded: ['too-crowded'],
  tilt: ['tilted-left', 'tilted-right'],
  missing: ['missing-stroke'],
  wrong: ['wrong-character'],
}

/** Whether its fault is among what is said of a character; of a good one, whether nothing is said. */
export const isNamed = (kind: Kind, { reasons }: Pick<ScoredCharacter, 'reasons'>): boolean =>
  kind === 'good' ? reasons.length === 0 : reasons.some(({ code }) => CODES[kind].includes(code))

export type Told = { readonly written: Written; readonly said: ScoredCharacter; readonly isRight: boolean }

/** What was said of each character of a page, beside what was done to it. */
export const toldOf = ({ written }: PracticePage, { columns, characters }: PageScore): Told[] =>
  written.flatMap(one => {
    const said = characters.find(({ column, row }) => row * columns + column === one.index)
    return said ? [{ written: one, said, isRight: isNamed(one.kind, said) }] : []
  })
