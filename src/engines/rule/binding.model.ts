import { type Address, expressionAt } from './address.model.ts'
import { type Edit, replaced, told } from './change.model.ts'

import { type Chained, type Expression, textOf } from './tree.model.ts'
import { chainedOn, instead, literal } from './written.model.ts'

/** What may be bound: a word of the language takes no more than plain values. */
export const BOUND_KINDS = ['text', 'number', 'truth'] as const
export type BoundKind = (typeof BOUND_KINDS)[number]
export type Value = string | number | boolean

/** One `bind("key", value, true)`, and which of the words that are called on its expression it is. */
export type Binding = {
  readonly word: number
  readonly key: string
  /** Nothing where a placeholder stands that another chain completes. */
  readonly value: Value | undefined
  /** Whether it stands over what is bound nearer to a node. */
  readonly isOver: boolean
}

export const kindOf = (value: Value): BoundKind => {
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' ? 'number' : 'truth'
}

/** All that is bound to an expression, as it is written. */
export const bindingsOf = ({ chained }: Expression): Binding[] =>
  chained.flatMap(({ name, args: { items } }, word): Binding[] => {
    const [key, value, over] = items
    if (name !== 'bind' || key?.kind !== 'text') return []
    return [{ word, key: textOf(key), value: value && boundValue(value), isOver: over?.name === 'true' }]
  })

function boundValue(item: Expression): Value | undefined {
  if (item.kind === 'text') return textOf(item)
  if (item.kind === 'number') return Number(item.name)
  return item.name === 'true' || item.name === 'false' ? item.name === 'true' : undefined
}

/** Binds something more, beside what is bound already. */
export const bind = (address: Address, key: string, value: Value): Edit =>
  onChained(address, chained => [...chained, chainedOn('bind', literal(key), literal(value))])

export const unbind = (address: Address, word: number): Edit =>
  onChained(address, chained => chained.toSpliced(word, 1))

/** Another name, another value, or whether it stands over others; what is remarked in its brackets stays. */
export const rebind = (
  address: Address,
  word: number,
  next: Partial<Pick<Binding, 'key' | 'value' | 'isOver'>>,
): Edit =>
  onChained(address, chained => {
    const old = chained[word]
    if (old?.name !== 'bind') return undefined
    const [key, value, over] = old.args.items
    const items = [
      next.key === undefined ? key : instead(key, next.key),
      next.value === undefined ? value : instead(value, next.value),
      ...overOf(over, next.isOver),
    ].filter(item => item !== undefined)
    return chained.with(word, { ...old, args: { ...old.args, items } })
  })

/** Nothing is what stands over nothing; where it was written out, it is written out again. */
function overOf(old: Expression | undefined, isOver: boolean | undefined): Expression[] {
  if (isOver === undefined) return old ? [old] : []
  return isOver || old ? [instead(old, isOver)] : []
}

const onChained =
  (address: Address, change: (chained: readonly Chained[]) => readonly Chained[] | undefined): Edit =>
  tree => {
    const target = expressionAt(tree, address)
    const chained = target && change(target.chained)
    if (!target || !chained) return undefined
    const changed = { ...target, chained }
    return told(replaced(tree, address, changed), changed)
  }
