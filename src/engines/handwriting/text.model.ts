/** What is known of a page before it is judged: its cells, and which of them are written. */
type Page = {
  readonly columns: number
  readonly rows: number
  readonly cells: readonly { readonly column: number; readonly row: number }[]
}

const SPACE = /\s/u

/**
 * Which character belongs into which cell, by its number; nothing where a text does not fit the page. A text with line
 * ends is laid row by row, and its spaces are cells left empty. Any other is laid over the cells that are written where
 * these are as many or a multiple, as what is practised is written again and again; where not it is laid from the first cell
 * on, and again over whatever is written beyond it, so that a character left out does not move those after it.
 */
export function placeText(text: string, { columns, rows, cells }: Page): (string | null)[] | undefined {
  const places = new Array<string | null>(columns * rows).fill(null)
  const put = (index: number, char: string) => {
    places[index] = SPACE.test(char) ? null : char
  }
  const lines = text
    .replaceAll('\r\n', '\n')
    .replace(/\n+$/, '')
    .split('\n')
    .map(line => [...line])
  if (lines.length > 1) {
    if (lines.length > rows || lines.some(line => line.length > columns)) return undefined
    for (const [row, line] of lines.entries())
      for (const [column, char] of line.entries()) put(row * columns + column, char)
    return places
  }
  const chars = lines[0] ?? []
  if (chars.length > places.length) return undefined
  const written = cells.map(({ column, row }) => row * columns + column).sort((a, b) => a - b)
  const isEach = written.length > 0 && written.length % chars.length === 0 && !chars.some(char => SPACE.test(char))
  if (isEach) for (const [i, index] of written.entries()) put(index, chars[i % chars.length] as string)
  else {
    for (const [i, char] of chars.entries()) put(i, char)
    if (written.length > chars.length) for (const index of written) put(index, chars[index % chars.length] as string)
  }
  return places
}
