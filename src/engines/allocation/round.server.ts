import { sql } from 'kysely'
import { lockMembersOf } from '#engines/lead/known.server.ts'
import { giveLeads } from '#engines/lead/owning.server.ts'
import type { Change } from '#kit/server/app.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { AT_ONCE, type Decision, decideAll, isFull, type State, type Waiting, whyNot } from './model.ts'
import { countFigures, type Known, keepTold, readPeople } from './people.server.ts'
import { type RuleSet, ruleSet } from './rule.model.ts'
import type { Turn } from './turn.model.ts'

/** One round after the other, and no rules change in between: each counts what was given before. Taken before any row. */
export const lockAllocation = ({ tx }: Pick<Change, 'tx'>) =>
  sql`select pg_advisory_xact_lock(hashtextextended('lead-allocation', 0))`.execute(tx)

const ANY_DAY = [1, 2, 3, 4, 5, 6, 7]

/**
 * Whom nobody may give a lead, at whatever hour: who is paused, or has had enough by the own terms. It stays so until the end of the
 * transaction; taken before any row.
 */
export async function shutOut(change: Change): Promise<string[]> {
  await lockAllocation(change)
  await countFigures(change)
  const { all } = await readPeople(change)
  return all.filter(one => whyNot({ ...one, days: ANY_DAY, from: 0, to: 24 }, change.now, [])).map(({ id }) => id)
}

export type Edition = { readonly id: string; readonly set: RuleSet }

/** The rules in force, where somebody has put some. */
export async function inForce(db: Queries): Promise<Edition | undefined> {
  const { rows } = await sql<{ id: string; rules: unknown }>`
    select id, rules from allocation_edition order by id desc limit 1`.execute(db)
  return rows[0] && { id: rows[0].id, set: ruleSet.parse(rows[0].rules) }
}

type Case = Waiting & {
  readonly leadId: string
  readonly isNew: boolean
  readonly wasFull: boolean
  /** Of the decision about it that was kept last. */
  readonly ruleKey: string | null
}

/** Gives what waits to whom it is to be given, and keeps why; says how many were given. */
export async function runRound(change: Change): Promise<number> {
  await lockAllocation(change)
  await countFigures(change)
  const edition = await inForce(change.tx)
  if (!edition) return 0
  const { all, news } = await readPeople(change)
  const { open, gone } = await readWaiting(change)
  const tried = triedOf(open)
  const state: State = {
    people: new Map(all.map(({ consultantId: _, orgId: __, ...person }) => [person.id, person])),
    turns: await turnsOf(change),
    given: Math.max(0, ...all.map(({ last }) => last)),
  }
  const decided = decideAll(edition.set, tried, change.now, state)
  const told = toldOf(change.now, tried, decided, all)
  if (told.length === 0 && news.length === 0 && gone.length === 0) return 0
  const { rows } = await sql<{ id: string }>`
    insert into allocation_round (edition_id, at, people) values (${edition.id}, ${change.now}, ${JSON.stringify(news)}) returning id`.execute(
    change.tx,
  )
  const roundId = String(rows[0]?.id)
  await keepTold(change, news)
  await settleGone(change, gone, roundId)
  const given = tried.filter(({ id }) => decided.get(id)?.staffId != null)
  await keepDecisions(change, roundId, told)
  await keepTurns(change, state, decided)
  const owners = new Map(all.map(({ id, orgId }) => [id, { id, orgId }]))
  for (const [staffId, cases] of Map.groupBy(given, ({ id }) => decided.get(id)?.staffId ?? '')) {
    const owner = owners.get(staffId)
    const leadIds = cases.map(({ leadId }) => leadId)
    if (owner) await giveLeads(change, leadIds, owner, 'ALLOCATED')
  }
  if (given.length > 0) await countFigures(change)
  return given.length
}

/** What waits, oldest first, locked with the members it may be tied to; and what is somebody's already, ended or was taken back. */
async function readWaiting({ app, tx }: Change): Promise<{ open: Case[]; gone: string[] }> {
  const members = await sql<{ id: string }>`
    select distinct l.member_id as id from allocation_case c join lead l on l.id = c.lead_id
    where c.status = 'WAITING' and l.member_id is not null and l.owner_id is null and l.ended_at is null`.execute(tx)
  const memberIds = members.rows.map(({ id }) => id)
  if (memberIds.length > 0) await ask(app, lockMembersOf, { tx, memberIds })
  await sql`
    select l.id from lead l where l.id in (select lead_id from allocation_case where status = 'WAITING') and l.owner_id is null
      and l.ended_at is null order by l.id for update`.execute(tx)
  const { rows } = await sql<Case & { cameMs: string; isOpen: boolean }>`
    select c.id, c.lead_id as "leadId", c.source, c.channel, c.product_id as "productId", extract(epoch from c.came_at) * 1000 as "cameMs",
      c.first_round is null as "isNew", c.is_full as "wasFull",
      (select d.rule_key from allocation_decision d where d.case_id = c.id order by d.id desc limit 1) as "ruleKey",
      l.id is not null and l.owner_id is null and l.ended_at is null as "isOpen"
    from allocation_case c left join lead l on l.id = c.lead_id where c.status = 'WAITING' order by c.id`.execute(tx)
  return {
    open: rows
      .filter(({ isOpen }) => isOpen)
      .map(({ cameMs, isOpen: _, ...row }) => ({ ...row, cameAt: new Date(Number(cameMs)) })),
    gone: rows.filter(({ isOpen }) => !isOpen).map(({ id }) => id),
  }
}

