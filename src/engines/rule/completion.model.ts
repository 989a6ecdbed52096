import { type FactKind, factNamed, type ParameterKind } from './fact.model.ts'
import {
  FORMS,
  formOf,
  methodOf,
  NAMED,
  NODE_TYPES,
  type NodeType,
  type Slot,
  slotAt,
  type Takes,
} from './form.model.ts'
import { type Token, tokensOf } from './token.model.ts'

/** What a text may go on with, in place of what stands from `from` to `to`. */
export type Completion = { readonly from: number; readonly to: number; readonly options: readonly Offer[] }
export type Offer = {
  readonly text: string
  /** What it is: a node of some answer, a chain, a variable, a word of the language, or a value. */
  readonly kind: NodeType | 'chain' | 'variable' | 'word' | 'value'
  /** What people call it. */
  readonly about: string
}
export type Nameable = {
  readonly nodes: readonly {
    readonly id: string
    readonly name: string
    readonly type: NodeType
    readonly parameters?:
      | readonly { readonly name: string; readonly kind: ParameterKind; readonly values: readonly string[] | null }[]
      | null
  }[]
  /** What may be named where a node takes the name of a fact. */
  readonly facts?: readonly { readonly name: string; readonly title: string; readonly kind: FactKind | 'any' }[]
  readonly chains: readonly { readonly id: string; readonly name: string }[]
}

/** An open bracket: what it takes, the place reached in it, and the head of what was read last there. */
type Level = {
  readonly takes: Takes | undefined
  place: number
  head: string | undefined
  /** Of `bind`: on which node it is called, and what its first text says. */
  readonly bindsTo: string | undefined
  key: string | undefined
}

/** What may stand where the caret is, by the words around it. Nothing within a text or a remark. */
export function completionAt(source: string, caret: number, names: Nameable): Completion | undefined {
  const { tokens, faults } = tokensOf(source.slice(0, caret))
  const [last, before] = [tokens.at(-2), tokens.at(-3)]
  // A remark before the end, or a text without its end, goes up to the caret.
  const isInside = (tokens.at(-1)?.comments ?? []).some(({ end, text }) => end >= caret && text.startsWith('//'))
  if (isInside) return undefined
  if (last?.kind === 'text' && last.end === caret) {
    const isOpen = faults.some(({ code, start }) => code === 'text-open' && start === last.start)
    return isOpen ? boundAt(levelAt(tokens.slice(0, -2)).level, last.text.slice(1, -1), caret, names) : undefined
  }
  const isTyped = last?.kind === 'name' && last.end === caret
  const typed = isTyped ? last.text : ''
  const read = tokens.slice(0, isTyped ? -2 : -1)
  const mark = isTyped ? before : last
  const { level, variables } = levelAt(read)
  const offers = mark?.text === '.' && mark.kind === 'mark' ? wordsOn(level.head) : offersFor(level, variables, names)
  const options = offers.filter(({ text, about }) => isMeant(typed, text) || (typed !== '' && about.includes(typed)))
  const from = caret - typed.length
  return options.length > 0 ? { from, to: caret, options: options.slice(0, MOST) } : undefined
}

/** Within the quotes of `bind`: what the node takes, then what may be bound to that. */
function boundAt(
  { bindsTo, place, key }: Level,
  typed: string,
  caret: number,
  names: Nameable,
): Completion | undefined {
  const { parameters } = names.nodes.find(({ id }) => id === bindsTo) ?? {}
  if (!parameters || place > 1) return undefined
  const parameter = parameters.find(({ name }) => name === key)
  const offers = place === 0 ? parameters.map(({ name }) => valueOffer(name)) : boundOffers(parameter, names)
  const options = offers.filter(({ text, about }) => isMeant(typed, text) || (typed !== '' && about.includes(typed)))
  return options.length > 0 ? { from: caret - typed.length, to: caret, options: options.slice(0, MOST) } : undefined
}

function boundOffers(
  parameter: NonNullable<Nameable['nodes'][number]['parameters']>[number] | undefined,
  { facts = [] }: Nameable,
): Offer[] {
  const wanted = parameter && factNamed(parameter.kind)
  if (!wanted) return (parameter?.values ?? []).map(value => valueOffer(value))
  return facts.filter(({ kind }) => kind === wanted || kind === 'any').map(({ name, title }) => valueOffer(name, title))
}

const valueOffer = (text: string, about = ''): Offer => ({ text, kind: 'value', about })
const MOST = 50
const isMeant = (typed: string, text: string): boolean =>
  text.toLowerCase().startsWith(typed.toLowerCase()) && text !== typed

function levelAt(tokens: readonly Token[]): { level: Level; variables: string[] } {
  const root = (): Level => ({ takes: undefined, place: 0, head: undefined, bindsTo: undefined, key: undefined })
  let levels: Level[] = [root()]
  const variables: string[] = []
  for (const [place, { kind, text }] of tokens.entries()) {
    const level = levels.at(-1) as Level
    const isCalled = tokens[place - 1]?.text === '.'
    if (kind === 'name' && !isCalled) level.head = text
    if (kind === 'text' && level.place === 0) level.key = text.slice(1, -1)
    if (kind !== 'mark') continue
    if (text === '(')
      levels.push({ ...root(), takes: takesBefore(tokens, place, level), bindsTo: boundTo(tokens, place, level) })
    if (text === ')' && levels.length > 1) levels = levels.slice(0, -1)
    if (text === ',') level.place += 1
    if (text === ';') levels = [root()]
    if (text === '=' && level.head !== undefined) variables.push(level.head)
  }
  return { level: levels.at(-1) as Level, variables }
}

/** What the brackets that open here take: of a form, or of a word called on one. */
function takesBefore(tokens: readonly Token[], place: number, { head }: Level): Takes | undefined {
  const word = tokens[place - 1]?.text ?? ''
  return tokens[place - 2]?.text === '.' ? methodOf(methodsOn(head), word)?.takes : formOf(word)?.takes
}

/** The node that `bind` is called on, where these are its brackets. */
const boundTo = (tokens: readonly Token[], place: number, { head }: Level): string | undefined =>
  tokens[place - 1]?.text === 'bind' && tokens[place - 2]?.text === '.' ? head : undefined

const methodsOn = (head: string | undefined) => formOf(head ?? '')?.methods ?? NAMED

const wordsOn = (head: string | undefined): Offer[] =>
  head === undefined ? [] : Object.keys(methodsOn(head)).map(text => ({ text, kind: 'word', about: '' }))

function offersFor({ takes, place }: Level, variables: readonly string[], { nodes, chains }: Nameable): Offer[] {
  const slot: Slot | 'any' = takes ? slotAt(takes, place) : 'any'
  if (slot === 'truth') return ['true', 'false'].map(text => ({ text, kind: 'value', about: '' }))
  if (slot !== 'any' && !(NODE_TYPES as readonly Slot[]).includes(slot)) return []
  const fits = (type: string): boolean => slot === 'any' || type === slot
  return [
    ...nodes.filter(({ type }) => fits(type)).map(({ id, name, type }) => ({ text: id, kind: type, about: name })),
    ...variables.map(text => ({ text, kind: 'variable' as const, about: '' })),
    ...(fits('common') ? chains.map(({ id, name }) => ({ text: id, kind: 'chain' as const, about: name })) : []),
    ...Object.entries(FORMS)
      .filter(([, { fits: answer }]) => fits(answer))
      .map(([text]) => ({ text, kind: 'word' as const, about: '' })),
  ]
}
