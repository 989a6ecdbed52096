import { type Expression, idOf, inside, type Tree } from './tree.model.ts'

/** The nodes and chains a chain asks by name; its own variables are none, nor is what stands in a remark or a tag. */
export function askedIn({ statements }: Tree): ReadonlySet<string> {
  const asked = new Set<string>()
  const variables = new Set<string>()
  const look = (expression: Expression): void => {
    const id = idOf(expression)
    if (id !== undefined && !(expression.kind === 'name' && variables.has(id))) asked.add(id)
    for (const each of inside(expression)) look(each)
  }
  for (const { target, value } of statements) {
    look(value)
    if (target) variables.add(target.name)
  }
  return asked
}

/** What each chain asks, by its id. */
export type Asking = ReadonlyMap<string, ReadonlySet<string>>

/** All that is asked on the way from these names, themselves included. */
export function reachOf(names: Iterable<string>, asking: Asking): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    waiting.push(...(asking.get(name) ?? []))
  }
  return reached
}

/** The way on which a chain comes back to itself, or nothing: such a chain would never end. */
export function circleOf(chainId: string, asking: Asking): readonly string[] | undefined {
  const seen = new Set<string>()
  const search = (at: string, way: readonly string[]): readonly string[] | undefined => {
    for (const next of asking.get(at) ?? []) {
      if (next === chainId) return [...way, next]
      if (seen.has(next)) continue
      seen.add(next)
      const found = search(next, [...way, next])
      if (found) return found
    }
  }
  return search(chainId, [chainId])
}
