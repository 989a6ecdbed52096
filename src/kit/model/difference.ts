import { type LinesOf, metaOf, type Resource } from './resource.ts'

/** A stretch of a text: in both, only in the older one, or only in the newer. */
export type Piece = { readonly is: 'same' | 'gone' | 'new'; readonly text: string }

type PartChange = { readonly part: string; readonly before: unknown; readonly after: unknown }

/** One line that is not as it was. Places count from one. */
export type LineChange = {
  readonly key: string
  readonly name: string
  readonly is: 'added' | 'gone' | 'kept'
  readonly moved: { readonly from: number; readonly to: number } | null
  readonly parts: readonly PartChange[]
}

export type Difference = { readonly field: string } & (
  | { readonly is: 'value'; readonly before: unknown; readonly after: unknown }
  | { readonly is: 'words'; readonly pieces: readonly Piece[] }
  | { readonly is: 'lines'; readonly lines: readonly LineChange[]; readonly same: number }
)

type Values = Readonly<Record<string, unknown>>
type Line = Readonly<Record<string, unknown>>

/** What differs between two bodies of a record, by the kind of each field; what says the same is left out. */
export function differences(
  resource: Resource,
  fields: readonly string[],
  before: Values,
  after: Values,
): Difference[] {
  return fields.flatMap((field): Difference[] => {
    const [old, fresh] = [before[field] ?? null, after[field] ?? null]
    const known = resource.editions?.lines[field]
    if (known && (Array.isArray(old) || Array.isArray(fresh))) {
      const found = linesBetween(known, (old ?? []) as Line[], (fresh ?? []) as Line[])
      return found.lines.length === 0 ? [] : [{ field, is: 'lines', ...found }]
    }
    if (JSON.stringify(sorted(old)) === JSON.stringify(sorted(fresh))) return []
    const pieces = isProse(resource, field) && wordsBetween(old, fresh)
    return [pieces ? { field, is: 'words', pieces } : { field, is: 'value', before: old, after: fresh }]
  })
}

const isProse = (resource: Resource, field: string): boolean =>
  ['text', 'long-text'].includes(metaOf(resource, field).kind)

/** Keys in one order: what was stored as JSON comes back in another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}

/** Lines by what tells them apart, never by their place: one more at the top is not a change of all below it. */
export function linesBetween(known: LinesOf, before: readonly Line[], after: readonly Line[]) {
  const keyOf = (line: Line) => String(line[known.key] ?? '')
  const nameOf = (line: Line) => String(line[known.name] ?? '')
  const old = new Map(before.map((line, at) => [keyOf(line), { line, at }]))
  const kept = after.flatMap((line, at) => {
    const was = old.get(keyOf(line))
    return was ? [{ key: keyOf(line), from: was.at, to: at }] : []
  })
  const still = longestRise(kept.map(({ from }) => from))
  const moved = new Map(kept.filter(({ from }) => !still.has(from)).map(({ key, ...move }) => [key, move]))
  const staying = new Set(kept.map(({ key }) => key))
  const partsOf = (was: Line, is: Line): PartChange[] =>
    Object.keys(known.parts).flatMap(part =>
      (was[part] ?? '') === (is[part] ?? '') ? [] : [{ part, before: was[part], after: is[part] }],
    )
  const lines = [
    ...after.flatMap((line): LineChange[] => {
      const key = keyOf(line)
      const was = old.get(key)
      if (!was) return [{ key, name: nameOf(line), is: 'added', moved: null, parts: partsOf({}, line) }]
      const move = moved.get(key)
      const parts = partsOf(was.line, line)
      if (!move && parts.length === 0) return []
      const places = move ? { from: move.from + 1, to: move.to + 1 } : null
      return [{ key, name: nameOf(line), is: 'kept', moved: places, parts }]
    }),
    ...before
      .filter(line => !staying.has(keyOf(line)))
      .map((line): LineChange => ({ key: keyOf(line), name: nameOf(line), is: 'gone', moved: null, parts: [] })),
  ]
  return { lines, same: after.length - lines.filter(({ is }) => is !== 'gone').length }
}

/** The most numbers of a row that rise as they stand: those lines stayed where they were, the others were moved. */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  /** The last number of the best rise of each length. */
  const ends: number[] = []
  const before = new Map<number, number | undefined>()
  for (const number of numbers) {
    const found = ends.findIndex(end => end >= number)
    const length = found < 0 ? ends.length : found
    before.set(number, ends[length - 1])
    ends[length] = number
  }
  const rise = new Set<number>()
  for (let number = ends.at(-1); number !== undefined; number = before.get(number)) rise.add(number)
  return rise
}

/** Beyond this nobody reads word by word, and comparing each with each takes time. */
const MOST_WORDS = 400
/** Texts that share less than this part of their words are two texts. */
const SHARED = 0.3

/** One text made into another, by words: Chinese has no spaces between them. Nothing where the two have little in common. */
export function wordsBetween(before: unknown, after: unknown): Piece[] | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  const [old, fresh] = [wordsOf(before), wordsOf(after)]
  if (old.length > MOST_WORDS || fresh.length > MOST_WORDS) return undefined
  const pieces = joined(aligned(old, fresh))
  const shared = pieces.reduce((sum, { is, text }) => sum + (is === 'same' ? text.trim().length : 0), 0)
  return shared >= SHARED * Math.max(before.length, after.length) ? pieces : undefined
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
const wordsOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** The longest row of words both have, with what stands between. */
function aligned(old: readonly string[], fresh: readonly string[]): Piece[] {
  const common = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0))
  const at = (row: number, column: number) => common[row]?.[column] ?? 0
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = fresh.length - 1; column >= 0; column--)
      (common[row] as number[])[column] =
        old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const pieces: Piece[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < fresh.length) {
    if (row < old.length && old[row] === fresh[column]) {
      pieces.push({ is: 'same', text: old[row++] as string })
      column++
    } else if (row < old.length && (column === fresh.length || at(row + 1, column) >= at(row, column + 1)))
      pieces.push({ is: 'gone', text: old[row++] as string })
    else pieces.push({ is: 'new', text: fresh[column++] as string })
  }
  return pieces
}

/** Neighbours of one kind are one stretch. */
function joined(pieces: readonly Piece[]): Piece[] {
  const row: Piece[] = []
  for (const { is, text } of pieces) {
    const last = row.at(-1)
    if (last?.is === is) row[row.length - 1] = { is, text: last.text + text }
    else row.push({ is, text })
  }
  return row
}
