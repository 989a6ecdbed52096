import type { Fault } from './fault.model.ts'
import { type Comment, type Token, tokensOf } from './token.model.ts'
import {
  type Arguments,
  type Chained,
  type Expression,
  NO_ARGUMENTS,
  NO_REMARKS,
  type Remarks,
  type Statement,
  type Target,
  type Tree,
  upToLineEnd,
} from './tree.model.ts'

/** A chain longer than this is not read by people either. */
export const MAX_LENGTH = 20_000
/** Brackets within brackets; bounds every recursion over a tree. */
export const MAX_DEPTH = 64
/** After so many faults the rest of a text says nothing new. */
const MAX_FAULTS = 50

type Parsed = { readonly tree: Tree; readonly faults: readonly Fault[] }

/**
 * Reads the text of a chain. It never throws: what cannot be read is told with its place and passed over, so that one
 * mistake hides no other, and the tree holds whatever could be read.
 */
export function parse(source: string): Parsed {
  if (source.length > MAX_LENGTH) {
    const fault: Fault = { code: 'too-long', params: { most: MAX_LENGTH }, start: MAX_LENGTH, end: source.length }
    return { tree: { statements: [], tail: [] }, faults: [fault] }
  }
  const { tokens, faults } = tokensOf(source)
  const reader = readerOf(tokens, faults)
  const statements: Statement[] = []
  while (reader.peek().kind !== 'end') {
    const statement = readStatement(reader)
    if (statement) statements.push(statement)
  }
  const last = reader.peek()
  const tail = reader.claim()
  if (statements.length === 0 && faults.length === 0)
    faults.push({ code: 'empty', params: { name: 'THEN' }, start: 0, end: last.end })
  return {
    tree: { statements, tail },
    faults: faults.toSorted((a, b) => a.start - b.start || a.end - b.end).slice(0, MAX_FAULTS),
  }
}

type Mark = '(' | ')' | ',' | ';'
type Reader = ReturnType<typeof readerOf>

function readerOf(tokens: readonly Token[], faults: Fault[]) {
  let at = 0
  /** Remarks that were passed and belong to what comes next. */
  let pending: Comment[] = []
  /** How many remarks before the token at hand were given away already. */
  let given = 0
  const peek = (): Token => tokens[at] as Token
  const here = (): readonly Comment[] => peek().comments.slice(given)
  return {
    peek,
    depth: 0,
    isMark: (mark: string): boolean => peek().kind === 'mark' && peek().text === mark,
    isNext: (mark: string): boolean => tokens[at + 1]?.kind === 'mark' && tokens[at + 1]?.text === mark,
    endBefore: (): number => tokens[at - 1]?.end ?? 0,
    take(): Token {
      const token = peek()
      pending.push(...here())
      given = 0
      if (token.kind !== 'end') at += 1
      else given = token.comments.length
      return token
    },
    /** All remarks up to the token at hand. */
    claim(): Comment[] {
      const claimed = [...pending, ...here()]
      pending = []
      given = peek().comments.length
      return claimed
    },
    /** What stands behind something of these remarks; the others stand before what comes next, as they will be written. */
    behind(comments: readonly Comment[]): readonly Comment[] {
      const { after, over } = upToLineEnd(comments)
      pending.push(...over)
      return after
    },
    /** Remarks behind something on its own line, where nothing but they follows on it. */
    claimTrailing(): Comment[] {
      const found = here()
      const length = found.findIndex(({ isOnNewLine }) => isOnNewLine)
      const same = length < 0 ? found : found.slice(0, length)
      const isFollowed = length < 0 && !peek().isOnNewLine && peek().kind !== 'end'
      if (isFollowed) return []
      given += same.length
      return [...same]
    },
    fault: (fault: Fault): void => {
      if (faults.length < MAX_FAULTS * 4) faults.push(fault)
    },
    expected(what: 'expression' | 'keyword' | Mark): void {
      const { start, end } = peek()
      const at = this.endBefore()
      if (what === 'expression' || what === 'keyword') this.fault({ code: `expected-${what}`, start, end })
      else
        this.fault({
          code: 'expected-mark',
          params: { mark: what },
          start,
          end,
          fix: { start: at, end: at, text: what },
        })
    },
  }
}

