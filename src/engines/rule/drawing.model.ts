import { type Address, chainedMethod, methodsOf, ownForm, within } from './address.model.ts'
import type { Slot } from './form.model.ts'
import { type Arguments, type Expression, idOf, type Tree, textOf } from './tree.model.ts'

/** A chain as it is drawn: boxes within boxes, each with the address of what it shows. */
export type Part = {
  readonly at: Address
  readonly expression: Expression
  /** The name of a variable it is kept under. */
  readonly kept?: string
  readonly branches: readonly Branch[]
  readonly said: readonly Said[]
}
/** What a form holds for one purpose; abreast what is done at the same time or instead of each other. */
export type Branch = {
  readonly key: string
  readonly is: Purpose
  readonly isAbreast: boolean
  readonly parts: readonly Part[]
}
export type Purpose = (typeof PURPOSES)[number]
const PURPOSES = [
  'item',
  'condition',
  'yes',
  'no',
  'elif',
  'choice',
  'case',
  'default',
  'times',
  'each',
  'do',
  'break',
  'tried',
  'failed',
] as const
/** A word with plain values that is called on something: `tag("vip")`. */
export type Said = { readonly word: string; readonly value: string }

/** What a chain shows as boxes: one for each statement. */
export const drawingOf = ({ statements }: Tree): Part[] =>
  statements.map(({ target, value }, place) => ({
    ...partOf(value, String(place)),
    ...(target && { kept: target.name }),
  }))

/** All boxes, each before what is in it. */
export const everyPart = (parts: readonly Part[]): Part[] =>
  parts.flatMap(part => [part, ...part.branches.flatMap(branch => everyPart(branch.parts))])

/** What a box is called. */
export const titleOf = (expression: Expression): string => idOf(expression) ?? expression.name

function partOf(expression: Expression, at: Address): Part {
  const own = idOf(expression) === undefined ? ownBranches(expression, at) : []
  const called = expression.chained.flatMap((each, place): Branch[] =>
    isPlain(expression, place + 1)
      ? []
      : [branchOf(expression, at, place + 1, each.args, purposeOf(expression, each.name, 0))],
  )
  const said = expression.chained
    .filter((_, place) => isPlain(expression, place + 1))
    .map(({ name, args }) => ({ word: name, value: args.items.map(plainOf).join(', ') }))
  return { at, expression, branches: [...own, ...called], said }
}

/** A question, what follows from it and what otherwise are told apart; all else stands together. */
function ownBranches(expression: Expression, at: Address): Branch[] {
  const { args } = expression
  if (expression.name !== 'IF')
    return args.items.length > 0 ? [branchOf(expression, at, 0, args, purposeOf(expression, '', 0))] : []
  return args.items.map((item, place) => ({
    key: `0.${place}`,
    is: purposeOf(expression, '', place),
    isAbreast: false,
    parts: [partOf(item, within(at, 0, place))],
  }))
}

const branchOf = (holder: Expression, at: Address, word: number, { items }: Arguments, is: Purpose): Branch => ({
  key: String(word),
  is,
  isAbreast: is === 'case' || (is === 'item' && ownForm(holder)?.name === 'WHEN'),
  parts: items.map((item, place) => partOf(item, within(at, word, place))),
})

const OWN: Readonly<Record<string, readonly Purpose[]>> = {
  IF: ['condition', 'yes', 'no'],
  SWITCH: ['choice'],
  FOR: ['times'],
  WHILE: ['condition'],
  ITERATOR: ['each'],
  CATCH: ['tried'],
}
const CALLED: Readonly<Record<string, Purpose>> = {
  ELIF: 'elif',
  ELSE: 'no',
  TO: 'case',
  to: 'case',
  DEFAULT: 'default',
  DO: 'do',
  BREAK: 'break',
}

function purposeOf({ name }: Expression, word: string, place: number): Purpose {
  if (word === '') return OWN[name]?.[place] ?? 'item'
  return name === 'CATCH' && word === 'DO' ? 'failed' : (CALLED[word] ?? 'item')
}

const HELD: ReadonlySet<Slot> = new Set(['common', 'boolean', 'switch', 'for', 'iterator'])

/** Whether a word holds values and nothing that could be drawn; of an unknown word what it holds tells. */
function isPlain(expression: Expression, word: number): boolean {
  const takes = chainedMethod(expression, word)?.takes
  if (takes) return !takes.slots.some(slot => HELD.has(slot))
  return expression.chained[word - 1]?.args.items.every(({ kind }) => kind === 'text' || kind === 'number') ?? true
}

const plainOf = (expression: Expression): string =>
  expression.kind === 'text' ? textOf(expression) : expression.kind === 'call' ? titleOf(expression) : expression.name

/** Words of one value that people set by a field, in the order in which they are asked for. */
const SETTABLE = [
  'tag',
  'data',
  'id',
  'retry',
  'maxWaitSeconds',
  'maxWaitMilliseconds',
  'any',
  'percentage',
  'ignoreError',
  'parallel',
] as const
type Settable = (typeof SETTABLE)[number]
export type Setting = { readonly word: Settable; readonly slot: Slot; readonly value: string | undefined }

/** What may be said about an expression, and what is. */
export function settingsOf(expression: Expression): Setting[] {
  const methods = methodsOf(expression)
  return SETTABLE.flatMap((word): Setting[] => {
    const slot = methods[word]?.takes.slots[0]
    const item = expression.chained.find(({ name }) => name === word)?.args.items[0]
    return slot ? [{ word, slot, value: item && plainOf(item) }] : []
  })
}
