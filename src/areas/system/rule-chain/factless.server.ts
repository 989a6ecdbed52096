import { OF_FACTS } from '#engines/rule/fact-check.model.ts'
import { judge } from '#engines/rule/judge.model.ts'
import { reachOf } from '#engines/rule/reach.model.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { knowing } from './knowing.model.ts'
import { askingOf, type Changed, knownNames } from './known.server.ts'

/** What chains of events ask on their way may not come to ask for facts that such an event does not hand in. */
export async function whyFactless({ app, tx }: Operation, changed: Changed): Promise<Refusal | undefined> {
  const serving = await tx
    .selectFrom('rule_chain')
    .select(['name', 'chain_id as id', 'event', 'source'])
    .where('edition', '>', 0)
    .where('event', 'is not', null)
    .where('chain_id', '<>', changed.id)
    .execute()
  const asking = await askingOf(app)
  const users = serving.filter(({ id }) => reachOf([id], asking).has(changed.id))
  if (users.length === 0) return undefined
  const [before, after] = [await knownNames(app, 'zh-CN'), await knownNames(app, 'zh-CN', changed)]
  for (const { name, event, source } of users) {
    const known = factFaults(source, knowing(before, event)).length
    const faults = factFaults(source, knowing(after, event))
    const [first] = faults
    // What was wrong before is not this change's.
    if (first && faults.length > known) return refuse('in-chain-factless', { name, fact: String(first.params?.name) })
  }
}

const factFaults = (source: string, known: ReturnType<typeof knowing>) =>
  judge(source, known).faults.filter(({ code }) => OF_FACTS.has(code))
