import { declaredRules } from '#engines/rule/declared.server.ts'
import { parse } from '#engines/rule/parser.model.ts'
import { askedIn, reachOf } from '#engines/rule/reach.model.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { askingOf } from './known.server.ts'
import type { RuleChain } from './model.ts'

/** A chain others use may not come to have something done where one of them is for an event about money. */
export async function whyWithheld(
  { app, tx }: Operation,
  { chainId, source }: Pick<RuleChain, 'chainId' | 'source'>,
): Promise<Refusal | undefined> {
  const { nodes, events } = declaredRules(app)
  const asking = new Map([...(await askingOf(app)), [chainId, askedIn(parse(source).tree)]])
  if (![...reachOf([chainId], asking)].some(name => nodes.get(name)?.deed)) return undefined
  const serving = await tx
    .selectFrom('rule_chain')
    .select(['name', 'chain_id as id', 'event'])
    .where('edition', '>', 0)
    .where('event', 'is not', null)
    .execute()
  const user = serving.find(
    ({ id, event }) => id !== chainId && !events.get(event ?? '')?.concerns && reachOf([id], asking).has(chainId),
  )
  return user && refuse('in-chain-withheld', { name: user.name })
}
