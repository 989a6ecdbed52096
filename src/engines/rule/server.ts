import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { ask } from '#kit/server/change/question.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { builtIn } from './built-in.server.ts'
import { decide, type Ruled } from './decide.server.ts'
import { type RuleEvent, requireEvent, rules } from './declared.server.ts'
import { deed, forgetDeeds, fulfil, withWishes } from './deed.server.ts'
import { type ChainInForce, chainInForce } from './in-force.server.ts'
import type { KeptRun } from './kept-run.model.ts'

const KIND = 'rule-run'
type Payload = { readonly event: string; readonly recordId: string }

/**
 * An event happened to this record. Where people have put a chain in force, it decides once the change is stored, and this says so:
 * the record has to wait for it. Otherwise what the code itself does is all there is.
 */
export const throughChain = (change: Change, event: RuleEvent, recordId: string): Promise<boolean> =>
  allThroughChain(change, event, [recordId])

/** So many decisions are asked for at once; of more each is due a little later, and what else has to be called is called in between. */
const AT_ONCE = 100
const APART_MS = 20

/** The same event happened to many records at once; the chain decides about each. */
export async function allThroughChain(
  change: Change,
  { name }: RuleEvent,
  recordIds: readonly string[],
): Promise<boolean> {
  const chain = await ask(change.app, chainInForce, { db: change.tx, event: name })
  if (!chain) return false
  for (const [nth, recordId] of recordIds.entries())
    await deliver(change, {
      kind: KIND,
      key: `${name}:${recordId}`,
      payload: { event: name, recordId } satisfies Payload,
      dueAt: new Date(change.now.getTime() + Math.max(0, nth + 1 - AT_ONCE) * APART_MS),
    })
  return true
}

/** A chain could not decide, and the shipped one did: somebody has to look at it. */
export const chainFailed = defineAnnouncement<{ readonly chain: ChainInForce; readonly fault: string }>('chain-failed')

type Run = { readonly ruled: Ruled; readonly no: string }

const run = defineDelivery<Payload, Run | undefined>({
  kind: KIND,
  async call(app, { event: name, recordId }) {
    const event = requireEvent(app, name)
    const about = await event.read(app, recordId)
    return about && { ruled: await decide(app, event, about), no: about.no }
  },
  async settle(change, { event: name, recordId }, found) {
    if (!found) return
    const { ruled, no } = found
    const event = requireEvent(change.app, name)
    await event.settle(change, recordId, ruled)
    const { rows } = await sql<{ id: string }>`
      insert into rule_run (event, record_id, record_no, chain_record_id, edition, result, outcome, ms, fault, created_at)
      values (${name}, ${recordId}, ${no}, ${ruled.chain?.recordId ?? null}, ${ruled.edition},
        ${ruled.fault === undefined ? 'DECIDED' : 'FELL_BACK'}, ${JSON.stringify(withWishes(event, ruled))}, ${ruled.ms}, ${ruled.fault ?? null},
        ${change.now}) returning id`.execute(change.tx)
    const [{ id: runId } = { id: '' }] = rows
    await fulfil(change, event, { recordId, no, runId, wishes: ruled.wishes })
    if (ruled.chain && ruled.fault !== undefined)
      await announce(change, chainFailed, { chain: ruled.chain, fault: ruled.fault })
  },
})
export const deliveries = [run, deed]
export const listeners = [rules({ nodes: builtIn })]

const MOST_SHOWN = 20

/** What chains decided about a record, the newest first. */
export async function runsOf(app: Change['app'], { name }: RuleEvent, recordId: string): Promise<KeptRun[]> {
  const rows = await app.db.query
    .selectFrom('rule_run')
    .select(['id', 'edition', 'result', 'outcome', 'ms', 'fault', 'created_at as createdAt'])
    .where('event', '=', name)
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute()
  return rows.map(row => ({ ...row, createdAt: new Date(row.createdAt).toISOString() }))
}

const KEPT_DAYS = 180
const FORGOTTEN_AT_ONCE = 20_000

const forget = defineJob({
  name: 'forget-rule-runs',
  cron: '0 35 3 * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }, { signal }) {
    const { numAffectedRows } = await sql`
      delete from rule_run where id in (
        select id from rule_run where created_at < ${now}::timestamptz - ${`${KEPT_DAYS} days`}::interval
        order by created_at limit ${FORGOTTEN_AT_ONCE})`.execute(tx)
    const deeds = signal.aborted ? 0 : await forgetDeeds({ tx, now }, FORGOTTEN_AT_ONCE)
    return Number(numAffectedRows ?? 0) + deeds
  },
})
export const jobs = [forget]
