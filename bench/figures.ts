/** The middle one: a slice that met other work on the machine does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export const medianOf = <T>(rounds: readonly T[], figure: (round: T) => number): number => median(rounds.map(figure))

export const ratio = (a: number, b: number): string => (a / b).toFixed(2)
export const whole = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US').replaceAll(',', ' ') : '–'
export const oneDigit = (value: number): string => (Number.isFinite(value) ? value.toFixed(1) : '–')

export type Cell = string | number

/** A Markdown table, so that what is printed can stand in docs/performance.md as it is. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map(row => row.map(String))
  const widths = head.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  const aligned = lines.map(line =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  )
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [top, ...body] = aligned
  return [top ?? [], rule, ...body].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

type Goal = { atLeast: number } | { atMost: number }
/** What a ratio was made of in this run: ours, and what it was measured against. */
type Sides = { readonly ours: number; readonly baseline: number; readonly unit: string }

const isKept = (value: number, goal: Goal): boolean =>
  'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost

/** Whether a promise of docs/performance.md is kept, and by how much not; with both sides of a ratio. */
export function verdict(what: string, value: number, goal: Goal, sides?: Sides): string {
  const [sign, limit] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost]
  const missed = `, missed by ${Math.abs((value / limit - 1) * 100).toFixed(0)} %`
  const against = sides ? `; ${figure(sides.ours)} against ${figure(sides.baseline)} ${sides.unit}` : ''
  const kept = isKept(value, goal)
  return `${kept ? 'kept  ' : 'MISSED'} ${what}: ${value.toFixed(2)} (goal ${sign} ${limit}${kept ? '' : missed}${against})`
}

/** A ratio of both sides, judged. */
export const verdictOf = (what: string, sides: Sides, goal: Goal): string =>
  verdict(what, sides.ours / sides.baseline, goal, sides)

/** In a cell of a table, where each row is a case of its own. */
export const verdictCell = ({ quick }: { readonly quick: boolean }, value: number, goal: Goal): string =>
  quick ? '–' : isKept(value, goal) ? 'kept' : 'MISSED'

const figure = (value: number): string => (value < 100 ? oneDigit(value) : whole(value))

/** Promises are judged at full size; small sizes show that everything runs, and judge nothing. */
export const verdicts = ({ quick }: { readonly quick: boolean }, all: readonly string[]): readonly string[] =>
  quick ? ['No verdict: the sizes are small.'] : all

/** A random order, so that no case always runs behind the same other one. */
export function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map(value => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
