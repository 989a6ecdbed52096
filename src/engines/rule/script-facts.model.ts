import { nearest, type Span } from './fault.model.ts'

/** A fact a script asks for by name, and where. One it can do without is told from one it needs. */
export type FactRead = Span & { readonly name: string; readonly isOptional: boolean }

type Piece = Span & { readonly kind: 'word' | 'text' | 'mark'; readonly text: string }

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*/uy
const QUOTED = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/sy
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y
const MARK = /\?\?=?|\?\.(?!\d)|\.\.\.|=>|[=!]==?|&&|\|\||./sy
/** What a value ends with: behind it a stroke divides. */
const ENDS = /[\p{L}\p{N}_$)\]}"']$/u
const AHEAD_OF_PATTERN = new Set(['return', 'typeof', 'case', 'in', 'of', 'void', 'delete'])

/** Cuts a script into words, texts and marks. What stands in a template's text is passed over, what it is filled with is not. */
function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = []
  /** For each template that is open, how many braces are open within what fills it. */
  const fills: number[] = []
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  const passTemplate = (): void => {
    while (at < source.length) {
      if (source[at] === '`') break
      if (source.startsWith('${', at)) {
        fills.push(0)
        at += 2
        return
      }
      at += source[at] === '\\' ? 2 : 1
    }
    at += 1
  }
  while (at < source.length) {
    const space = match(SPACE)
    if (space) {
      at += space.length
      continue
    }
    const last = pieces.at(-1)?.text ?? ''
    const isValue = ENDS.test(last) && !AHEAD_OF_PATTERN.has(last)
    const [word, text, pattern] = [match(WORD), match(QUOTED), isValue ? undefined : match(PATTERN)]
    const found = word ?? text ?? pattern ?? (match(MARK) as string)
    const begin = at
    at += found.length
    if (found === '`') {
      passTemplate()
      continue
    }
    if (fills.length > 0) {
      const depth = (fills.at(-1) as number) + (found === '{' ? 1 : found === '}' ? -1 : 0)
      if (depth < 0) {
        fills.pop()
        passTemplate()
        continue
      }
      fills[fills.length - 1] = depth
    }
    if (pattern !== undefined && found === pattern) pieces.push({ kind: 'text', text: "''", start: begin, end: at })
    else pieces.push({ kind: word ? 'word' : text ? 'text' : 'mark', text: found, start: begin, end: at })
  }
  return pieces
}

const inside = ({ text }: Piece): string => text.slice(1, -1)

/** Every fact a script asks for by its name; what it asks for by a name it makes up nobody can tell. */
export function factsRead(source: string): FactRead[] {
  const pieces = piecesOf(source)
  const textAt = (place: number): string => pieces[place]?.text ?? ''
  return pieces.flatMap((piece, place): FactRead[] => {
    const [next, name, after] = [textAt(place + 1), pieces[place + 2], textAt(place + 3)]
    if (piece.kind === 'text') {
      const isAsked = textAt(place + 1) === 'in' && isFacts(place + 2)
      return isAsked ? [{ ...span(piece), name: inside(piece), isOptional: true }] : []
    }
    if (isFacts(place) && name) {
      if (/^\??\.$/.test(next) && name.kind === 'word') return read(name, name.text, place + 2)
      if (next === '[' && name.kind === 'text' && after === ']') return read(name, inside(name), place + 3)
    }
    if (/^(?:get|has)Data$/.test(piece.text) && textAt(place - 1) === '.' && next === '(' && name?.kind === 'text')
      return read(name, inside(name), place + 3, piece.text === 'hasData')
    return piece.text === '{' ? takenApart(place) : []
  })

  /** `facts` itself, or the same by another name; a field called so is another thing. */
  function isFacts(place: number): boolean {
    if (textAt(place) === 'requestData') return textAt(place - 1) === '.' && textAt(place - 2) === '_meta'
    return textAt(place) === 'facts' && !/^\??\.$/.test(textAt(place - 1))
  }

  function read(at: Piece, name: string, end: number, isOptional = false): FactRead[] {
    const after = textAt(end + 1)
    // Whoever writes it asks for nothing.
    if (after === '=') return []
    const isSpared = isOptional || after === '??' || after === '??='
    return [{ ...span(at), name, isOptional: isSpared }]
  }

  /** `const { a, b: c, d = 1 } = facts` */
  function takenApart(open: number): FactRead[] {
    if (!/^(?:const|let|var)$/.test(textAt(open - 1))) return []
    const close = pieces.findIndex(({ text }, place) => place > open && /[{}]/.test(text))
    if (textAt(close) !== '}' || textAt(close + 1) !== '=' || !isFacts(close + 2)) return []
    return pieces.slice(open + 1, close).flatMap((piece, nth): FactRead[] => {
      const place = open + 1 + nth
      if (piece.kind !== 'word' || !/^[{,]$/.test(textAt(place - 1))) return []
      const isOptional = textAt(place + 1) === '=' || (textAt(place + 1) === ':' && textAt(place + 3) === '=')
      return [{ ...span(piece), name: piece.text, isOptional }]
    })
  }
}
const span = ({ start, end }: Span): Span => ({ start, end })

/** The facts a script may add; nothing where that cannot be told from its text. */
export function factsAnswered(source: string): string[] | null {
  const pieces = piecesOf(source)
  const found = pieces.map(({ text }, place) => {
    if (text === 'return') return answeredBy(pieces, place + 1)
    if (text !== 'setData') return []
    const name = pieces[place + 2]
    return name?.kind === 'text' ? [inside(name)] : null
  })
  return found.includes(null) ? null : [...new Set(found.flatMap(names => names ?? []))]
}

/** The names in the object a `return` gives back; nothing where it gives back anything else. */
function answeredBy(pieces: readonly Piece[], begin: number): string[] | null {
  const first = pieces[begin]?.text
  if (first === undefined || /^(?:;|\}|null|undefined)$/.test(first)) return []
  if (first !== '{') return null
  const names: string[] = []
  let depth = 0
  for (const [nth, piece] of pieces.slice(begin).entries()) {
    const before = pieces[begin + nth - 1]?.text ?? ''
    if (/^[{([]$/.test(piece.text)) depth += 1
    if (depth === 1 && /^[{,]$/.test(before) && nth > 0) {
      if (piece.text === '...') return null
      if (piece.kind === 'word') names.push(piece.text)
      else if (piece.kind === 'text') names.push(inside(piece))
    }
    // A name that is made up.
    if (depth === 2 && piece.text === '[' && /^[{,]$/.test(before)) return null
    if (/^[})\]]$/.test(piece.text)) depth -= 1
    if (depth === 0) return names
  }
  return null
}

export type StrangeFact = FactRead & { readonly meant: string | undefined }

/** Facts a script needs which nobody hands in: neither an event nor another script, nor this one itself. */
export function strangeFacts(source: string, known: readonly string[]): StrangeFact[] {
  const own = new Set([...known, ...(factsAnswered(source) ?? [])])
  const reads = factsRead(source)
  const spared = new Set(reads.filter(({ isOptional }) => isOptional).map(({ name }) => name))
  return reads
    .filter(({ name }) => !own.has(name) && !spared.has(name))
    .map(read => ({ ...read, meant: nearest(read.name, own) }))
}
