import { declaredRules } from '#engines/rule/declared.server.ts'
import { chainInForce, rulesInForce } from '#engines/rule/in-force.server.ts'
import { sandboxOfEvents } from '#engines/rule/sandbox.server.ts'
import { chainFailed } from '#engines/rule/server.ts'
import { onField, type Refusal, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { libraryOf } from './known.server.ts'
import type { RuleChain } from './model.ts'

const servingNow = (db: Queries, event: string) =>
  db
    .selectFrom('rule_chain')
    .select(['id as recordId', 'chain_id as chainId', 'edition'])
    .where('event', '=', event)
    .where('edition', '>', 0)
    .where('enabled', '=', true)
    .executeTakeFirst()

const answers = [
  answer(chainInForce, (_app, { db, event }) => servingNow(db, event)),
  answer(rulesInForce, (app, { event }) => libraryOf(app, sandboxOfEvents(), event)),
]

const listeners = [
  // The first fault since somebody looked is told; whoever works at a draft goes on with the version he saw.
  listen(chainFailed, async ({ tx, now }, { chain, fault }) => {
    await tx
      .updateTable('rule_chain')
      .set({ failed_at: now, failure: fault })
      .where('id', '=', chain.recordId)
      .where('failed_at', 'is', null)
      .execute()
  }),
]

/** What events ask of chains, and tell of them. */
export const serving = { answers, listeners }

/** A chain is made for an event there is. */
export function requireEvent(app: App, event: string | null): void {
  if (event !== null && !declaredRules(app).events.has(event)) throw onField('event', refuse('event-unknown'))
}

/** Whoever deletes the chain of an event changes what happens then: it is switched off first, which two people do. */
export const whyServing = ({ event, enabled, edition }: RuleChain): Refusal | undefined =>
  event !== null && enabled && edition > 0 ? refuse('event-serving') : undefined

/** An event runs through one published chain; what is only drafted for it takes it from nobody. */
export async function whyTaken(db: Queries, { id, event }: RuleChain): Promise<Refusal | undefined> {
  if (event === null) return undefined
  const other = await db
    .selectFrom('rule_chain')
    .select('id')
    .where('event', '=', event)
    .where('edition', '>', 0)
    .where('id', '<>', id)
    .executeTakeFirst()
  return other && refuse('event-taken')
}
