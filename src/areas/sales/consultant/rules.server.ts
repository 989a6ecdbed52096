import { sql } from 'kysely'
import * as z from 'zod'
import { readDay } from '#engines/allocation/day.server.ts'
import { type Day, type Full, NEVER_FULL, type Replayed, replay } from '#engines/allocation/replay.model.ts'
import { inForce, lockAllocation, runRound } from '#engines/allocation/round.server.ts'
import type { RuleSet } from '#engines/allocation/rule.model.ts'
import { putInForce } from '#engines/allocation/server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { resource } from './model.ts'
import { reachesAll } from './reach.server.ts'
import {
  type AllocationView,
  allocationView,
  type Left,
  left,
  type Nameable,
  type NamedProduct,
  newEdition,
  type OfferedConsultant,
  type PassedOver,
  type Simulated,
  simulated,
  simulation,
  type ToldDay,
  whyNotRules,
} from './rules.model.ts'

const base = `/${resource.screen.name}/allocation`
const texts = resource.screen.name
/** Whoever says on which terms people get leads says by which rules. */
const manages = { page: resource.screen.key, action: 'update' }
const MOST_TOLD = 20
const EMPTY: RuleSet = { rules: [], holidays: [], warnMinutes: 15 }

export const ruleRoutes = (app: App): Route[] => [
  route({
    method: 'GET',
    path: base,
    texts,
    access: manages,
    answer: allocationView,
    summary: 'The rules leads are given by, who they may name, and what waits.',
    handle: () => viewOf(app.db.query),
  }),
  route({
    method: 'GET',
    path: `${base}/left`,
    texts,
    access: manages,
    answer: left,
    summary: 'What waits and no rule takes, by what it came with.',
    handle: () => leftIn(app.db.query),
  }),
  route({
    method: 'POST',
    path: base,
    texts,
    access: manages,
    body: newEdition,
    answer: z.strictObject({ edition: z.string() }),
    summary: 'Puts rules in force, from the next lead on.',
    handle: (call, { body }) => operate(app, call, op => store(op, body)),
  }),
  route({
    method: 'POST',
    path: `${base}/simulate`,
    texts,
    access: manages,
    body: simulation,
    answer: simulated,
    summary: 'How a past day would have gone by other rules, beside how it went. Changes nothing.',
    async handle({ now }, { body: { set, day } }) {
      if (day > dayOf(now)) throw onField('day', refuse('day-to-come'))
      const went = await readDay(app.db.query, day, now)
      if (went.rounds.length === 0) throw onField('day', refuse('day-not-kept'))
      return compare(await consultantsIn(app.db.query), day, went, replay(went, set))
    },
  }),
]

/** Everybody rules may name. */
export const consultantsIn = async (db: Queries): Promise<OfferedConsultant[]> => {
  const { rows } = await sql<OfferedConsultant>`
    select c.staff_id as id, s.name, o.name as team, c.status = 'ON' and s.status = 'ENABLED' and s.employment = 'ACTIVE' as "isOn", c.weight
    from consultant c join staff s on s.id = c.staff_id join org o on o.id = s.org_id order by o.path, s.id`.execute(db)
  return rows
}

/** Everything rules may name, what is on sale first. */
export const productsIn = async (db: Queries): Promise<NamedProduct[]> => {
  const { rows } = await sql<NamedProduct>`
    select id, name, status = 'ON_SALE' as "isOnSale" from product order by status = 'ON_SALE' desc, sort, id`.execute(
    db,
  )
  return rows
}

/** Whom and what rules may name now. */
export async function nameableIn(db: Queries): Promise<Nameable> {
  const [consultants, products] = [await consultantsIn(db), await productsIn(db)]
  return { consultants: new Set(consultants.map(({ id }) => id)), products: new Set(products.map(({ id }) => id)) }
}

/** Tried at least once: what has only just come is given in the next moment. */
async function leftIn(db: Queries): Promise<Left> {
  const { rows } = await sql<Left['came'][number] & { since: string }>`
    select c.source, c.channel, p.name as product, count(*)::int as count, min(c.came_at) as since
    from allocation_case c left join product p on p.id = c.product_id
    join lateral (select rule_key from allocation_decision where case_id = c.id order by id desc limit 1) d on d.rule_key is null
    where c.status = 'WAITING' group by 1, 2, 3 order by 4 desc, 1, 2, 3`.execute(db)
  const since = rows.map(row => new Date(row.since).toISOString()).sort()[0] ?? null
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    since,
    came: rows.slice(0, MOST_TOLD).map(({ source, channel, product, count }) => ({ source, channel, product, count })),
  }
}

type Put = { note: string; by: string | null; at: string }
type Group = { rule: string | null; count: number; since: string; passed: PassedOver[] | null }

