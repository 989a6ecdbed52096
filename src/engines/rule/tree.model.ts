import type { Span } from './fault.model.ts'
import type { Comment } from './token.model.ts'

/** The text of a chain as people wrote it: nothing that was written is lost, remarks included. */
export type Tree = {
  readonly statements: readonly Statement[]
  /** Remarks after the last statement. */
  readonly tail: readonly Comment[]
}

/** `name = expression`, `{{0}} = expression`, or an expression, which is what the chain does. */
export type Statement = Span & {
  readonly target?: Target
  readonly value: Expression
}
/** What is remarked before it stands at what is assigned: a statement has its remarks in one place. */
export type Target = Span & {
  readonly kind: 'name' | 'placeholder'
  readonly name: string
}

/** Remarks before what they stand at, and behind it on the same line: see `upToLineEnd`. */
export type Remarks = { readonly before: readonly Comment[]; readonly after: readonly Comment[] }

/** Behind something is room up to the first `//`, which takes the rest of the line; what is `over` stands elsewhere. */
export function upToLineEnd(comments: readonly Comment[]): { after: readonly Comment[]; over: readonly Comment[] } {
  const last = comments.findIndex(({ text }) => text.startsWith('//'))
  return last < 0
    ? { after: comments, over: [] }
    : { after: comments.slice(0, last + 1), over: comments.slice(last + 1) }
}

/**
 * A word with what is in its brackets and what is called on it: `IF(a, b).ELSE(c).tag("x")`. Without brackets it is the id
 * of a node, a chain or a variable.
 */
export type Expression = Span & {
  readonly kind: 'call' | 'name' | 'text' | 'number' | 'placeholder'
  /** The word, or the literal as it was written. */
  readonly name: string
  readonly nameEnd: number
  readonly args: Arguments
  readonly chained: readonly Chained[]
  readonly comments: Remarks
}
export type Chained = Span & {
  readonly name: string
  readonly nameStart: number
  readonly nameEnd: number
  readonly args: Arguments
  /** Remarks before its point. */
  readonly before: readonly Comment[]
}
export type Arguments = { readonly items: readonly Expression[]; readonly tail: readonly Comment[] }

export const NO_REMARKS: Remarks = { before: [], after: [] }
export const NO_ARGUMENTS: Arguments = { items: [], tail: [] }

/** What a chain does: its last statement that is no assignment. */
export const bodyOf = (tree: Tree): Expression | undefined =>
  tree.statements.findLast(({ target }) => target === undefined)?.value

/** What stands within an expression, one level down, in the order in which it was written. */
export const inside = (expression: Expression): Expression[] => [
  ...expression.args.items,
  ...expression.chained.flatMap(({ args }) => args.items),
]

/** What a text literal says: without its quotes, its backslashes resolved. */
export const textOf = (expression: Expression): string =>
  expression.name
    .slice(1, -1)
    .replace(/\\(.)/gs, (_, character: string) => ({ n: '\n', t: '\t', r: '\r' })[character] ?? character)

/** The id of a node an expression speaks of: bare, or within `node("…")`. */
export function idOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  const [first, ...more] = expression.args.items
  const isNode = expression.kind === 'call' && /^(node|NODE)$/.test(expression.name)
  return isNode && first?.kind === 'text' && more.length === 0 ? textOf(first) : undefined
}
