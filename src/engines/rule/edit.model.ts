import {
  type Address,
  addressOf,
  bracketsOf,
  chainedMethod,
  expressionAt,
  heldAt,
  isOpen,
  isWithin,
  ownForm,
  slotOf,
  statementOf,
  takesOf,
} from './address.model.ts'
import { bare, type Edit, inBrackets, inPlaceOf, replaced, told } from './change.model.ts'
import { check, type Known } from './checker.model.ts'
import { formOf, sameMethod } from './form.model.ts'
import { format } from './format.model.ts'
import { opened } from './opening.model.ts'
import { parse } from './parser.model.ts'
import { type Expression, idOf, type Tree } from './tree.model.ts'
import { called, chainedOn, instead, isNumber, literal, named } from './written.model.ts'

export type Side = 'before' | 'after'

/**
 * The text of a chain after an edit. An edit that brings in a mistake that was not there before, or a text nobody reads, is
 * none: whoever edits by hand may leave a chain half done, whoever moves boxes has no way to.
 */
export function editedText(
  tree: Tree,
  known: Known,
  edit: Edit,
): { source: string; at: Address | undefined } | undefined {
  const edited = edit(tree)
  if (!edited) return undefined
  const source = format(edited.tree)
  if (source === '') return { source, at: undefined }
  const { tree: read, faults } = parse(source)
  if (faults.length > 0 || check(read, known).length > check(tree, known).length) return undefined
  return { source, at: edited.at }
}

/** The first thing a chain does. */
export const begin =
  (first: Expression): Edit =>
  tree =>
    told({ ...tree, statements: [{ start: 0, end: 0, value: called('THEN', first) }] }, first)

/** Puts something beside what stands there; where only one has room, both go into a THEN, two questions into an AND. */
export function insert(address: Address, side: Side, added: Expression): Edit {
  return tree => {
    const target = expressionAt(tree, address)
    const held = heldAt(address)
    const holder = held && expressionAt(tree, held.holder)
    const takes = held && holder && takesOf(holder, held.word)
    if (!target) return undefined
    if (held && takes && isOpen(takes)) {
      const place = held.place + (side === 'after' ? 1 : 0)
      return told(
        inBrackets(tree, held.holder, held.word, items => items.toSpliced(place, 0, added)),
        added,
      )
    }
    const joint = JOINTS[slotOf(tree, address) ?? '']?.(target)
    if (!joint) return undefined
    if (target.name === joint && target.chained.length === 0)
      return told(
        inBrackets(tree, address, 0, items => (side === 'after' ? [...items, added] : [added, ...items])),
        added,
      )
    const both = side === 'after' ? [bare(target), added] : [added, bare(target)]
    return told(replaced(tree, address, { ...called(joint, ...both), comments: target.comments }), added)
  }
}

/** What holds two where there is room for one. */
const JOINTS: Readonly<Record<string, (target: Expression) => string>> = {
  common: () => 'THEN',
  boolean: () => 'AND',
  any: target => (ownForm(target)?.fits === 'boolean' ? 'AND' : 'THEN'),
}

/** Puts something into the brackets of one of the words of what stands there, or calls that word on it. */
export function insertInside(address: Address, word: string, added: readonly Expression[]): Edit {
  return tree => {
    const target = expressionAt(tree, address)
    const filled = target && opened(target, word, added)
    return filled && told(replaced(tree, address, filled), added.at(-1))
  }
}

/** Takes away what stands there, with what only makes sense with it; nothing where its holder cannot do without. */
export const remove = (address: Address): Edit => takenAway(address, { isAlone: false })

