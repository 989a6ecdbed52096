import { isOpen, methodsOf, ownForm } from './address.model.ts'
import { type Slot, sameMethod, slotAt } from './form.model.ts'
import { type Expression, idOf } from './tree.model.ts'
import { chainedOn } from './written.model.ts'

/** Room within an expression: the word in whose brackets it is, '' for its own, and what it takes. */
export type Opening = { readonly word: string; readonly slots: readonly Slot[] }

const HELD: ReadonlySet<Slot> = new Set(['common', 'boolean', 'switch', 'for', 'iterator'])

/** Where something more may be put into a form: its brackets, branches that are there, and branches that may be added. */
export function openingsOf(expression: Expression): Opening[] {
  const form = ownForm(expression)
  if (!form || idOf(expression) !== undefined) return []
  const own: Opening[] = isOpen(form.takes)
    ? [{ word: '', slots: [slotAt(form.takes, expression.args.items.length)] }]
    : []
  const isWhole = form.name === 'IF' && expression.args.items.length > 2
  const branches = Object.entries(methodsOf(expression)).flatMap(([word, { takes, repeats }]): Opening[] => {
    // `to` is `TO` in another spelling.
    if (!takes.slots.every(slot => HELD.has(slot)) || sameMethod(word) !== word || isWhole) return []
    const isThere = expression.chained.some(({ name }) => sameMethod(name) === word)
    if (isThere && isOpen(takes)) return [{ word, slots: [slotAt(takes, takes.min)] }]
    return isThere && !repeats ? [] : [{ word, slots: takes.slots }]
  })
  return [...own, ...branches]
}

/** The expression with something put into one of its openings. */
export function opened(expression: Expression, word: string, added: readonly Expression[]): Expression | undefined {
  const opening = openingsOf(expression).find(each => each.word === word)
  if (opening?.slots.length !== added.length) return undefined
  const { args, chained } = expression
  if (word === '') return { ...expression, args: { ...args, items: [...args.items, ...added] } }
  const there = chained.findIndex(({ name }) => sameMethod(name) === word)
  const old = chained[there]
  if (old && isOpen(methodsOf(expression)[old.name]?.takes ?? ONE)) {
    const filled = { ...old, args: { ...old.args, items: [...old.args.items, ...added] } }
    return { ...expression, chained: chained.with(there, filled) }
  }
  return { ...expression, chained: chained.toSpliced(placeFor(expression, word), 0, chainedOn(word, ...added)) }
}
const ONE = { slots: [], min: 1, max: 1 }

/** Behind the other branches, before what is only said about the whole; ELSE stays the last of its kind. */
function placeFor({ chained }: Expression, word: string): number {
  const before = word === 'ELIF' ? chained.findIndex(({ name }) => name === 'ELSE') : -1
  return before < 0 ? chained.findLastIndex(({ name }) => name === name.toUpperCase() || name === 'to') + 1 : before
}
