import { factNamed, ITEM, type Parameters } from './fact.model.ts'
import { type Expression, idOf, inside, type Tree, textOf } from './tree.model.ts'

export const bindsOf = ({ chained }: Expression) => chained.filter(({ name }) => name === 'bind')
export const nameOf = (item: Expression | undefined): string => (item?.kind === 'text' ? textOf(item) : '')

type Bound = ReadonlyMap<string, { readonly value: Expression; readonly isOver: boolean }>
/** An expression with what is bound where it stands, and what the nearest loop over a list goes through. */
export type Place = { readonly expression: Expression; readonly bound: Bound; readonly list: Place | undefined }
type Variables = ReadonlyMap<string, { readonly value: Expression; readonly before: Variables }>

type Around = Omit<Place, 'expression'>

/** What stands there under whatever name. */
function meantBy(expression: Expression, around: Around, variables: Variables): Place {
  const here = { list: around.list, bound: boundAt(around.bound, expression) }
  const variable = expression.kind === 'name' ? variables.get(expression.name) : undefined
  return variable ? meantBy(variable.value, here, variable.before) : { expression, ...here }
}

/** Every expression of a chain where it stands, also where it is used under another name. */
export function placesIn({ statements }: Tree): Place[] {
  const seen = new Set<string>()
  const look = (expression: Expression, around: Around, variables: Variables): Place[] => {
    const here = { list: around.list, bound: boundAt(around.bound, expression) }
    const variable = expression.kind === 'name' ? variables.get(expression.name) : undefined
    if (!variable) {
      const own = { expression, ...here }
      const [head] = expression.name === 'ITERATOR' ? expression.args.items : []
      if (!head) return [own, ...inside(expression).flatMap(each => look(each, here, variables))]
      const list = meantBy(head, here, variables)
      const within = inside(expression).slice(1)
      return [own, ...look(head, here, variables), ...within.flatMap(each => look(each, { ...here, list }, variables))]
    }
    // The same under the same is the same, however often it is used.
    const use = `${variable.value.start} ${here.list?.expression.start} ${[...here.bound].map(([name, { value }]) => `${name} ${value.start}`).join()}`
    if (seen.has(use)) return []
    seen.add(use)
    return look(variable.value, here, variable.before)
  }
  const places: Place[] = []
  let variables: Variables = new Map()
  for (const { target, value } of statements) {
    places.push(...look(value, { bound: new Map(), list: undefined }, variables))
    if (target) variables = new Map(variables).set(target.name, { value, before: variables })
  }
  return places
}

/** As a run binds: what stands nearest wins, unless something further out stands over it; of two on one word the first is nearer. */
const boundAt = (around: Bound, expression: Expression): Bound =>
  bindsOf(expression).reduceRight<Bound>((bound, { args: { items } }) => {
    const [key, value, over] = items
    const name = nameOf(key)
    if (!value || bound.get(name)?.isOver) return bound
    return new Map(bound).set(name, { value, isOver: over?.name === 'true' })
  }, around)

/** The facts that are named to the nodes of a chain; of an item whoever loops knows. */
export const namedIn = (tree: Tree, parameters: Parameters): string[] =>
  placesIn(tree).flatMap(({ expression, bound }) =>
    Object.entries(parameters.get(idOf(expression) ?? '') ?? {}).flatMap(([name, kind]) => {
      const fact = factNamed(kind) && nameOf(bound.get(name)?.value)
      return fact && !fact.startsWith(ITEM) ? [fact] : []
    }),
  )
