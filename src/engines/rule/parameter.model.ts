import type { FactKind, Offers, Parameters } from './fact.model.ts'
import type { Fault } from './fault.model.ts'
import { type Expression, idOf, inside, type Tree, textOf } from './tree.model.ts'

const FITS: Readonly<Record<FactKind, (value: Expression) => boolean>> = {
  whole: ({ kind, name }) => kind === 'number' && !name.includes('.'),
  truth: ({ kind, name }) => kind === 'name' && (name === 'true' || name === 'false'),
  text: ({ kind }) => kind === 'text',
}

const bindsOf = ({ chained }: Expression) => chained.filter(({ name }) => name === 'bind')
const nameOf = (item: Expression | undefined): string => (item?.kind === 'text' ? textOf(item) : '')

/**
 * What is bound to a node that is none of its parameters, or of another kind, and what it needs and nobody binds. A parameter may be
 * bound further out, or where a variable is used: it is missing where the whole text does not speak of it.
 */
export function checkParameters({ statements }: Tree, parameters: Parameters, offers: Offers): Fault[] {
  const all = statements.flatMap(({ value }) => within(value))
  const bound = new Set(all.flatMap(bindsOf).map(({ args }) => nameOf(args.items[0])))
  return all.flatMap(expression => {
    const node = idOf(expression) ?? ''
    const takes = parameters.get(node)
    if (!takes) return []
    const missing = Object.keys(takes).find(name => !bound.has(name))
    const at = { start: expression.start, end: expression.nameEnd }
    return [
      ...bindsOf(expression).flatMap(({ args: { items } }): Fault[] => {
        const [name = expression, value = name] = items
        const kind = Object.hasOwn(takes, nameOf(name)) ? takes[nameOf(name)] : undefined
        const { start, end } = kind ? value : name
        if (!kind)
          return [{ start, end, code: 'parameter-unknown', params: { node, names: Object.keys(takes).join(', ') } }]
        if (!FITS[kind](value)) return [{ start, end, code: 'literal', params: { slot: kind, found: value.name } }]
        const values = offers.get(node)?.[nameOf(name)]
        const found = nameOf(value)
        if (!values || values.includes(found)) return []
        return [{ start, end, code: 'parameter-value', params: { name: nameOf(name), found, names: listed(values) } }]
      }),
      ...(missing === undefined
        ? []
        : [{ ...at, code: 'parameter-missing' as const, params: { node, name: missing } }]),
    ]
  })
}

/** More than these nobody reads. */
const MOST_NAMED = 20
const listed = (values: readonly string[]): string =>
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
