import { type Address, expressionAt, heldAt, isOpen, ownForm, takesOf } from './address.model.ts'
import { bare, type Edit, inBrackets, inheriting, inPlaceOf, replaced, told } from './change.model.ts'
import { slotAt } from './form.model.ts'
import { type Expression, idOf } from './tree.model.ts'
import { called, chainedOn } from './written.model.ts'

/** What a form asks for beside what it is put around. */
export const WRAPS: Readonly<
  Record<string, { readonly asks?: 'boolean' | 'switch' | 'for' | 'iterator'; readonly by?: string }>
> = {
  THEN: {},
  WHEN: {},
  IF: { asks: 'boolean' },
  SWITCH: { asks: 'switch', by: 'TO' },
  FOR: { asks: 'for', by: 'DO' },
  WHILE: { asks: 'boolean', by: 'DO' },
  ITERATOR: { asks: 'iterator', by: 'DO' },
  CATCH: {},
  NOT: {},
}

/** Puts a form around what stands there. Its remarks are those of the whole now. */
export function wrap(address: Address, word: string, answer?: Expression): Edit {
  return tree => {
    const target = expressionAt(tree, address)
    const { asks, by } = WRAPS[word] ?? {}
    if (!target || (asks && !answer)) return undefined
    const inner = bare(target)
    const asked = answer ? [answer] : []
    const whole = by ? { ...called(word, ...asked), chained: [chainedOn(by, inner)] } : called(word, ...asked, inner)
    const held = { ...whole, comments: target.comments }
    return told(replaced(tree, address, held), held)
  }
}

/** Takes a form away and leaves what it held, where that is one thing or stands in a row anyway. */
export function unwrap(address: Address): Edit {
  return tree => {
    const target = expressionAt(tree, address)
    const form = target && ownForm(target)
    if (!target || !form || idOf(target) !== undefined) return undefined
    const kept = heldBy(target, form.fits)
    const [first, ...more] = kept
    if (!first) return undefined
    if (more.length === 0) return inPlaceOf(tree, address, first, target)
    const held = heldAt(address)
    const holder = held && expressionAt(tree, held.holder)
    const takes = held && holder && takesOf(holder, held.word)
    if (target.args.items.length !== kept.length || !held || !takes || !isOpen(takes)) return undefined
    const { before, after } = target.comments
    const freed = kept.map((each, place) =>
      inheriting(each, { before: place === 0 ? before : [], after: place === more.length ? after : [] }),
    )
    return told(
      inBrackets(tree, held.holder, held.word, items => items.toSpliced(held.place, 1, ...freed)),
      freed[0],
    )
  }
}

const heldBy = (target: Expression, slot: string): Expression[] =>
  [target.args, ...target.chained.map(({ args }) => args)].flatMap(({ items }, word) => {
    const takes = takesOf(target, word)
    return items.filter((_, place) => takes && slotAt(takes, place) === slot)
  })
