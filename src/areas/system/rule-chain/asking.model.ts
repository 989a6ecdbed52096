import { type Address, expressionAt, heldAt, isOpen, ownForm, slotOf, takesOf } from '#engines/rule/address.model.ts'
import type { Edit } from '#engines/rule/change.model.ts'
import { begin, insert, insertInside, type Side } from '#engines/rule/edit.model.ts'
import type { NodeType } from '#engines/rule/form.model.ts'
import type { Opening } from '#engines/rule/opening.model.ts'
import type { Expression, Tree } from '#engines/rule/tree.model.ts'
import { WRAPS, wrap } from '#engines/rule/wrap.model.ts'

/** An edit that waits for nodes to be chosen, one for each of `slots`. */
export type Asking = {
  readonly title: 'add-first' | 'add-before' | 'add-after' | 'add-inside' | 'wrap-in'
  /** The word of the language it is about. */
  readonly word: string
  readonly slots: readonly NodeType[]
  readonly given: readonly Expression[]
  readonly edit: (given: readonly Expression[]) => Edit
}

const asking = (title: Asking['title'], word: string, slots: Opening['slots'], edit: Asking['edit']): Asking => ({
  title,
  word,
  slots: slots as readonly NodeType[],
  given: [],
  edit,
})

export const addingFirst: Asking = asking('add-first', '', ['common'], ([first]) => begin(first as Expression))

/** Beside what stands there; nothing where only one thing answers and no two can be joined. */
export function addingBeside(tree: Tree, at: Address, side: Side): Asking | undefined {
  const slot = slotAsked(tree, at)
  const held = heldAt(at)
  const holder = held && expressionAt(tree, held.holder)
  const takes = held && holder && takesOf(holder, held.word)
  const isJoined = slot === 'common' || slot === 'boolean' || (takes !== undefined && isOpen(takes))
  if (!slot || !isJoined) return undefined
  return asking(`add-${side}`, '', [slot], ([added]) => insert(at, side, added as Expression))
}

function slotAsked(tree: Tree, at: Address): NodeType | undefined {
  const slot = slotOf(tree, at)
  const standing = expressionAt(tree, at)
  if (slot === 'any') return (standing && ownForm(standing)?.fits) ?? 'common'
  return slot as NodeType | undefined
}

export const addingInside = (at: Address, { word, slots }: Opening): Asking =>
  asking('add-inside', word, slots, given => insertInside(at, word, given))

/** Around what stands there; at once where nothing has to be asked. */
export function wrapping(at: Address, word: string): Asking | Edit {
  const asks = WRAPS[word]?.asks
  return asks ? asking('wrap-in', word, [asks], ([answer]) => wrap(at, word, answer)) : wrap(at, word)
}

/** The forms that may stand around what is there. */
export function wrapsOf(tree: Tree, at: Address): string[] {
  const slot = slotAsked(tree, at)
  return Object.keys(WRAPS).filter(word => (word === 'NOT' ? slot === 'boolean' : slot === 'common'))
}

/** One answer more: the edit when nothing more is asked. */
export function answered(asked: Asking, answer: Expression): Asking | Edit {
  const given = [...asked.given, answer]
  return given.length < asked.slots.length ? { ...asked, given } : asked.edit(given)
}
