import { factNamed, type Offers, type Parameters, type PlainKind, type Takes } from './fact.model.ts'
import type { Fault } from './fault.model.ts'
import { bindsOf, nameOf, placesIn } from './place.model.ts'
import { type Expression, idOf, inside, type Tree } from './tree.model.ts'

const FITS: Readonly<Record<PlainKind, (value: Expression) => boolean>> = {
  whole: ({ kind, name }) => kind === 'number' && !name.includes('.'),
  truth: ({ kind, name }) => kind === 'name' && (name === 'true' || name === 'false'),
  text: ({ kind }) => kind === 'text',
}

/**
 * What is bound to a node that is none of its parameters, what is bound to it or around it and is of another kind or nothing there is, and
 * what it needs and nobody binds. A parameter may be bound by whoever uses the chain: it is missing where the whole text does not speak of it.
 */
export function checkParameters(tree: Tree, parameters: Parameters, offers: Offers): Fault[] {
  const all = tree.statements.flatMap(({ value }) => within(value))
  const spoken = new Set(all.flatMap(bindsOf).map(({ args }) => nameOf(args.items[0])))
  const faults = placesIn(tree).flatMap(({ expression, bound }) => {
    const node = idOf(expression) ?? ''
    const takes = parameters.get(node)
    if (!takes) return []
    return [
      ...unknownTo(node, takes, expression),
      ...Object.keys(takes).flatMap(name => wrongFor(name, takes, bound.get(name)?.value, offers.get(node)?.[name])),
      ...missingAt(node, takes, expression, spoken),
    ]
  })
  // What is bound around several nodes, or used in several places, is wrong once.
  return [...new Map(faults.map(fault => [`${fault.start} ${fault.code} ${fault.params?.name ?? ''}`, fault])).values()]
}

function unknownTo(node: string, takes: Takes, expression: Expression): Fault[] {
  return bindsOf(expression).flatMap(({ args: { items } }): Fault[] => {
    const [name = expression] = items
    if (Object.hasOwn(takes, nameOf(name))) return []
    const { start, end } = name
    return [{ start, end, code: 'parameter-unknown', params: { node, names: Object.keys(takes).join(', ') } }]
  })
}

function wrongFor(
  name: string,
  takes: Takes,
  value: Expression | undefined,
  values: readonly string[] | undefined,
): Fault[] {
  const taken = takes[name]
  if (!value || !taken) return []
  const { start, end } = value
  // A fact is named by a text, whatever it is.
  const kind = factNamed(taken) ? 'text' : (taken as PlainKind)
  if (!FITS[kind](value)) return [{ start, end, code: 'literal', params: { slot: kind, found: value.name } }]
  const found = nameOf(value)
  if (kind === 'text' && found.trim() === '') return [{ start, end, code: 'parameter-empty', params: { name } }]
  if (!values || values.includes(found)) return []
  return [{ start, end, code: 'parameter-value', params: { name, found, names: listed(values) } }]
}

function missingAt(node: string, takes: Takes, expression: Expression, spoken: ReadonlySet<string>): Fault[] {
  const name = Object.keys(takes).find(taken => !spoken.has(taken))
  const { start, nameEnd: end } = expression
  return name === undefined ? [] : [{ start, end, code: 'parameter-missing', params: { node, name } }]
}

/** More than these nobody reads. */
const MOST_NAMED = 20
export const listed = (values: readonly string[]): string =>
  [...values.slice(0, MOST_NAMED), ...(values.length > MOST_NAMED ? ['…'] : [])].join(', ')

/** Nodes, and chains that ask them, of which the event this chain is for has nothing done. */
export const checkWithheld = ({ statements }: Tree, withheld: ReadonlySet<string>): Fault[] =>
  statements
    .flatMap(({ value }) => within(value))
    .flatMap((expression): Fault[] => {
      const id = idOf(expression) ?? ''
      const { start, nameEnd: end } = expression
      return withheld.has(id) ? [{ start, end, code: 'withheld', params: { id } }] : []
    })

const within = (expression: Expression): Expression[] => [expression, ...inside(expression).flatMap(within)]
