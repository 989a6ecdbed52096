import { sql } from 'kysely'
import * as z from 'zod'
import { reachesAll } from '#areas/sales/consultant/reach.server.ts'
import { whyNotRules } from '#areas/sales/consultant/rules.model.ts'
import { consultantsIn, nameableIn, productsIn } from '#areas/sales/consultant/rules.server.ts'
import { inForce, lockAllocation, runRound } from '#engines/allocation/round.server.ts'
import type { Rule, RuleSet } from '#engines/allocation/rule.model.ts'
import { putInForce } from '#engines/allocation/server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { area } from '../area.ts'
import {
  DAYS,
  type NewLine,
  newLine,
  ownRuleOf,
  type SaleLines,
  saleLines,
  type Taker,
  takersOf,
  whyNotMore,
  withLine,
} from './model.ts'

const { name, key } = area.screens['sale-line']
const EMPTY: RuleSet = { rules: [], holidays: [], warnMinutes: 15 }
const DAY_MS = 86_400_000

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${name}`,
    texts: name,
    access: { page: key, action: 'list' },
    answer: saleLines,
    summary: 'To whom the leads of each channel go, by which weights, and how that went of late.',
    handle: ({ now }) => viewOf(app, now),
  }),
  route({
    method: 'POST',
    path: `/${name}`,
    texts: name,
    access: { page: key, action: 'update' },
    body: newLine,
    answer: z.strictObject({ edition: z.string() }),
    summary: 'Puts a line of its own in force for a channel, from the next lead on; without anybody, the other rules.',
    handle: (call, { body }) => operate(app, call, op => store(op, body)),
  }),
]

type Figures = {
  readonly channel: string
  readonly given: number
  readonly waiting: number
  readonly minutes: number | null
}
type Got = { readonly channel: string; readonly staffId: string; readonly given: number }
type Person = { readonly id: string; readonly name: string; readonly weight: number; readonly isOn: boolean }

async function viewOf({ db }: App, now: Date): Promise<SaleLines> {
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const [edition, consultants, products, people, figures, got, channels] = await Promise.all([
    inForce(db.query),
    consultantsIn(db.query),
    productsIn(db.query),
    peopleIn(db.query),
    sql<Figures>`
      select c.channel, count(*) filter (where c.status = 'GIVEN')::int as given, count(*) filter (where c.status = 'WAITING')::int as waiting,
        round(avg(extract(epoch from r.at - c.came_at) / 60) filter (where c.status = 'GIVEN'), 1)::float8 as minutes
      from allocation_case c left join allocation_round r on r.id = c.last_round
      where c.came_at >= ${since} or c.status = 'WAITING' group by 1`.execute(db.query),
    sql<Got>`
      select d.channel, k.staff_id as "staffId", count(*)::int as given
      from allocation_decision d join consultant k on k.id = d.consultant_id
      where d.created_at >= ${since} group by 1, 2`.execute(db.query),
    db.query
      .selectFrom('channel')
      .select(['code', 'channel_group', 'status'])
      .orderBy('channel_group')
      .orderBy('id')
      .execute(),
  ])
  const set = edition?.set ?? EMPTY
  const known = new Map(figures.rows.map(row => [row.channel, row]))
  const counts = new Map(got.rows.map(row => [`${row.channel} ${row.staffId}`, row.given]))
  const names = new Map(products.map(product => [product.id, product.name]))
  return {
    edition: edition?.id ?? null,
    consultants,
    channels: channels.map(({ code, channel_group, status }) => ({
      ...{ code, group: channel_group, status },
      takers: takersOf(set, code, dayOf(now)).map(rule =>
        takerOf(rule, rule === ownRuleOf(set, code), code, { people, counts, names }),
      ),
      given: known.get(code)?.given ?? 0,
      minutes: known.get(code)?.minutes ?? null,
      waiting: known.get(code)?.waiting ?? 0,
      lines: ownRuleOf(set, code)?.lines ?? [],
    })),
  }
}

async function peopleIn(db: Queries): Promise<ReadonlyMap<string, Person>> {
  const { rows } = await sql<Person>`
    select c.staff_id as id, s.name, c.weight, c.status = 'ON' and s.status = 'ENABLED' and s.employment = 'ACTIVE' as "isOn"
    from consultant c join staff s on s.id = c.staff_id`.execute(db)
  return new Map(rows.map(person => [person.id, person]))
}

type Known = {
  readonly people: ReadonlyMap<string, Person>
  readonly counts: ReadonlyMap<string, number>
  /** What products are called. */
  readonly names: ReadonlyMap<string, string>
}

function takerOf(rule: Rule, isOwn: boolean, code: string, { people, counts, names }: Known): Taker {
  const { lines, key: ruleKey, name: called, sources, validFrom, validUntil } = rule
  return {
    ...{ key: ruleKey, name: called, isOwn, sources, validFrom, validUntil },
    products: rule.products.map(id => names.get(id) ?? ''),
    receivers: lines.flatMap(({ staffId, weight, isFallback }) => {
      const person = people.get(staffId)
      const given = counts.get(`${code} ${staffId}`) ?? 0
      return person ? [{ ...person, weight: weight ?? person.weight, isFallback, given }] : []
    }),
  }
}

async function store(op: Operation, { code, edition, note, ...wanted }: NewLine): Promise<{ edition: string }> {
  await lockAllocation(op)
  const before = await inForce(op.tx)
  // Somebody else has put rules in force since these were read.
  if ((before?.id ?? null) !== edition) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
  const channel = await op.tx
    .selectFrom('channel')
    .select(['id', 'code', 'name', 'status'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!channel) throw onField('code', refuse('no-channel'))
  if (channel.status === 'ENDED' && wanted.lines.length > 0) throw onField('code', refuse('is-over'))
  const set = withLine(before?.set ?? EMPTY, channel, wanted)
  const tooMany = whyNotMore(set)
  if (tooMany) throw new Refused(tooMany)
  const fault = whyNotRules(set, await nameableIn(op.tx))
  if (fault) throw new Refused({ ...fault.refusal, code: `sales/consultant:${fault.refusal.code}` })
  const named = [...(ownRuleOf(before?.set ?? EMPTY, code)?.lines ?? []), ...wanted.lines].map(({ staffId }) => staffId)
  if (!(await reachesAll(op, key, named))) throw new Refused(refuse('sales/consultant:rules-of-others'))
  const id = await putInForce(op, set, note)
  await record(op.tx, op.call, { page: key, action: 'update', reason: note })
  // What waits is tried by the new rules at once.
  await runRound(op)
  return { edition: id }
}
