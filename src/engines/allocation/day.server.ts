import { sql } from 'kysely'
import { addDays, startOfDay } from '#kit/model/time.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Person, TakenTurn, Waiting } from './model.ts'
import type { Day, Round } from './replay.model.ts'
import { type RuleSet, ruleSet } from './rule.model.ts'
import type { Turn } from './turn.model.ts'

type ReadRound = { id: string; editionId: string; at: string; people: Person[] }
type ReadCase = {
  id: string
  source: string
  channel: string
  productId: string | null
  cameAt: string
  status: string
  firstRound: string
  lastRound: string | null
  staffId: string | null
  doneAt: string | null
}

/** A day as it went: what was known in each of its rounds, what came, and what became of it. */
export async function readDay(db: Queries, day: string, now: Date): Promise<Day> {
  const [from, to] = [startOfDay(day), startOfDay(addDays(day, 1))]
  const until = now < to ? now : to
  const { rows: rounds } = await sql<ReadRound>`
    select id, edition_id as "editionId", at, people from allocation_round where at >= ${from} and at < ${to} order by id`.execute(
    db,
  )
  const [first, last] = [rounds[0]?.id, rounds.at(-1)?.id]
  if (first === undefined || last === undefined)
    return { rounds: [], waiting: [], turns: new Map(), done: new Map(), until }
  const cases = await casesOf(db, first, last)
  const sets = await setsOf(db, [...new Set(rounds.map(({ editionId }) => editionId))])
  const waits = cases.filter(({ firstRound }) => BigInt(firstRound) < BigInt(first))
  const came = Map.groupBy(cases, ({ firstRound }) => firstRound)
  const left = Map.groupBy(cases, ({ lastRound }) => lastRound ?? '')
  return {
    waiting: waits.map(waiting),
    rounds: rounds.map(
      ({ id, editionId, at, people }): Round => ({
        at: new Date(at),
        set: sets.get(editionId) as RuleSet,
        people,
        came: (came.get(id) ?? []).map(waiting),
        given: (left.get(id) ?? []).flatMap(one =>
          one.staffId === null ? [] : [{ id: one.id, staffId: one.staffId }],
        ),
        gone: (left.get(id) ?? []).flatMap(one => (one.status === 'GONE' ? [one.id] : [])),
      }),
    ),
    turns: await firstTurns(db, first, last),
    done: new Map(cases.flatMap(({ id, doneAt }) => (doneAt === null ? [] : [[id, new Date(doneAt)] as const]))),
    until,
  }
}

const waiting = ({ id, source, channel, productId, cameAt }: ReadCase): Waiting => ({
  id,
  source,
  channel,
  productId,
  cameAt: new Date(cameAt),
})

/** What was tried in these rounds: what has come in them, and what had waited before. */
async function casesOf(db: Queries, first: string, last: string): Promise<ReadCase[]> {
  const { rows } = await sql<ReadCase>`
    select c.id, c.source, c.channel, c.product_id as "productId", c.came_at as "cameAt", c.status,
      c.first_round as "firstRound", c.last_round as "lastRound", n.staff_id as "staffId", case when n.staff_id is not null then (
        select least(o.until, o.contacted_at, o.added_at, o.tried_at, o.keen_at) from lead_owner o
        where o.lead_id = c.lead_id and o.owner_id = n.staff_id and o.got = 'ALLOCATED' order by o.id limit 1) end as "doneAt"
    from allocation_case c
    left join allocation_decision d on d.case_id = c.id and d.consultant_id is not null and d.round_id = c.last_round
    left join consultant n on n.id = d.consultant_id
    where c.first_round <= ${last} and (c.last_round is null or c.last_round >= ${first}) order by c.id`.execute(db)
  return rows
}

async function setsOf(db: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, RuleSet>> {
  const { rows } = await sql<{ id: string; rules: unknown }>`
    select id, rules from allocation_edition where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, rules }) => [id, ruleSet.parse(rules)]))
}

async function firstTurns(db: Queries, first: string, last: string): Promise<ReadonlyMap<string, Turn>> {
  const { rows } = await sql<{ turn: TakenTurn }>`
    select turn from allocation_decision where round_id between ${first} and ${last} and turn is not null order by id desc`.execute(
    db,
  )
  return new Map(rows.map(({ turn: { key, n, counts } }) => [key, { n, counts }]))
}
