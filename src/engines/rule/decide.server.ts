import { storable } from '#kit/model/storable.ts'
import type { App } from '#kit/server/app.ts'
import { ask } from '#kit/server/change/question.ts'
import { type About, type Decided, declaredRules, nodeOf, type RuleEvent } from './declared.server.ts'
import { type ChainInForce, rulesInForce } from './in-force.server.ts'
import { parse } from './parser.model.ts'
import { LIMITS, runChain } from './run.server.ts'
import type { Library, RuleNode } from './scope.server.ts'

export type Ruled = Decided<unknown> & {
  readonly chain: ChainInForce | undefined
  /** What kept the chain in force from deciding. */
  readonly fault: string | undefined
  readonly ms: number
}

/** No chain is called so: it stands beside what is published. */
const SHIPPED = '(shipped)'
const MAX_FAULT = 500

/** What the chain in force decides about these facts; where it fails or takes too long, the one that was shipped does. */
export async function decide(app: App, event: RuleEvent, { facts, version }: About): Promise<Ruled> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const { chain, library } = await ask(app, rulesInForce, { event: event.name })
  const found = chain && (await runIn(library, chain.chainId, event, facts))
  if (found && 'outcome' in found)
    return { outcome: found.outcome, version, edition: chain?.edition ?? 0, chain, fault: undefined, ms: took() }
  const { nodes } = declaredRules(app)
  const builtIn = new Map<string, RuleNode>([...nodes].map(([name, node]) => [name, nodeOf(node)]))
  const own: Library = { nodes: builtIn, chains: new Map([[SHIPPED, parse(event.shipped).tree]]) }
  const shipped = await runIn(own, SHIPPED, event, facts)
  // A mistake of ours: the record goes on waiting, and whoever sees to calls that do not succeed is told.
  if ('fault' in shipped) throw new Error(`the chain shipped for ${event.name} failed: ${shipped.fault}`)
  return { outcome: shipped.outcome, version, edition: 0, chain, fault: found?.fault, ms: took() }
}

type Found = { readonly outcome: unknown } | { readonly fault: string }

async function runIn(library: Library, chainId: string, event: RuleEvent, given: About['facts']): Promise<Found> {
  const { isDone, error, facts } = await runChain(library, chainId, {
    facts: given,
    limits: { ...LIMITS, ms: event.ms },
  })
  if (!isDone) return { fault: storable(`${error?.code ?? ''}: ${error?.message ?? ''}`, MAX_FAULT) }
  // What was known of the record is no decision, whatever it is called.
  const answered = [...facts].filter(([name]) => !Object.hasOwn(event.facts, name))
  const outcome = event.outcome.safeParse(Object.fromEntries(answered))
  return outcome.success
    ? { outcome: outcome.data }
    : { fault: storable(`outcome: ${outcome.error.message}`, MAX_FAULT) }
}
