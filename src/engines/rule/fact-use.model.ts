import type { FactUse, Parameters } from './fact.model.ts'
import { namedIn } from './place.model.ts'
import { askedIn, reachOf } from './reach.model.ts'
import type { ScriptType } from './script.model.ts'
import { factsAnswered, factsRead } from './script-facts.model.ts'
import type { Tree } from './tree.model.ts'

/** What a script needs to know, and what it adds; one that is asked adds nothing. */
export const scriptUse = (type: ScriptType, source: string): FactUse => ({
  reads: needed(source),
  answers: type === 'script' ? factsAnswered(source) : [],
})

/** What it reads only where it is there, it does not need. */
function needed(source: string): string[] {
  const reads = factsRead(source)
  const spared = new Set(reads.filter(({ isOptional }) => isOptional).map(({ name }) => name))
  return [...new Set(reads.map(({ name }) => name))].filter(name => !spared.has(name))
}

/** What chains need and add, with all that they ask on their way. */
export function usesOfChains(
  chains: ReadonlyMap<string, Tree>,
  nodes: ReadonlyMap<string, FactUse>,
  parameters: Parameters,
): Map<string, FactUse> {
  const asking = new Map([...chains].map(([id, tree]) => [id, askedIn(tree)]))
  const named = new Map([...chains].map(([id, tree]) => [id, namedIn(tree, parameters)]))
  return new Map(
    [...chains.keys()].map(id => {
      const way = [...reachOf([id], asking)]
      const uses = way.flatMap(name => nodes.get(name) ?? [])
      const reads = [...uses.flatMap(use => use.reads), ...way.flatMap(name => named.get(name) ?? [])]
      const isOpen = uses.some(({ answers }) => answers === null)
      const answers = [...new Set(uses.flatMap(use => use.answers ?? []))]
      return [id, { reads: [...new Set(reads)], answers: isOpen ? null : answers }]
    }),
  )
}
