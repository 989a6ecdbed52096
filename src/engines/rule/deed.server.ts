import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { storable } from '#kit/model/storable.ts'
import type { Change } from '#kit/server/app.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { type BuiltInNode, type DeclaredRules, declaredRules, type RuleEvent, requireEvent } from './declared.server.ts'
import type { DeedWord } from './deed.model.ts'
import type { Asked, Step } from './scope.server.ts'

/** That something be done besides what the chain decided. */
export type Wish = { readonly node: string; readonly bound: Asked['bound'] }

/** More than anybody means; what became of each has to fit into the list of runs. */
export const MOST_WISHES = 8
const MAX_TOLD = 20

/** The deeds a run asked for, each once, in the order of the chain. */
export function wishesOf(steps: readonly Step[], nodes: DeclaredRules['nodes']): Wish[] {
  const wishes = new Map<string, Wish>()
  for (const { nodeId, input, error } of steps) {
    const node = nodes.get(nodeId)
    if (!node?.deed || error) continue
    const wish = { node: nodeId, bound: boundTo(node, input.bound as Asked['bound']) }
    wishes.set(keyOf(wish), wish)
  }
  return [...wishes.values()]
}

/** What is bound around a node may be for others: only what it takes tells one wish from another. */
const boundTo = ({ parameters }: BuiltInNode, bound: Asked['bound']): Asked['bound'] =>
  Object.fromEntries(Object.keys(parameters).map(name => [name, bound[name] as string]))

const keyOf = ({ node, bound }: Wish): string =>
  createHash('sha256')
    .update(JSON.stringify([node, bound]))
    .digest('hex')

type Ruled = { readonly outcome: unknown; readonly wishes: readonly Wish[] }

/** What a run decided, as it is kept: with what is to be done, where there is something. */
export const withWishes = (event: RuleEvent, { outcome, wishes }: Ruled): unknown =>
  wishes.length === 0
    ? outcome
    : {
        ...(outcome as object),
        deeds: wishes.map(({ node, bound }) => ({
          node,
          of: storable(String(Object.values(bound)[0] ?? ''), MAX_TOLD),
          result: (event.concerns ? 'WAITING' : 'NOT_HERE') satisfies DeedWord,
        })),
      }

const KIND = 'rule-deed'
type Run = { readonly recordId: string; readonly no: string; readonly runId: string }
type Payload = Run & Wish & { readonly event: string; readonly place: number }

/** Each in a transaction of its own: what cannot be done undoes neither the decision nor another deed, and holds no lock of theirs. */
export async function fulfil(
  change: Change,
  event: RuleEvent,
  { wishes, ...run }: Run & Pick<Ruled, 'wishes'>,
): Promise<void> {
  if (!event.concerns) return
  for (const [place, wish] of wishes.entries()) {
    const payload: Payload = { ...run, ...wish, event: event.name, place }
    await deliver(change, { kind: KIND, key: `${run.runId}:${place}`, payload })
  }
}

export const deed = defineDelivery<Payload, void>({
  kind: KIND,
  call: async () => undefined,
  async settle(change, payload) {
    const result = await doneOnce(change, payload)
    await sql`
      update rule_run set outcome = jsonb_set(outcome::jsonb, ${['deeds', String(payload.place), 'result']}::text[], ${JSON.stringify(result)}::jsonb)::text
      where id = ${payload.runId}`.execute(change.tx)
  },
})

async function doneOnce(
  change: Change,
  { event: name, recordId, no, node: nodeId, bound }: Payload,
): Promise<DeedWord> {
  const { tx, now, app } = change
  const event = requireEvent(app, name)
  const node = declaredRules(app).nodes.get(nodeId)
  const concerned = await event.concerns?.(tx, recordId)
  if (!concerned || !node?.deed) return 'GONE'
  const digest = keyOf({ node: nodeId, bound })
  const marked = await sql`
    insert into rule_deed (event, record_id, node, bound, created_at) values (${name}, ${recordId}, ${nodeId}, ${digest}, ${now})
    on conflict do nothing returning 1`.execute(tx)
  if (marked.rows.length === 0) return 'ALREADY'
  const key = `rule:${name}:${recordId}:${digest.slice(0, 16)}`
  const result = await node.deed.act(change, { ...concerned, no, key }, bound as never)
  // What could not be done may be done by a later run.
  if (result !== 'DONE')
    await tx
      .deleteFrom('rule_deed')
      .where('event', '=', name)
      .where('record_id', '=', recordId)
      .where('node', '=', nodeId)
      .where('bound', '=', digest)
      .execute()
  return result
}

/** Longer than runs are kept: a record that runs through its chain again after all that time is another case. */
const KEPT_DAYS = 730

/** Forgets the oldest of what was done; says how many. */
export async function forgetDeeds({ tx, now }: Pick<Change, 'tx' | 'now'>, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rule_deed where ctid = any(array(
      select ctid from rule_deed where created_at < ${now}::timestamptz - ${`${KEPT_DAYS} days`}::interval
      order by created_at limit ${most}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
