import type { Fault, Span } from './fault.model.ts'

/** A comment as it was written, with its `//` or its stars. */
export type Comment = Span & {
  readonly text: string
  /** Whether a line begins between it and what stands before. */
  readonly isOnNewLine: boolean
}

type TokenKind = 'name' | 'text' | 'number' | 'placeholder' | 'mark' | 'end'

export type Token = Span & {
  readonly kind: TokenKind
  /** As it was written; the inside of a placeholder for `{{0}}`. */
  readonly text: string
  /** What was remarked since the token before. */
  readonly comments: readonly Comment[]
  /** Whether a line begins between it and what stands before, be it a remark. */
  readonly isOnNewLine: boolean
}

const MARKS = new Set(['(', ')', ',', '.', ';', '='])
/** Sticky, so that each is tried at one place only and none can run over the rest of the text again and again. */
const SPACE = /[ \t\r\n\f\v\u00a0\u3000\ufeff]+/y
const LINE_COMMENT = /\/\/[^\n]*/y
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const NUMBER = /-?\d+(?:\.\d+)?/y
const PLACEHOLDER = /\{\{[ \t]*([\p{L}\p{N}_$]*)[ \t]*\}\}/uy
/** What people type with a Chinese keyboard on, and what they meant. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '（': '(',
  '）': ')',
  '，': ',',
  '；': ';',
  '。': '.',
  '＝': '=',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
}

/** Cuts a text into tokens. What belongs nowhere is told and passed over; the last token is always the end. */
export function tokensOf(source: string): { tokens: Token[]; faults: Fault[] } {
  const tokens: Token[] = []
  const faults: Fault[] = []
  let [at, comments, isOnNewLine]: [number, Comment[], boolean] = [0, [], false]
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  const add = (kind: TokenKind, text: string, end: number): void => {
    tokens.push({ kind, text, start: at, end, comments, isOnNewLine })
    comments = []
    isOnNewLine = false
    at = end
  }
  while (at < source.length) {
    const space = match(SPACE)
    if (space) {
      isOnNewLine ||= space[0].includes('\n')
      at += space[0].length
      continue
    }
    const comment = commentAt(source, at, match(LINE_COMMENT), faults)
    if (comment) {
      comments.push({ ...comment, isOnNewLine })
      isOnNewLine = false
      at = comment.end
      continue
    }
    const character = source[at] as string
    const placeholder = match(PLACEHOLDER)
    const word = match(NAME) ?? match(NUMBER)
    if (placeholder) add('placeholder', placeholder[1] as string, at + placeholder[0].length)
    else if (word) add(/^[-\d]/.test(word[0]) ? 'number' : 'name', word[0], at + word[0].length)
    else if (character === '"' || character === "'") {
      const end = endOfText(source, at)
      if (end.isOpen) faults.push(openText(at, end.at, character))
      add('text', source.slice(at, end.at) + (end.isOpen ? character : ''), end.at)
    } else if (MARKS.has(character)) add('mark', character, at + 1)
    else {
      const end = at + ((source.codePointAt(at) as number) > 0xffff ? 2 : 1)
      faults.push(stranger(source.slice(at, end), at, end))
      const meant = LOOKALIKES[character]
      if (meant && MARKS.has(meant)) add('mark', meant, end)
      else at = end
    }
  }
  add('end', '', at)
  return { tokens, faults }
}

function commentAt(
  source: string,
  at: number,
  line: RegExpExecArray | null,
  faults: Fault[],
): Omit<Comment, 'isOnNewLine'> | undefined {
  if (line) return { text: line[0].trimEnd(), start: at, end: at + line[0].length }
  if (!source.startsWith('/*', at)) return undefined
  const closed = source.indexOf('*/', at + 2)
  if (closed >= 0) return { text: source.slice(at, closed + 2), start: at, end: closed + 2 }
  const end = source.length
  faults.push({ code: 'comment-open', start: at, end, fix: { start: end, end, text: ' */' } })
  return { text: `${source.slice(at)} */`, start: at, end }
}

/** A text ends with its quote, or where its line does. */
function endOfText(source: string, start: number): { at: number; isOpen: boolean } {
  const quote = source[start]
  let at = start + 1
  while (at < source.length && source[at] !== '\n') {
    if (source[at] === quote) return { at: at + 1, isOpen: false }
    // A backslash takes the next character along, but never the end of the line.
    at += source[at] === '\\' && at + 1 < source.length && source[at + 1] !== '\n' ? 2 : 1
  }
  return { at, isOpen: true }
}

const openText = (start: number, end: number, quote: string): Fault => ({
  code: 'text-open',
  start,
  end,
  fix: { start: end, end, text: quote },
})

function stranger(character: string, start: number, end: number): Fault {
  const meant = LOOKALIKES[character]
  return {
    code: meant ? 'wide-mark' : 'character-unknown',
    params: { character, ...(meant && { meant }) },
    start,
    end,
    fix: { start, end, text: meant ?? '' },
  }
}