function readStatement(reader: Reader): Statement | undefined {
  const { start } = reader.peek()
  const isTarget = (reader.peek().kind === 'name' || reader.peek().kind === 'placeholder') && reader.isNext('=')
  const target = isTarget ? readTarget(reader) : undefined
  const value = readExpression(reader)
  if (!value) {
    reader.expected('expression')
    if (!reader.isMark(';')) reader.take()
    skipTo(reader, [';'])
    if (reader.isMark(';')) reader.take()
    return undefined
  }
  if (reader.peek().kind !== 'end' && !reader.isMark(';')) {
    reader.expected(';')
    // What begins like a statement of its own is read as one: only its semicolon is missing.
    if (reader.peek().kind !== 'name') skipTo(reader, [';'])
  }
  const before = reader.isMark(';') ? reader.claim() : []
  if (reader.isMark(';')) reader.take()
  const after = reader.behind([...before, ...reader.claimTrailing()])
  return { ...(target && { target }), value: remarked(value, after), start, end: reader.endBefore() }
}

function readTarget(reader: Reader): Target {
  const token = reader.take()
  reader.take()
  const kind = token.kind === 'placeholder' ? 'placeholder' : 'name'
  return { kind, name: token.text, start: token.start, end: token.end }
}

const LITERALS: ReadonlySet<string> = new Set(['text', 'number', 'placeholder'])

function readExpression(reader: Reader): Expression | undefined {
  const token = reader.peek()
  const isLiteral = LITERALS.has(token.kind)
  if (!isLiteral && token.kind !== 'name') return undefined
  const before = reader.claim()
  reader.take()
  const hasArguments = token.kind === 'name' && reader.isMark('(')
  const args = hasArguments ? readArguments(reader) : NO_ARGUMENTS
  const chained: Chained[] = []
  while (reader.isMark('.')) {
    const next = readChained(reader)
    if (next) chained.push(next)
  }
  return {
    kind: hasArguments ? 'call' : (token.kind as Expression['kind']),
    name: token.text,
    nameEnd: token.end,
    args,
    chained,
    comments: { ...NO_REMARKS, before },
    start: token.start,
    end: reader.endBefore(),
  }
}

function readChained(reader: Reader): Chained | undefined {
  const before = reader.claim()
  const { start } = reader.take()
  const word = reader.peek()
  if (word.kind !== 'name') {
    reader.expected('keyword')
    return undefined
  }
  reader.take()
  if (!reader.isMark('(')) reader.expected('(')
  const args = reader.isMark('(') ? readArguments(reader) : NO_ARGUMENTS
  return { name: word.text, nameStart: word.start, nameEnd: word.end, args, before, start, end: reader.endBefore() }
}

function readArguments(reader: Reader): Arguments {
  const opening = reader.take()
  if (reader.depth >= MAX_DEPTH) {
    reader.fault({ code: 'too-deep', params: { most: MAX_DEPTH }, start: opening.start, end: opening.end })
    skipTo(reader, [')'])
    if (reader.isMark(')')) reader.take()
    return NO_ARGUMENTS
  }
  reader.depth += 1
  const items: Expression[] = []
  while (!reader.isMark(')') && !reader.isMark(';') && reader.peek().kind !== 'end') {
    const item = readExpression(reader)
    if (!item) {
      reader.expected('expression')
      if (!reader.isMark(',')) reader.take()
    }
    const after = readSeparator(reader)
    if (item) items.push(remarked(item, after))
  }
  reader.depth -= 1
  const tail = reader.claim()
  if (reader.isMark(')')) reader.take()
  else reader.expected(')')
  return { items, tail }
}

/** What stands between an item and the next: a comma, and the remarks that belong to the item before it. */
function readSeparator(reader: Reader): readonly Comment[] {
  if (reader.isMark(')')) return reader.claimTrailing()
  if (reader.peek().kind === 'end' || reader.isMark(';')) return []
  if (!reader.isMark(',')) {
    reader.expected(',')
    if (reader.peek().kind !== 'name') skipTo(reader, [',', ')', ';'])
    if (!reader.isMark(',')) return []
  }
  const before = reader.claim()
  const comma = reader.take()
  if (reader.isMark(')'))
    reader.fault({
      code: 'expected-expression',
      start: comma.start,
      end: comma.end,
      fix: { start: comma.start, end: comma.end, text: '' },
    })
  return reader.behind([...before, ...reader.claimTrailing()])
}

const remarked = (expression: Expression, after: readonly Comment[]): Expression =>
  after.length === 0 ? expression : { ...expression, comments: { ...expression.comments, after } satisfies Remarks }

/** Passes over what cannot be read, brackets and what is in them as one. */
function skipTo(reader: Reader, marks: readonly string[]): void {
  let open = 0
  while (reader.peek().kind !== 'end') {
    if (open === 0 && marks.some(reader.isMark)) return
    if (reader.isMark(';')) return
    if (reader.isMark('(')) open += 1
    if (reader.isMark(')') && open > 0) open -= 1
    reader.take()
  }
}
