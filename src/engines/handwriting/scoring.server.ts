import { readGlyph } from '#engines/stroke/server.ts'
import { type Cut, type CutCell, type CutFault, cutPage } from './cutting.server.ts'
import type { Box } from './ink.model.ts'
import { apartNear, type Measures, measure } from './judge.model.ts'
import { lookalikesOf } from './lookalike.model.ts'
import { shapeOf } from './shape.model.ts'
import { type Template, templateOf } from './template.model.ts'
import { placeText } from './text.model.ts'
import { type Reason, verdictOf } from './verdict.model.ts'

export type ScoredCharacter = {
  readonly column: number
  readonly row: number
  /** What was to be written; nothing where the text has nothing here. */
  readonly char: string | null
  /** Where its ink lies in the picture as people see it; nothing where the cell is empty. */
  readonly box: Box | null
  /** 0 to 100; nothing where there is no model, or something else was written. */
  readonly score: number | null
  readonly reasons: readonly Reason[]
  readonly measures: Measures | null
}
export type PageScore = {
  readonly columns: number
  readonly rows: number
  readonly characters: readonly ScoredCharacter[]
  /** Of the characters that have a score; a character that is missing or wrong counts as none. */
  readonly score: number | null
}
export type ScoreFault = CutFault | 'text-too-long'

/** Some hundred kilobytes each. */
const KEPT = 200
const kept = new Map<string, Template>()

async function templateFor(character: string): Promise<Template | undefined> {
  const known = kept.get(character)
  if (known) return known
  const glyph = await readGlyph(character)
  if (!glyph) return undefined
  const template = templateOf(glyph)
  const [oldest] = kept.keys()
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(character, template)
  return template
}

export async function scorePicture(bytes: Uint8Array, text: string): Promise<PageScore | ScoreFault> {
  const cut = await cutPage(bytes)
  if (typeof cut === 'string') return cut
  const places = placeText(text, cut)
  if (!places) return 'text-too-long'
  const characters: ScoredCharacter[] = []
  for (let index = 0; index < cut.columns * cut.rows; index += 1) {
    const cell = cellAt(cut, index)
    const char = places[index] ?? null
    if (cell) characters.push(await scoreCell(cell, char))
    else if (char !== null) characters.push(nothingWritten(cut, index, char))
  }
  const wanted = characters.filter(
    ({ char, score, reasons }) => char !== null && (score !== null || reasons.length > 0),
  )
  const sum = wanted.reduce((total, { score }) => total + (score ?? 0), 0)
  return {
    columns: cut.columns,
    rows: cut.rows,
    characters,
    score: wanted.length === 0 ? null : Math.round(sum / wanted.length),
  }
}

const cellAt = ({ cells, columns }: Cut, index: number): CutCell | undefined =>
  cells.find(({ column, row }) => row * columns + column === index)

const nothingWritten = ({ columns }: Cut, index: number, char: string): ScoredCharacter => ({
  column: index % columns,
  row: Math.floor(index / columns),
  char,
  box: null,
  score: null,
  reasons: [{ code: 'missing-character', value: 0 }],
  measures: null,
})

async function scoreCell(cell: CutCell, char: string | null): Promise<ScoredCharacter> {
  const { column, row, box } = cell
  const template = char === null ? undefined : await templateFor(char)
  if (!template) return { column, row, char, box, score: null, reasons: [], measures: null }
  const shape = shapeOf(cell)
  const { fit, ...measures } = measure(template, shape)
  const own = apartNear(template, shape, fit)
  let [like, least]: [string | undefined, number] = [undefined, own - CLEARLY]
  for (const other of lookalikesOf(template.character)) {
    const rival = await templateFor(other)
    const apart = rival ? apartNear(rival, shape, fit) : least
    if (apart < least) [like, least] = [other, apart]
  }
  return { column, row, char, box, ...verdictOf(measures, like), measures }
}

/** Dots by which a lookalike has to fit better before it is named. */
const CLEARLY = 0.18
