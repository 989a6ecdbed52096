import { type Form, formOf, type Method, methodOf, NAMED, type Slot, slotAt, type Takes } from './form.model.ts'
import { type Arguments, type Expression, NO_ARGUMENTS, type Tree } from './tree.model.ts'

/**
 * Where an expression stands in its tree: the number of its statement, then for each level the word in whose brackets it
 * stands (0 are its holder's own) and its place there: `0/0.1/2.0`. It outlives writing the tree out and reading it again.
 */
export type Address = string

type Rung = { readonly word: number; readonly place: number }
export type Held = Rung & { readonly holder: Address }

export const within = (holder: Address, word: number, place: number): Address => `${holder}/${word}.${place}`
export const isWithin = (inner: Address, outer: Address): boolean => inner === outer || inner.startsWith(`${outer}/`)

const [STATEMENT, ONE] = [/^(\d+)/, /^(\d+)\.(\d+)$/]
export const statementOf = (address: Address): number => Number(STATEMENT.exec(address)?.[1])

/** Who holds what stands there, and where; nobody holds a statement. */
export function heldAt(address: Address): Held | undefined {
  const cut = address.lastIndexOf('/')
  const [, word, place] = ONE.exec(address.slice(cut + 1)) ?? []
  return cut < 0 ? undefined : { holder: address.slice(0, cut), word: Number(word), place: Number(place) }
}

export const rungsOf = (address: Address): Rung[] =>
  address
    .split('/')
    .slice(1)
    .map(rung => {
      const [, word, place] = ONE.exec(rung) ?? []
      return { word: Number(word), place: Number(place) }
    })

/** What is in the brackets of one of the words of an expression. */
export const bracketsOf = ({ args, chained }: Expression, word: number): Arguments =>
  word === 0 ? args : (chained[word - 1]?.args ?? NO_ARGUMENTS)

export function expressionAt({ statements }: Tree, address: Address): Expression | undefined {
  let found = statements[statementOf(address)]?.value
  for (const { word, place } of rungsOf(address)) found = found && bracketsOf(found, word).items[place]
  return found
}

/** All that stands within an expression, itself first, in the order of the text. */
function* standingIn(expression: Expression, address: Address): Generator<readonly [Address, Expression]> {
  yield [address, expression]
  for (const [word, { items }] of [expression.args, ...expression.chained.map(({ args }) => args)].entries())
    for (const [place, item] of items.entries()) yield* standingIn(item, within(address, word, place))
}

export function* everywhere({ statements }: Tree): Generator<readonly [Address, Expression]> {
  for (const [statement, { value }] of statements.entries()) yield* standingIn(value, String(statement))
}

/** Where this very expression stands. */
export const addressOf = (tree: Tree, wanted: Expression): Address | undefined =>
  [...everywhere(tree)].find(([, expression]) => expression === wanted)?.[0]

/** The words that may be called on an expression. */
export const methodsOf = (expression: Expression): Form['methods'] => ownForm(expression)?.methods ?? NAMED

export const ownForm = ({ kind, name }: Expression): Form | undefined => (kind === 'call' ? formOf(name) : undefined)

export const chainedMethod = (expression: Expression, word: number): Method | undefined =>
  methodOf(methodsOf(expression), expression.chained[word - 1]?.name ?? '')

/** What one of the words of an expression takes, if it is a word of the language. */
export const takesOf = (expression: Expression, word: number): Takes | undefined =>
  word === 0 ? ownForm(expression)?.takes : chainedMethod(expression, word)?.takes

/** What the place takes; a statement takes anything that is done or answers. */
export function slotOf(tree: Tree, address: Address): Slot | 'any' | undefined {
  const held = heldAt(address)
  if (!held) return 'any'
  const holder = expressionAt(tree, held.holder)
  const takes = holder && takesOf(holder, held.word)
  return takes && slotAt(takes, held.place)
}

/** Whether any number may stand in the brackets. */
export const isOpen = ({ max }: Takes): boolean => !Number.isFinite(max)