/** Alone, nothing goes along but forms that hold nothing any more: no question goes with what was done on its answer. */
function takenAway(address: Address, how: { readonly isAlone: boolean }): Edit {
  return tree => {
    const held = heldAt(address)
    if (!held) return told({ ...tree, statements: tree.statements.toSpliced(statementOf(address), 1) })
    const holder = expressionAt(tree, held.holder)
    const takes = holder && takesOf(holder, held.word)
    if (!holder || !takes || !expressionAt(tree, address)) return undefined
    const { items } = bracketsOf(holder, held.word)
    const isSpare = items.length > takes.min && (isOpen(takes) || held.place === items.length - 1)
    if (isSpare)
      return told(
        inBrackets(tree, held.holder, held.word, all => all.toSpliced(held.place, 1)),
        neighbour(items, held.place),
      )
    const other = items.length === 2 ? items[1 - held.place] : undefined
    if (ownForm(holder)?.fits === 'boolean' && other && isOpen(takes))
      return inPlaceOf(tree, held.holder, other, holder)
    if (held.word === 0) return isOpen(takes) ? takenAway(held.holder, how)(tree) : undefined
    const isNeeded = sameMethod(holder.chained[held.word - 1]?.name ?? '') === ownForm(holder)?.needs
    if (isNeeded || !chainedMethod(holder, held.word) || (how.isAlone && items.length > 1)) return undefined
    const left = { ...holder, chained: holder.chained.toSpliced(held.word - 1, 1) }
    return told(replaced(tree, held.holder, left), left)
  }
}
const neighbour = (items: readonly Expression[], place: number) => items[place + 1] ?? items[place - 1]

/** Carries what stands there, and nothing else, before or after what stands at another place, or into its brackets. */
export function move(from: Address, to: Address, side: Side | 'inside'): Edit {
  return tree => {
    const moved = expressionAt(tree, from)
    if (!moved || isWithin(to, from)) return undefined
    // A copy, so that it can be told from what is still to be taken away.
    const copy = { ...moved }
    const put = side === 'inside' ? insertInside(to, '', [copy])(tree) : insert(to, side, copy)(tree)
    const left = put && addressOf(put.tree, moved)
    const done = left === undefined ? undefined : takenAway(left, { isAlone: true })(put?.tree as Tree)
    return done && told(done.tree, copy)
  }
}

/** One place up or down among its neighbours; at the end of them out of what holds them. */
export function nudge(address: Address, by: -1 | 1): Edit {
  return tree => {
    const held = heldAt(address)
    const holder = held && expressionAt(tree, held.holder)
    const takes = held && holder && takesOf(holder, held.word)
    if (!held || !holder || !takes) return undefined
    const side = by < 0 ? 'before' : 'after'
    const next = held.place + by
    if (isOpen(takes) && next >= 0 && next < bracketsOf(holder, held.word).items.length)
      return move(address, `${held.holder}/${held.word}.${next}`, side)(tree)
    return move(address, held.holder, side)(tree)
  }
}

/** Another node in its place, with all that is called on it; `THEN` may become `WHEN`, a number another number. */
export function rename(address: Address, name: string): Edit {
  return tree => {
    const target = expressionAt(tree, address)
    if (!target || (isForm(target) && !formOf(name))) return undefined
    const { chained, comments } = target
    const changed = isForm(target) ? { ...target, name } : { ...headOf(target, name), chained, comments }
    return told(replaced(tree, address, changed), changed)
  }
}
const isForm = (expression: Expression): boolean => expression.kind === 'call' && idOf(expression) === undefined

/** Whoever wrote `node("…")` keeps it, with what is remarked in its brackets. */
const headOf = (target: Expression, name: string): Expression => {
  if (target.kind === 'number' && isNumber(name)) return { ...target, name }
  if (target.kind !== 'call') return named(name)
  const { items, tail } = target.args
  return { ...target, args: { items: items.map(id => instead(id, name)), tail } }
}

/** Calls a word with one value on what stands there, changes its value, or takes the word away. */
export function setWord(address: Address, word: string, value: string | number | boolean | undefined): Edit {
  return tree => {
    const target = expressionAt(tree, address)
    if (!target) return undefined
    const at = target.chained.findIndex(({ name }) => name === word)
    const old = target.chained[at]
    const chained =
      value === undefined
        ? target.chained.filter((_, place) => place !== at)
        : old
          ? target.chained.with(at, {
              ...old,
              args: { ...old.args, items: old.args.items.toSpliced(0, 1, instead(old.args.items[0], value)) },
            })
          : [...target.chained, chainedOn(word, literal(value))]
    const changed = { ...target, chained }
    return told(replaced(tree, address, changed), changed)
  }
}
