import { storable } from '#kit/model/storable.ts'
import type { App } from '#kit/server/app.ts'
import { ask } from '#kit/server/change/question.ts'
import {
  type About,
  type Decided,
  type DeclaredRules,
  declaredRules,
  nodeOf,
  type RuleEvent,
} from './declared.server.ts'
import { MOST_WISHES, type Wish, wishesOf } from './deed.server.ts'
import { type ChainInForce, rulesInForce } from './in-force.server.ts'
import { parse } from './parser.model.ts'
import { LIMITS, runChain } from './run.server.ts'
import type { Library, RuleNode } from './scope.server.ts'

export type Ruled = Decided<unknown> & {
  readonly chain: ChainInForce | undefined
  /** What kept the chain in force from deciding. */
  readonly fault: string | undefined
  readonly ms: number
  readonly wishes: readonly Wish[]
}

/** No chain is called so: it stands beside what is published. */
const SHIPPED = '(shipped)'
const MAX_FAULT = 500

/** What the chain in force decides about these facts; where it fails or takes too long, the one that was shipped does. */
export async function decide(app: App, event: RuleEvent, { facts, version }: About): Promise<Ruled> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const { chain, library } = await ask(app, rulesInForce, { event: event.name })
  const { nodes } = declaredRules(app)
  const found = chain && (await runIn(library, chain.chainId, event, facts, nodes))
  if (found && 'outcome' in found)
    return { ...found, version, edition: chain?.edition ?? 0, chain, fault: undefined, ms: took() }
  const builtIn = new Map<string, RuleNode>([...nodes].map(([name, node]) => [name, nodeOf(node)]))
  const own: Library = { nodes: builtIn, chains: new Map([[SHIPPED, parse(event.shipped).tree]]) }
  const shipped = await runIn(own, SHIPPED, event, facts, nodes)
  // A mistake of ours: the record goes on waiting, and whoever sees to calls that do not succeed is told.
  if ('fault' in shipped) throw new Error(`the chain shipped for ${event.name} failed: ${shipped.fault}`)
  return { ...shipped, version, edition: 0, chain, fault: found?.fault, ms: took() }
}

type Found = Pick<Ruled, 'outcome' | 'wishes'> | { readonly fault: string }

async function runIn(
  library: Library,
  chainId: string,
  event: RuleEvent,
  given: About['facts'],
  nodes: DeclaredRules['nodes'],
): Promise<Found> {
  const { isDone, error, facts, steps } = await runChain(library, chainId, {
    facts: given,
    limits: { ...LIMITS, ms: event.ms },
  })
  if (!isDone) return { fault: storable(`${error?.code ?? ''}: ${error?.message ?? ''}`, MAX_FAULT) }
  // What was known of the record is no decision, whatever it is called.
  const answered = [...facts].filter(([name]) => !Object.hasOwn(event.facts, name))
  const outcome = event.outcome.safeParse(Object.fromEntries(answered))
  if (!outcome.success) return { fault: storable(`outcome: ${outcome.error.message}`, MAX_FAULT) }
  const wishes = wishesOf(steps, nodes)
  if (wishes.length > MOST_WISHES) return { fault: `limit: ${MOST_WISHES} deeds` }
  return { outcome: outcome.data, wishes }
}
