import type { FactKind, Parameters } from './fact.model.ts'
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
export function checkParameters({ statements }: Tree, parameters: Parameters): Fault[] {
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
        return FITS[kind](value) ? [] : [{ start, end, code: 'literal', params: { slot: kind, found: value.name } }]
      }),
      ...(missing === undefined
        ? []
        : [{ ...at, code: 'parameter-missing' as const, params: { node, name: missing } }]),
    ]
  })
}

const within = (expression: Expression): Expression[] => [expression, ...inside(expression).flatMap(within)]
