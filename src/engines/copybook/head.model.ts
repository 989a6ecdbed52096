import type { Point } from '#engines/stroke/glyph.model.ts'
import { type Box, type Code, type Mark, PAPER } from './drawing.model.ts'
import { fitted, type Letters, textMarks, widthOf } from './letters.model.ts'
import { COLOURS, WIDTHS } from './look.model.ts'

/** What is said on a sheet, in the language its pupil learns to write. */
export type SheetWords = {
  readonly title: string
  /** What is filled in by hand: class, date. */
  readonly blanks: readonly string[]
  /** Beside the code, what it leads to. */
  readonly caption: string
  /** Of a character whose order of strokes nobody has told. */
  readonly unordered: string
  readonly strokes: (count: number) => string
  readonly page: (page: number, pages: number) => string
}

type Head = { readonly words: SheetWords; readonly letters: Letters; readonly code: Code | undefined }

const HEIGHT = 35
const TITLE = { y: 17.5, size: 7 }
const BLANK = { y: 26.5, size: 3.4, line: 26, gap: 5 }
const CODE = { size: 21, top: 7, caption: 2.8 }
/** Empty modules around a code, without which telephones do not find it. */
const QUIET = 4

/** Title, what is filled in by hand, and the code in the corner; and where the page goes on. */
export function headMarks({ words, letters, code }: Head, left: number): { marks: Mark[]; height: number } {
  const right = PAPER.width - left - (code ? CODE.size + 4 : 0)
  const title = fitted(letters, words.title, TITLE.size, right - left)
  return {
    height: HEIGHT,
    marks: [
      ...textMarks(letters, title, { at: [left, TITLE.y], size: TITLE.size, colour: COLOURS.words }),
      ...blankMarks(words.blanks, letters, [left, BLANK.y]),
      ...(code ? codeMarks(code, { caption: words.caption, letters, left: PAPER.width - left - CODE.size }) : []),
    ],
  }
}

function blankMarks(blanks: readonly string[], letters: Letters, [left, y]: Point): Mark[] {
  let x: number = left
  return blanks.flatMap(blank => {
    const begin = x + widthOf(letters, blank, BLANK.size) + 1.5
    const text = textMarks(letters, blank, { at: [x, y], size: BLANK.size, colour: COLOURS.note })
    x = begin + BLANK.line + BLANK.gap
    const line = [
      [begin, y + 1.9],
      [begin + BLANK.line, y + 1.9],
    ] as const
    const rule = { kind: 'lines', frames: [], lines: [line], colour: COLOURS.note, width: WIDTHS.rule } as const
    return [...text, { ...rule, isBroken: false }]
  })
}

/** Dark squares side by side are one box: a hair of white between them would be seen. */
function codeMarks(
  code: Code,
  { caption, letters, left }: { caption: string; letters: Letters; left: number },
): Mark[] {
  const module = CODE.size / (code.length + 2 * QUIET)
  const { top } = CODE
  const boxes = code.flatMap((row, y) =>
    runsOf(row).map(
      ([from, to]): Box => ({
        x: left + (QUIET + from) * module,
        y: top + (QUIET + y) * module,
        width: (to - from) * module,
        height: module,
      }),
    ),
  )
  const at = [left + CODE.size / 2, top + CODE.size + 1.2] as const
  const said = fitted(letters, caption, CODE.caption, 2 * (PAPER.width - at[0] - 4))
  return [
    { kind: 'boxes', boxes, colour: '#000000' },
    ...textMarks(letters, said, { at, size: CODE.caption, colour: COLOURS.note, align: 'middle' }),
  ]
}

function runsOf(row: readonly boolean[]): [from: number, to: number][] {
  const runs: [number, number][] = []
  for (const [at, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last?.[1] === at) last[1] = at + 1
    else runs.push([at, at + 1])
  }
  return runs
}

export const footMarks = (words: SheetWords, letters: Letters, page: number, pages: number): Mark[] =>
  textMarks(letters, words.page(page, pages), {
    at: [PAPER.width / 2, PAPER.height - 8.5],
    size: 2.8,
    colour: COLOURS.note,
    align: 'middle',
  })
