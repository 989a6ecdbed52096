import { ITEM, type KnownFacts, type PlainKind } from '#engines/rule/fact.model.ts'
import type { KnownToJudge } from '#engines/rule/judge.model.ts'
import type { KnownNames } from './model.ts'

/** Whether a node or chain is nothing for this event; one for no event is there for any. */
const isWithheld = ({ events }: KnownNames, event: string | null | undefined) => {
  const letsDo = events.find(({ name }) => name === event)?.letsDo ?? true
  return ({ does }: { does: boolean }): boolean => does && !letsDo
}

/** The names that may be chosen for a chain of this event. */
export function offeredFor(names: KnownNames, event: string | null | undefined): Offered {
  const isOut = isWithheld(names, event)
  const [nodes, chains] = [names.nodes.filter(one => !isOut(one)), names.chains.filter(one => !isOut(one))]
  const own = names.events.filter(({ name }) => name === event)
  return { ...names, nodes, chains, facts: factsOf(own.length > 0 ? own : names.events, nodes) }
}
export type Offered = KnownNames & { readonly facts: readonly OfferedFact[] }

/** A fact that may be named to a node. One that a node or script adds may be of any kind. */
export type OfferedFact = {
  readonly name: string
  readonly title: string
  readonly kind: PlainKind | 'list' | 'any'
}

function factsOf(events: KnownNames['events'], nodes: KnownNames['nodes']): OfferedFact[] {
  const told = events.flatMap(({ facts }) => facts.flatMap(fact => [fact, ...itemsOf(fact)]))
  const added = nodes.flatMap(({ name, answers }) =>
    (answers ?? []).map(fact => ({ name: fact, title: name, kind: 'any' as const })),
  )
  const byName = new Map([...added, ...told].map(fact => [fact.name, fact]))
  return [...told, ...added].filter(fact => byName.get(fact.name) === fact)
}

const itemsOf = ({ title, fields }: KnownNames['events'][number]['facts'][number]) =>
  fields.map(field => ({ ...field, name: ITEM + field.name, title: `${title}: ${field.title}` }))

/** As the judge of a chain for this event asks for them. */
export const knowing = (names: KnownNames, event: string | null | undefined): KnownToJudge => ({
  ...knownOf(names),
  facts: handedIn(names, event),
  withheld: new Set([...names.nodes, ...names.chains].filter(isWithheld(names, event)).map(({ id: out }) => out)),
})

/** What the event hands in, and what everybody asks for and adds. */
function handedIn({ events, nodes, chains }: KnownNames, event: string | null | undefined): KnownFacts | undefined {
  const own = events.find(({ name }) => name === event)
  return (
    own && {
      told: Object.fromEntries(
        own.facts.map(({ name, kind, fields }) => [
          name,
          kind === 'list' ? Object.fromEntries(fields.map(field => [field.name, field.kind])) : kind,
        ]),
      ),
      // A node wins over a chain of the same id.
      uses: new Map([...chains, ...nodes].map(({ id, reads, answers }) => [id, { reads, answers }])),
    }
  )
}

const knownOf = ({ nodes, chains }: KnownNames): KnownToJudge => ({
  nodes: new Map(nodes.map(({ id: nodeId, type }) => [nodeId, type])),
  chains: new Set(chains.map(({ id: chainId }) => chainId)),
  parameters: new Map(
    nodes.flatMap(({ id: nodeId, parameters }) =>
      parameters ? [[nodeId, Object.fromEntries(parameters.map(({ name, kind }) => [name, kind]))] as const] : [],
    ),
  ),
  offers: new Map(
    nodes.map(({ id: nodeId, parameters }) => [
      nodeId,
      Object.fromEntries((parameters ?? []).flatMap(({ name, values }) => (values ? [[name, values]] : []))),
    ]),
  ),
})
