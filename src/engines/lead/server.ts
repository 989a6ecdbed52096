import { sql } from 'kysely'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, listen } from '#kit/server/change/announce.ts'
import { forgets, personErased } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { ask } from '#kit/server/change/question.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { leadGivenUp } from './ending.server.ts'
import { forgetCopies } from './forgetting.server.ts'
import { forgetLeads, leadArrived, lockPhones, membersByPhone, openLeads } from './known.server.ts'
import { type Arrival, type Arrived, isTouch, touchesOf } from './model.ts'
import { happenedAt, type Touched, touchLeads, touchMembers, touchOpenLeads } from './touching.server.ts'

/** The one door for all sources. A number that is known makes no second lead, whoever brings it and whoever has it. */
export async function arrive(change: Change, arrivals: readonly Arrival[]): Promise<Arrived[]> {
  const { app, tx } = change
  const phones = [...new Set(arrivals.map(({ phone }) => phone))]
  await lockPhones(change, phones)
  const members = await ask(app, membersByPhone, { tx, phones })
  const open = await openLeads(tx, phones)
  const first = new Map(arrivals.toReversed().map(arrival => [arrival.phone, arrival]))
  const fresh = [...first.values()].filter(({ phone }) => !members.has(phone) && !open.has(phone))
  const made = await writeLeads(change, fresh)
  await touchLeads(
    change,
    fresh.map(arrival => touching(arrival, made)),
  )
  const known = arrivals.filter(isTouch)
  await touchOpenLeads(
    change,
    known.filter(({ phone }) => open.has(phone)).map(arrival => touching(arrival, open)),
  )
  await touchMembers(
    change,
    known.filter(({ phone }) => members.has(phone)).map(arrival => touching(arrival, members)),
  )
  if (made.size > 0) {
    const leads = fresh.map(({ phone, owner, cameBy }) => ({ id: made.get(phone) as string, owner, cameBy }))
    await announce(change, leadArrived, { leads })
  }
  return arrivals.map((arrival): Arrived => {
    const { phone } = arrival
    if (members.has(phone)) return { phone, result: 'MEMBER', leadId: null }
    const isNew = first.get(phone) === arrival && made.has(phone)
    return { phone, result: isNew ? 'NEW' : 'OPEN', leadId: (made.get(phone) ?? open.get(phone)) as string }
  })
}

const touching = (arrival: Arrival, ids: ReadonlyMap<string, string>): Touched => ({
  id: ids.get(arrival.phone) as string,
  touches: touchesOf(arrival),
})

/** Leads and their first owners, in one statement however many they are. */
async function writeLeads({ tx, now, call }: Change, fresh: readonly Arrival[]): Promise<ReadonlyMap<string, string>> {
  if (fresh.length === 0) return new Map()
  const given = fresh.map(({ owner, at, phone, name, source, channel, consent, cameBy }) => ({
    ...{ phone, name, source, channel, consent, cameBy, at: happenedAt(at, now) },
    ...{ ownerId: owner?.id, orgId: owner?.orgId },
  }))
  const { rows } = await sql<{ id: string; phone: string }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (phone text, name text, source text, channel text,
        consent text, "cameBy" text, at timestamptz, "ownerId" bigint, "orgId" bigint)
    ), made as (
      insert into lead (phone, name, source, channel, came_by, consent, status, owner_id, org_id, owner_since, pooled_at, last_touch_at, created_at)
      select phone, name, source, channel, "cameBy", consent, case when "ownerId" is null then 'UNASSIGNED' else 'ASSIGNED' end,
        "ownerId", "orgId", case when "ownerId" is not null then ${now}::timestamptz end,
        case when "ownerId" is null then ${now}::timestamptz end, at, ${now} from given
      returning id, phone, owner_id, org_id, source, channel
    ), held as (
      insert into lead_owner (lead_id, owner_id, org_id, since, got, by_id, source, channel)
      select id, owner_id, org_id, ${now}, 'ALLOCATED', ${call.actor?.id ?? null}, source, channel from made where owner_id is not null
    )
    select id, phone from made`.execute(tx)
  return new Map(rows.map(({ id, phone }) => [phone, id]))
}

const KEPT_DAYS = 180
const FORGOTTEN_AT_ONCE = 5_000

/** A number that led nowhere is of no more use. */
const forget = defineJob({
  name: 'forget-leads',
  cron: '0 20 3 * * *',
  misfire: 'RUN_ONCE',
  async work(change, { signal }) {
    const { rows } = await sql<{ id: string }>`
      select id from lead where status in ('INVALID', 'LOST') and phone is not null
        and ended_at < ${change.now}::timestamptz - ${`${KEPT_DAYS} days`}::interval
      order by ended_at limit ${FORGOTTEN_AT_ONCE} for update`.execute(change.tx)
    if (signal.aborted) return 0
    await forgetLeads(
      change,
      rows.map(({ id }) => id),
    )
    // Of use on its own day.
    await sql`delete from lead_taken_back where day < ${addDays(dayOf(change.now), -KEPT_DAYS)}`.execute(change.tx)
    return rows.length
  },
})
export const jobs = [forget, forgetCopies]

/** In the dictionary of reasons. */
const CLOSED = 'ACCOUNT_CLOSED'
const OF_PERSON = 't.member_id = $1 or (t.phone = any($2::text[]) and t.ended_at is not null)'

export const listeners = [
  forgets({
    table: 'lead',
    where: OF_PERSON,
    becomes: { phone: 'null', name: 'null', unionid: 'null' },
    known: ['name', 'unionid'],
  }),
  // Whoever has copied them hears of it as where they lead nowhere; nobody follows them any more.
  listen(personErased, async (change, { memberId, phones }) => {
    const followed = await sql<{ id: string }>`
      select id from lead where member_id = ${memberId} and ended_at is null order by id for update`.execute(change.tx)
    for (const { id } of followed.rows) await leadGivenUp(change, id, 'LOST', CLOSED)
    const { rows } = await sql<{ id: string }>`
      select id from lead where member_id = ${memberId} or (phone = any(${phones}::text[]) and ended_at is not null)`.execute(
      change.tx,
    )
    await forgetLeads(
      change,
      rows.map(({ id }) => id),
    )
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'the open span of a lead names its owner, and only what is open and owned has one',
    query: `
      select l.id, l.owner_id, o.owner_id as span from lead l left join lead_owner o on o.lead_id = l.id and o.until is null
      where o.owner_id is distinct from case when l.ended_at is null then l.owner_id end`,
  },
  {
    name: 'the spans of a lead follow one another',
    query: `
      select a.lead_id, a.id from lead_owner a join lead_owner b on b.lead_id = a.lead_id and b.id > a.id
      where a.until is null or a.until > b.since`,
  },
  {
    name: 'what was reached with a lead was reached in the hands it was in then, and counts where the lead came from',
    query: `
      select o.id from lead_owner o join lead l on l.id = o.lead_id
      where least(o.contacted_at, o.added_at, o.tried_at, o.keen_at) < o.since
        or greatest(o.contacted_at, o.added_at, o.tried_at, o.keen_at) > o.until
        or (o.source, o.channel) is distinct from (l.source, l.channel)`,
  },
  {
    name: 'a lead has come by something, and was last touched by the last of it',
    query: `
      select l.id from lead l left join (select lead_id, max(last_at) as at from lead_touch group by 1) t on t.lead_id = l.id
      where t.at is distinct from l.last_touch_at`,
  },
]
