import { type Chained, type Expression, NO_ARGUMENTS, type Statement, type Tree } from './tree.model.ts'

/**
 * A chain as boxes and lines. Lines go from what holds to what is held, by the word in whose brackets it stands and its
 * place there. Positions in a text are no part of it: a graph is drawn, moved about and written again.
 */
export type Graph = {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  /** The statements in their order: the box each begins with, and the name it is kept under. */
  readonly roots: readonly { readonly box: string; readonly target?: Bare<NonNullable<Statement['target']>> }[]
  readonly tail: Tree['tail']
}
export type Box = {
  readonly key: string
  readonly kind: Expression['kind']
  readonly name: string
  readonly comments: Expression['comments']
  /** Remarks before the closing bracket. */
  readonly tail: Tree['tail']
  /** The words called on it, in order; what stands in their brackets is held by lines. */
  readonly words: readonly { readonly name: string; readonly before: Chained['before']; readonly tail: Tree['tail'] }[]
}
/** `word` counts the words called on a box from 1; 0 are its own brackets. */
export type Line = { readonly from: string; readonly to: string; readonly word: number; readonly place: number }

type Bare<T> = Omit<T, 'start' | 'end'>

/** The boxes and lines of a text that was read. */
export function graphOf(tree: Tree): Graph {
  const boxes: Box[] = []
  const lines: Line[] = []
  const add = (expression: Expression): string => {
    const { kind, name, comments, args, chained } = expression
    const key = String(boxes.length)
    const words = chained.map(each => ({ name: each.name, before: each.before, tail: each.args.tail }))
    boxes.push({ key, kind, name, comments, tail: args.tail, words })
    for (const [word, { items }] of [args, ...chained.map(each => each.args)].entries())
      for (const [place, item] of items.entries()) lines.push({ from: key, to: add(item), word, place })
    return key
  }
  const roots = tree.statements.map(({ target, value }) => ({
    box: add(value),
    ...(target && { target: { kind: target.kind, name: target.name, before: target.before } }),
  }))
  return { boxes, lines, roots, tail: tree.tail }
}

/**
 * What a graph says, to be written by `format`. A line whose box is missing is passed over; a box is written wherever a
 * line leads to it, but not within itself.
 */
export function treeOf({ boxes, lines, roots, tail }: Graph): Tree {
  const byKey = new Map(boxes.map(box => [box.key, box]))
  const held = Map.groupBy(lines, ({ from }) => from)
  const build = (key: string, above: ReadonlySet<string>): Expression[] => {
    const box = byKey.get(key)
    if (!box || above.has(key)) return []
    const within = new Set([...above, key])
    const itemsOf = (word: number): Expression[] =>
      (held.get(key) ?? [])
        .filter(line => line.word === word)
        .toSorted((a, b) => a.place - b.place)
        .flatMap(({ to }) => build(to, within))
    const chained = box.words.map(({ name, before, tail: end }, place) => ({
      ...NOWHERE,
      nameStart: 0,
      nameEnd: 0,
      name,
      before,
      args: { items: itemsOf(place + 1), tail: end },
    }))
    const args = box.kind === 'call' ? { items: itemsOf(0), tail: box.tail } : NO_ARGUMENTS
    return [{ ...NOWHERE, nameEnd: 0, kind: box.kind, name: box.name, comments: box.comments, args, chained }]
  }
  const statements = roots.flatMap(({ box, target }): Statement[] =>
    build(box, new Set()).map(value => ({ ...NOWHERE, value, ...(target && { target: { ...NOWHERE, ...target } }) })),
  )
  return { statements, tail }
}

const NOWHERE = { start: 0, end: 0 }
