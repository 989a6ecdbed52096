import { sql } from 'kysely'
import { dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { answer } from '#kit/server/change/question.ts'
import { workingHoursOf } from '#kit/server/change/waiting.ts'
import { push } from '#kit/server/live/push.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { LEADER } from './leading.server.ts'
import { readHours } from './people.server.ts'
import { inForce, lockAllocation, runRound } from './round.server.ts'
import type { RuleSet } from './rule.model.ts'

const KIND = 'lead-allocation'

/** Leads nobody has wait to be given by the rules in force; where none are, they are in the pool and nothing else. */
export async function awaitAllocation(change: Change, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0 || !(await inForce(change.tx))) return
  const { rows } = await sql<{ id: string }>`
    insert into allocation_case (lead_id, source, channel, product_id, came_at)
    select id, source, channel, product_id, ${change.now} from lead where id = any(${leadIds}::bigint[]) and owner_id is null and ended_at is null
    order by id on conflict do nothing returning id`.execute(change.tx)
  const [first] = rows
  if (first) await deliver(change, { kind: KIND, key: first.id, payload: {} })
}

/** In a transaction of its own, once they are stored: nobody who brings leads waits for others who do. */
const allocation = defineDelivery<object, undefined>({
  kind: KIND,
  call: async () => undefined,
  settle: async change => {
    await runRound(change)
  },
})
export const deliveries = [allocation]
export const answers = [answer(workingHoursOf, (app, { staffIds }) => readHours(app.db.query, staffIds))]

/** Puts rules in force, from the next lead on; gives their number. */
export async function putInForce(change: Change, set: RuleSet, note: string): Promise<string> {
  await lockAllocation(change)
  const { rows } = await sql<{ id: string }>`
    insert into allocation_edition (rules, note, by_id, created_at)
    values (${JSON.stringify(set)}, ${note}, ${change.call.actor?.id ?? null}, ${change.now}) returning id`.execute(
    change.tx,
  )
  return String(rows[0]?.id)
}

export type Terms = {
  readonly weight: number
  readonly dailyCap: number | null
  readonly openCap: number | null
  readonly workDays: readonly string[]
  readonly workFrom: number
  readonly workTo: number
}

/** Somebody leads may be given to from now on. */
export async function addConsultant(
  { tx, now }: Change,
  { id, orgId }: { readonly id: string; readonly orgId: string },
  { weight, dailyCap, openCap, workDays, workFrom, workTo }: Terms,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into consultant (staff_id, owner_id, org_id, weight, daily_cap, open_cap, work_days, work_from, work_to, created_at)
    values (${id}, ${id}, ${orgId}, ${weight}, ${dailyCap}, ${openCap}, ${workDays}, ${workFrom}, ${workTo}, ${now}) returning id`.execute(
    tx,
  )
  return String(rows[0]?.id)
}

/** What somebody is to sell in the month that comes so many after this one. */
export async function keepTarget(
  { tx, now, call }: Change,
  consultantId: string,
  monthsOn: number,
  fen: number,
): Promise<void> {
  await sql`
    insert into consultant_target as t (consultant_id, month, target_fen, staff_id, created_at)
    values (${consultantId}, (date_trunc('month', ${dayOf(now)}::date) + make_interval(months => ${monthsOn}))::date, ${fen},
      ${call.actor?.id ?? null}, ${now})
    on conflict (consultant_id, month) do update set target_fen = excluded.target_fen, staff_id = excluded.staff_id,
      created_at = excluded.created_at`.execute(tx)
}

type Late = { readonly rule: string; readonly count: number; readonly managerId: string; readonly orgId: string }

/**
 * Whoever leads the group is told of what nobody could be given in time, or because all had enough; once of each. What no rule
 * takes is told to everybody who leads one of the groups.
 */
async function warn(change: Change): Promise<void> {
  const { app, tx, now } = change
  const edition = await inForce(tx)
  if (!edition) return
  const { rows } = await sql<Late>`
    with late as (
      update allocation_case c set warned_at = ${now}
      where c.status = 'WAITING' and c.warned_at is null and c.first_round is not null
        and (c.is_full or c.came_at <= ${now}::timestamptz - make_interval(mins => ${edition.set.warnMinutes}))
      returning c.id
    ), named as (
      select distinct on (l.id) l.id, d.rule_key, d.rule_name from late l join allocation_decision d on d.case_id = l.id order by l.id, d.id desc
    ), led as (
      select distinct r->>'key' as key, ${LEADER} as manager_id
      from jsonb_array_elements(${JSON.stringify(edition.set.rules)}::jsonb) r, jsonb_array_elements(r->'lines') n
      join staff s on s.id = (n->>'staffId')::bigint join org o on o.id = s.org_id
    )
    select coalesce(n.rule_name, '') as rule, count(*)::int as count, m.id as "managerId", m.org_id as "orgId"
    from named n
    join lateral (select distinct manager_id from led where n.rule_key is null or led.key = n.rule_key) led on true
    join staff m on m.id = led.manager_id
    group by 1, 3, 4 order by 1, 3`.execute(tx)
  for (const { rule, count, managerId, orgId } of rows)
    await push(app, tx, {
      type: 10,
      key: `allocation:${managerId}:${now.getTime()}`,
      content: { rule, count },
      ownerId: managerId,
      orgId,
    })
}

const KEPT_DAYS = 90

const allocate = defineJob({
  name: 'allocate-leads',
  cron: '0 * * * * *',
  misfire: 'SKIP',
  async work(change, { signal }) {
    // A round is stopped before it or not at all: each of its decisions rests on those before.
    if (signal.aborted) return 0
    const given = await runRound(change)
    if (!signal.aborted) await warn(change)
    return given
  },
})
const forget = defineJob({
  name: 'forget-allocation',
  cron: '0 25 3 * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }) {
    const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
    const cases = await sql`
      delete from allocation_case where last_round in (select id from allocation_round where at < ${before})`.execute(
      tx,
    )
    await sql`
      delete from allocation_round r where r.at < ${before}
        and not exists (select from allocation_case c where r.id in (c.first_round, c.last_round))`.execute(tx)
    await sql`delete from allocation_turn where used_at < ${before}`.execute(tx)
    return Number(cases.numAffectedRows ?? 0)
  },
})
export const jobs = [allocate, forget]

export const invariants: readonly Invariant[] = [
  {
    name: 'a lead that was given by the rules has the decision that says why',
    query: `
      select c.id from allocation_case c left join allocation_decision d on d.case_id = c.id and d.round_id = c.last_round and d.consultant_id is not null
      where (c.status = 'GIVEN') <> (d.id is not null)`,
  },
]
