/** A stretch of a text, by the places of its characters. */
export type Span = { readonly start: number; readonly end: number }

/** What to put in place of a stretch; applied by one press. */
export type Fix = Span & { readonly text: string }

/**
 * What is wrong at one place. `fault.<code>` says it to people, `hint.<code>` says what to write instead; `fix` does so
 * where only one thing can have been meant.
 */
export type Fault = Span & {
  readonly code: FaultCode
  readonly params?: Readonly<Record<string, string | number>>
  readonly fix?: Fix
}

export type FaultCode =
  | 'character-unknown'
  | 'wide-mark'
  | 'text-open'
  | 'comment-open'
  | 'expected-expression'
  | 'expected-keyword'
  | 'expected-mark'
  | 'empty'
  | 'too-long'
  | 'too-deep'
  | 'size'
  | 'keyword-unknown'
  | 'keyword-case'
  | 'id-unknown'
  | 'type'
  | 'literal'
  | 'range'
  | 'caller'
  | 'missing'
  | 'repeated'
  | 'order'
  | 'place'
  | 'name-taken'
  | 'placeholder-open'
  | 'parameter-unknown'
  | 'parameter-missing'
  | 'parameter-value'
  | 'parameter-empty'
  | 'withheld'
  | 'fact-unknown'
  | 'fact-kind'
  | 'fact-outside'
  | 'fact-unread'

/** Where people look for a place: line and column, both from 1; a column is a character as people count them. */
export function placeOf(source: string, at: number): { line: number; column: number } {
  const before = source.slice(0, at)
  const begin = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: [...before.slice(begin)].length + 1 }
}

/** The text after all fixes; of two that touch the same stretch the first is taken. */
export function mended(source: string, fixes: readonly Fix[]): string {
  let [text, at] = ['', 0]
  for (const fix of fixes.toSorted((a, b) => a.start - b.start)) {
    if (fix.start < at) continue
    text += source.slice(at, fix.start) + fix.text
    at = fix.end
  }
  return text + source.slice(at)
}

/** The one known word that is nearest to a mistyped one, if any is near enough to have been meant. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  let [best, distance]: [string | undefined, number] = [undefined, most + 1]
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= distance) continue
    const found = candidate.toLowerCase() === word.toLowerCase() ? 0.5 : editDistance(word, candidate, distance)
    if (found < distance) [best, distance] = [candidate, found]
  }
  return best
}

/** Letters to insert, drop, change or swap with their neighbour; given up where it reaches `most`. */
function editDistance(a: string, b: string, most: number): number {
  let [older, old]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line.push(
        Math.min(
          (old[column] as number) + 1,
          (line[column - 1] as number) + 1,
          (old[column - 1] as number) + (isSame ? 0 : 1),
          isSwap ? (older[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    if (Math.min(...line) >= most) return most
    ;[older, old] = [old, line]
  }
  return old[b.length] as number
}

/** More than these nobody reads, and looking for what was meant by each takes its time. */
export const MOST_FAULTS = 50