async function viewOf(db: Queries): Promise<AllocationView> {
  const edition = await inForce(db)
  const consultants = await consultantsIn(db)
  const names = new Map(consultants.map(({ id, name }) => [id, name]))
  const { rows: puts } = await sql<Put>`
    select e.note, s.name as by, e.created_at as at from allocation_edition e left join staff s on s.id = e.by_id
    where e.id = ${edition?.id ?? null}`.execute(db)
  const { rows: groups } = await sql<Group>`
    select d.rule_name as rule, count(*)::int as count, min(c.came_at) as since, (array_agg(d.passed order by c.id desc))[1] as passed
    from allocation_case c left join lateral (
      select rule_name, passed from allocation_decision where case_id = c.id order by id desc limit 1) d on true
    where c.status = 'WAITING' group by 1 order by 2 desc`.execute(db)
  const { rows: first } = await sql<{ at: string | null }>`select min(at) as at from allocation_round`.execute(db)
  const [put] = puts
  return {
    edition: edition?.id ?? null,
    set: edition?.set ?? EMPTY,
    note: put?.note ?? '',
    by: put?.by ?? null,
    at: put ? new Date(put.at).toISOString() : null,
    consultants,
    products: await productsIn(db),
    waiting: groups.map(({ rule, count, since, passed }) => ({
      rule,
      count,
      since: new Date(since).toISOString(),
      passed: (passed ?? []).map(one => ({ ...one, name: names.get(one.id) ?? '' })),
    })),
    firstDay: first[0]?.at ? dayOf(new Date(first[0].at)) : null,
  }
}

async function store(op: Operation, { set, note, edition }: z.infer<typeof newEdition>): Promise<{ edition: string }> {
  await lockAllocation(op)
  const before = await inForce(op.tx)
  // Somebody else has put rules in force since these were read.
  if ((before?.id ?? null) !== edition) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
  const fault = whyNotRules(set, await nameableIn(op.tx))
  if (fault) throw onField(fault.field, fault.refusal)
  // All rules decide together: whoever puts others in force decides about everybody whom those or these name.
  const named = [before?.set, set].flatMap(one => one?.rules.flatMap(({ lines }) => lines) ?? [])
  const ids = named.map(({ staffId }) => staffId)
  if (!(await reachesAll(op, resource.screen.key, ids))) throw new Refused(refuse('rules-of-others'))
  const id = await putInForce(op, set, note)
  await record(op.tx, op.call, { page: resource.screen.key, action: 'putInForce', reason: note })
  // What waits is tried by the new rules at once.
  await runRound(op)
  return { edition: id }
}

/** Both days, side by side. */
function compare(consultants: readonly OfferedConsultant[], day: string, went: Day, would: Replayed): Simulated {
  const real = new Map(
    went.rounds.flatMap(({ at, given }) => given.map(({ id, staffId }) => [id, { staffId, at }] as const)),
  )
  const again = replay(went)
  const leads = new Map(
    [...went.waiting, ...went.rounds.flatMap(({ came }) => came)].map(lead => [lead.id, lead.cameAt]),
  )
  const countOf = (given: Replayed['given'], id: string) => [...given.values()].filter(one => one.staffId === id).length
  const gone = new Set(went.rounds.flatMap(round => round.gone))
  const told = ({ met }: Replayed, given: Replayed['given']): ToldDay => {
    const minutes = [...given].map(([id, { at }]) => (at.getTime() - (leads.get(id) ?? at).getTime()) / 60_000)
    return {
      given: given.size,
      waiting: [...leads.keys()].filter(id => !given.has(id) && !gone.has(id)).length,
      minutes:
        minutes.length === 0 ? null : Math.round((minutes.reduce((a, b) => a + b, 0) / minutes.length) * 10) / 10,
      longest: Math.floor(Math.max(0, ...minutes)),
      dayFull: leadsAt(met, 'day'),
      openFull: leadsAt(met, 'open'),
    }
  }
  const isSame = (a: Replayed['given'], b: Replayed['given'], id: string) => a.get(id)?.staffId === b.get(id)?.staffId
  return {
    day,
    leads: leads.size,
    people: consultants
      .map(({ id, name }) => {
        const counts = { real: countOf(real, id), would: countOf(would.given, id) }
        const full = { real: again.full.get(id) ?? NEVER_FULL, would: would.full.get(id) ?? NEVER_FULL }
        return { id, name, ...counts, full }
      })
      .filter(({ real, would, full }) => real + would + timesFull(full.real) + timesFull(full.would) > 0),
    real: told(again, real),
    would: told(would, would.given),
    moved: [...leads.keys()].filter(id => !isSame(real, would.given, id)).length,
    isReproduced: [...leads.keys()].every(
      id => isSame(real, again.given, id) && real.get(id)?.at.getTime() === again.given.get(id)?.at.getTime(),
    ),
  }
}

const timesFull = ({ day, open }: Full): number => day + open

/** How many leads met this cap of anybody. */
const leadsAt = (met: Replayed['met'], cap: keyof Full): number =>
  new Set(met.filter(one => one.cap === cap).map(({ leadId }) => leadId)).size
