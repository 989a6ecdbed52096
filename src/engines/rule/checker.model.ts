import { type Fault, type FaultCode, MOST_FAULTS, nearest, type Span } from './fault.model.ts'
import {
  FORMS,
  type Form,
  formOf,
  type Method,
  methodOf,
  NAMED,
  type NodeType,
  type Slot,
  sameMethod,
  slotAt,
  type Takes,
} from './form.model.ts'
import { bodyOf, type Chained, type Expression, idOf, type Statement, type Tree, textOf } from './tree.model.ts'
import { isBare } from './written.model.ts'

/** What a chain may speak of. */
export type Known = {
  readonly nodes: ReadonlyMap<string, NodeType>
  readonly chains: ReadonlySet<string>
  /** Types for which something stands in for `node("…")` of an id nobody knows. */
  readonly fallbacks?: ReadonlySet<NodeType>
  /** A chain others complete may leave places open: `{{0}}`. */
  readonly isAbstract?: boolean
}

/** Everything that is wrong with a chain that could be read, in the order of its text. */
export function check(tree: Tree, known: Known): Fault[] {
  const checker: Checker = { known, faults: [], variables: new Map() }
  for (const statement of tree.statements) checkStatement(checker, statement)
  const body = bodyOf(tree)
  const last = tree.statements.at(-1)
  if (!body && last && last.target?.kind !== 'placeholder')
    tell(checker, last, 'missing', { name: last.target?.name ?? '', what: 'THEN' })
  return checker.faults.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** A route says whether a chain is to run: a node that answers yes or no, or such joined by AND, OR, NOT. */
export function checkRoute(tree: Tree, known: Known): Fault[] {
  const checker: Checker = { known, faults: [], variables: new Map() }
  for (const { value } of tree.statements) checkSlot(checker, value, 'boolean')
  return checker.faults
}

type Checker = {
  readonly known: Known
  readonly faults: Fault[]
  /** Variables by name: what they stand for. */
  readonly variables: Map<string, Expression>
}

function tell(
  { faults }: Checker,
  { start, end }: Span,
  code: FaultCode,
  params: Fault['params'] = {},
  meant?: string,
): void {
  if (faults.length >= MOST_FAULTS) return
  faults.push({
    code,
    params: meant ? { ...params, meant } : params,
    start,
    end,
    ...(meant && { fix: { start, end, text: meant } }),
  })
}

function checkStatement(checker: Checker, { target, value }: Statement): void {
  checkSlot(checker, value, 'any')
  if (target?.kind !== 'name') {
    if (!target && isAside(checker, value)) tell(checker, wordOf(value), 'place', { name: value.name })
    return
  }
  if (formOf(target.name)) tell(checker, target, 'name-taken', { name: target.name })
  checker.variables.set(target.name, value)
}

const wordOf = ({ start, nameEnd }: Expression): Span => ({ start, end: nameEnd })

/** PRE and FINALLY, also behind a variable: they speak of the THEN they stand in. */
function isAside({ variables }: Checker, expression: Expression): boolean {
  const meant = (expression.kind === 'name' && variables.get(expression.name)) || expression
  return meant.kind === 'call' && /^(PRE|FINALLY)$/.test(meant.name)
}

/** Judges what stands in a place; `any` is a statement, where everything that is done or answers may stand. */
function checkSlot(checker: Checker, expression: Expression, slot: Slot | 'any', of?: Form): void {
  if (checker.faults.length >= MOST_FAULTS) return
  if (expression.kind === 'placeholder') {
    if (!checker.known.isAbstract) tell(checker, expression, 'placeholder-open', { name: expression.name })
    return
  }
  if (isLiteralSlot(slot)) {
    checkLiteral(checker, expression, slot)
    return
  }
  if (isAside(checker, expression) && of && of.name !== 'THEN')
    tell(checker, wordOf(expression), 'place', { name: expression.name })
  if (expression.kind === 'call') checkCall(checker, expression, slot)
  else if (expression.kind === 'name') checkName(checker, expression, slot, of)
  else if (!(slot === 'for' && isWhole(expression)))
    tell(checker, expression, 'type', { slot: told(slot), found: expression.name })
  else if (Number(expression.name) < 0) tell(checker, expression, 'range', { least: 0, found: expression.name })
}

const told = (slot: Slot | 'any'): string => (slot === 'any' ? 'common' : slot)
const fitsInto = (type: NodeType, slot: Slot | 'any'): boolean => slot === 'any' || type === slot

function checkCall(checker: Checker, expression: Expression, slot: Slot | 'any'): void {
  const form = formOf(expression.name)
  if (!form) {
    unknownWord(checker, wordOf(expression), expression.name, Object.keys(FORMS))
    for (const item of expression.args.items) checkSlot(checker, item, 'any')
    return
  }
  const id = idOf(expression)
  if (id !== undefined) checkId(checker, expression.args.items[0] as Expression, id, slot)
  else if (!fitsInto(form.fits, slot))
    tell(checker, wordOf(expression), 'type', { slot: told(slot), found: expression.name })
  checkTakes(checker, expression, expression.name, expression.args.items, form.takes, form)
  checkChained(checker, expression, form.methods, form)
  if (form.needs && !expression.chained.some(({ name }) => sameMethod(name) === form.needs))
    tell(checker, wordOf(expression), 'missing', { name: expression.name, what: `.${form.needs}(…)` })
}

function checkName(checker: Checker, expression: Expression, slot: Slot | 'any', of?: Form): void {
  const { name } = expression
  const variable = checker.variables.get(name)
  const isConstant = of?.name === 'WHILE' && (name === 'true' || name === 'false')
  if (variable) {
    const type = typeOf(checker, variable)
    if (type && !fitsInto(type, slot)) tell(checker, wordOf(expression), 'type', { slot: told(slot), found: name })
  } else if (formOf(name)) checker.faults.push(unopened(expression))
  else if (!isConstant) checkId(checker, { ...expression, end: expression.nameEnd }, name, slot)
  checkChained(checker, expression, NAMED)
}

const unopened = (expression: Expression): Fault => ({
  ...wordOf(expression),
  code: 'expected-mark',
  params: { mark: '(' },
  fix: { start: expression.nameEnd, end: expression.nameEnd, text: '(' },
})

/** A node wins over a chain of the same id. */
function checkId(checker: Checker, at: Expression, id: string, slot: Slot | 'any'): void {
  const { nodes, chains, fallbacks } = checker.known
  const type = nodes.get(id) ?? (chains.has(id) ? 'common' : undefined)
  if (type) {
    if (!fitsInto(type, slot)) tell(checker, at, 'type', { slot: told(slot), found: id })
    return
  }
  if (at.kind === 'text' && fallbacks?.has(told(slot) as NodeType)) return
  const fitting = [...nodes].filter(([, other]) => fitsInto(other, slot)).map(([other]) => other)
  const meant = nearest(id, [...fitting, ...(fitsInto('common', slot) ? chains : []), ...checker.variables.keys()])
  tell(checker, at, 'id-unknown', { id }, meant && (at.kind === 'text' ? JSON.stringify(meant) : bare(meant)))
}

const bare = (id: string): string => (isBare(id) ? id : `node(${JSON.stringify(id)})`)

function typeOf({ known, variables }: Checker, expression: Expression, depth = 0): NodeType | undefined {
  const id = idOf(expression)
  if (id === undefined) return formOf(expression.name)?.fits
  const variable = expression.kind === 'name' ? variables.get(id) : undefined
  // A variable may stand for another one; what is assigned later under the same name ends the way.
  if (variable && variable !== expression && depth < 10)
    return typeOf({ known, variables } as Checker, variable, depth + 1)
  return known.nodes.get(id) ?? (known.chains.has(id) ? 'common' : undefined)
}

function checkTakes(
  checker: Checker,
  at: Expression | Chained,
  name: string,
  items: readonly Expression[],
  takes: Takes,
  of?: Form,
): void {
  if (items.length < takes.min || items.length > takes.max) {
    const most = Number.isFinite(takes.max) ? takes.max : '∞'
    tell(checker, at, items.length === 0 ? 'empty' : 'size', { name, least: takes.min, most, found: items.length })
  }
  for (const [place, item] of items.entries()) checkSlot(checker, item, slotAt(takes, place), of ?? NEITHER)
}
/** Not a THEN: whatever stands in the brackets of `.TO`, `.DO`, `.ELSE`. */
const NEITHER = FORMS.CATCH as Form

function checkChained(
  checker: Checker,
  expression: Expression,
  methods: Readonly<Record<string, Method>>,
  form?: Form,
): void {
  const seen = new Set<string>()
  for (const chained of expression.chained) {
    const { name, nameStart, nameEnd, args } = chained
    const at = { start: nameStart, end: nameEnd }
    const method = methodOf(methods, name)
    const same = sameMethod(name)
    if (method) {
      if (seen.has(same) && !method.repeats) tell(checker, at, 'repeated', { name })
      else if (seen.has('ELSE') && name === 'ELIF') tell(checker, at, 'order', { name: 'ELSE', before: 'ELIF' })
      else if (form?.name === 'IF' && /^ELI?[FS]/.test(name) && expression.args.items.length > 2)
        tell(checker, at, 'caller', { name, caller: 'IF(a, b)' })
      checkTakes(checker, chained, name, args.items, method.takes)
    } else misplaced(checker, at, name, expression, Object.keys(methods))
    seen.add(same)
  }
}

/** A word that may not be called here: mistyped, or of another form. */
function misplaced(checker: Checker, at: Span, name: string, expression: Expression, methods: readonly string[]): void {
  const callers = Object.keys(FORMS).filter(word => methodOf((FORMS[word] as Form).methods, name))
  if (callers.length > 0) tell(checker, at, 'caller', { name, caller: callers.join(', ') })
  else unknownWord(checker, at, name, methods)
  for (const { args } of expression.chained.filter(({ nameStart }) => nameStart === at.start))
    for (const item of args.items) if (item.kind === 'call') checkSlot(checker, item, 'any')
}

function unknownWord(checker: Checker, at: Span, word: string, words: readonly string[]): void {
  const meant = nearest(word, words)
  const isCase = meant?.toLowerCase() === word.toLowerCase()
  tell(checker, at, isCase ? 'keyword-case' : 'keyword-unknown', { word, words: words.join(', ') }, meant)
}

const LITERAL_SLOTS: ReadonlySet<string> = new Set(['text', 'whole', 'fraction', 'truth', 'value', 'id'])
const isLiteralSlot = (
  slot: Slot | 'any',
): slot is Extract<Slot, 'text' | 'whole' | 'fraction' | 'truth' | 'value' | 'id'> => LITERAL_SLOTS.has(slot)
const isWhole = ({ kind, name }: Expression): boolean => kind === 'number' && !name.includes('.')
const isTruth = ({ kind, name }: Expression): boolean => kind === 'name' && (name === 'true' || name === 'false')

function checkLiteral(checker: Checker, expression: Expression, slot: string): void {
  const fits: Readonly<Record<string, boolean>> = {
    text: expression.kind === 'text',
    whole: isWhole(expression),
    fraction: expression.kind === 'number',
    truth: isTruth(expression),
    value: expression.kind === 'text' || expression.kind === 'number' || isTruth(expression),
    id: expression.kind === 'text' || idOf(expression) !== undefined,
  }
  const found = expression.kind === 'text' ? textOf(expression) : expression.name
  if (!fits[slot] || expression.chained.length > 0) tell(checker, expression, 'literal', { slot, found })
  else if (slot === 'fraction' && (Number(found) < 0 || Number(found) > 1))
    tell(checker, expression, 'range', { least: 0, most: 1, found })
  else if (slot === 'whole' && Number(found) < 0) tell(checker, expression, 'range', { least: 0, found })
}