async function turnsOf({ tx }: Change): Promise<Map<string, Turn>> {
  const { rows } = await sql<Turn & { key: string }>`select key, n, counts from allocation_turn`.execute(tx)
  return new Map(rows.map(({ key, n, counts }) => [key, { n, counts }]))
}

const settleGone = ({ tx }: Change, ids: readonly string[], roundId: string) =>
  sql`
    update allocation_case set status = 'GONE', first_round = coalesce(first_round, ${roundId}), last_round = ${roundId}
    where id = any(${ids}::bigint[])`.execute(tx)

/** Everything that waited before, so that nothing starves behind what nobody may have, and the first of what has come since. */
const triedOf = (open: readonly Case[]): readonly Case[] => [
  ...open.filter(({ isNew }) => !isNew),
  ...open.filter(({ isNew }) => isNew).slice(0, AT_ONCE),
]

/** The first decision about each lead, the one that gives it, and in between where it waits by another rule or for a place. */
function toldOf(
  now: Date,
  tried: readonly Case[],
  decided: ReadonlyMap<string, Decision>,
  people: readonly Known[],
): readonly object[] {
  const consultants = new Map(people.map(({ id, consultantId }) => [id, consultantId]))
  let retold = 0
  return tried.flatMap(({ id, leadId, isNew, wasFull, ruleKey, source, channel, productId, cameAt }) => {
    const decision = decided.get(id)
    if (!decision) return []
    const { rule, staffId, isFallback, passed, turn } = decision
    const isKnown = !isNew && wasFull === isFull(decision) && ruleKey === (rule?.key ?? null)
    if (staffId === null && isKnown) return []
    // Of what waits anew for another reason, the rest is told in the next rounds.
    if (staffId === null && !isNew) {
      retold += 1
      if (retold > AT_ONCE) return []
    }
    const waited = Math.max(0, Math.floor((now.getTime() - cameAt.getTime()) / 60_000))
    const consultantId = staffId === null ? null : consultants.get(staffId)
    const said = { ruleKey: rule?.key ?? null, ruleName: rule?.name ?? null, isFallback, passed, turn }
    return [
      {
        caseId: id,
        leadId,
        consultantId,
        staffId,
        ...said,
        source,
        channel,
        productId,
        waited,
        isFull: isFull(decision),
      },
    ]
  })
}

async function keepDecisions({ tx, now }: Change, roundId: string, told: readonly object[]): Promise<void> {
  await sql`
    with told as (
      select * from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as t ("caseId" bigint, "leadId" bigint, "consultantId" bigint, "staffId" bigint, "ruleKey" text,
        "ruleName" text, "isFallback" boolean, passed jsonb, turn jsonb, source text, channel text, "productId" bigint,
        waited int, "isFull" boolean)
    ), kept as (
      insert into allocation_decision (round_id, case_id, lead_id, consultant_id, staff_id, rule_key, rule_name, is_fallback, passed, turn, source, channel,
        product_id, waited, created_at)
      select ${roundId}::bigint, "caseId", "leadId", "consultantId", "staffId", "ruleKey", "ruleName", "isFallback", passed, nullif(turn, 'null'), source, channel,
        "productId", waited, ${now}::timestamptz from told order by "caseId"
    )
    update allocation_case c set status = case when t."consultantId" is null then 'WAITING' else 'GIVEN' end, is_full = t."isFull",
      first_round = coalesce(c.first_round, ${roundId}), last_round = case when t."consultantId" is not null then ${roundId}::bigint end
    from told t where c.id = t."caseId"`.execute(tx)
}

async function keepTurns({ tx, now }: Change, state: State, decided: ReadonlyMap<string, Decision>): Promise<void> {
  const keys = new Set([...decided.values()].flatMap(({ turn }) => turn?.key ?? []))
  const turns = [...keys].map(key => ({ key, ...state.turns.get(key) }))
  await sql`
    insert into allocation_turn (key, n, counts, used_at)
    select key, n, counts, ${now} from jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) as t (key text, n int, counts jsonb)
    on conflict (key) do update set n = excluded.n, counts = excluded.counts, used_at = excluded.used_at`.execute(tx)
  const given = [...new Set([...decided.values()].flatMap(({ staffId }) => staffId ?? []))]
  const last = given.map(id => ({ id, last: state.people.get(id)?.last }))
  await sql`
    update consultant c set last_no = l.last from jsonb_to_recordset(${JSON.stringify(last)}::jsonb) as l (id bigint, last bigint)
    where c.staff_id = l.id`.execute(tx)
}
