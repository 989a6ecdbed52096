import * as z from 'zod'
import { resource as consultant } from '#areas/sales/consultant/model.ts'
import { statistic as sales } from '#areas/sales/sales-count/model.ts'
import { counting } from '#areas/sales/sales-count/server.ts'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { Refused } from '#kit/model/refusal.ts'
import { type StatisticRow, type Values, whyNotPeriod } from '#kit/model/statistic.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { readStatistic } from '#kit/server/statistic/statistic.ts'
import { area } from '../area.ts'
import { hoursOf } from './hours.server.ts'
import { byRank, type Chart, chart, monthBeside, type Ranked, teamsOf } from './model.ts'

const { name, key } = area.screens.chart

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${name}`,
    texts: name,
    access: { page: key, action: 'list' },
    query: z.strictObject({ month: z.string().max(20).optional() }),
    answer: chart,
    summary:
      'How sales of a month are going: money against targets, funnel, people, departments and hours, within the scope of each list.',
    handle: (call, { query }) => chartOf(app, call, query.month ?? dayOf(call.now).slice(0, 7)),
  }),
]

type Asking = Pick<Call, 'now' | 'language'> & { readonly actor: Actor }

async function chartOf(app: App, call: Asking, month: string): Promise<Chart> {
  const { actor, now } = call
  const { from, to } = periodOf(month, dayOf(now))
  const period = { from, to, interval: 'month' } as const
  const [counted, targets, hours] = await Promise.all([
    readStatistic(app, sales, counting, call, { ...period, dimension: 'seller' }),
    targetsOf(app, actor, from),
    hoursOf(app, actor, { from, to }),
  ])
  const totals = counted.totals.received?.now ?? {}
  const people = await peopleOf(app, totals, counted.rows, targets)
  return {
    month,
    from,
    to,
    asOf: counted.asOf,
    amount: totals.amount ?? null,
    net: totals.net ?? null,
    targetFen: targets.length === 0 ? null : targets.reduce((sum, { targetFen }) => sum + targetFen, 0),
    funnel: (sales.funnel ?? []).map(measure => ({ measure, count: totals[measure] ?? null })),
    people,
    teams: teamsOf(people),
    hours,
  }
}

/** The days of a month that have come. */
function periodOf(month: string, today: string): { from: string; to: string } {
  const from = `${month}-01`
  const refusal = whyNotPeriod({ from, to: from, interval: 'month' })
  if (refusal) throw new Refused(refusal, 'parameter')
  const last = addDays(`${monthBeside(month, 1)}-01`, -1)
  return { from, to: from <= today && today < last ? today : last }
}

type Target = { readonly staffId: string; readonly consultantId: string; readonly targetFen: number }

/** What consultants are to sell in the month: of those the caller sees where targets are set. */
async function targetsOf(app: App, actor: Actor, month: string): Promise<Target[]> {
  const page = consultant.screen.key
  if (!can(actor, page, 'list')) return []
  const { bind, values } = binder()
  const seen = scopeSql(consultant, scopeOf(actor, page), bind)
  const rows = await app.db.read.rows(
    `select t.id, t.staff_id, g.target_fen from consultant t join consultant_target g on g.consultant_id = t.id
     where g.month = ${bind(month)}::date and g.target_fen > 0 ${seen && `and ${seen}`}`,
    values,
  )
  return rows.map(row => ({
    staffId: String(row.staff_id),
    consultantId: String(row.id),
    targetFen: Number(row.target_fen),
  }))
}

/** Who sold, or was to sell, with the department each works in. */
async function peopleOf(
  app: App,
  totals: Values,
  rows: readonly StatisticRow[],
  targets: readonly Target[],
): Promise<Ranked[]> {
  const told = new Map<string, Values>(
    rows.flatMap(row => (row.key === null ? [] : [[row.key, row.values.received ?? {}]])),
  )
  const targetOf = new Map(targets.map(target => [target.staffId, target]))
  const ids = [...new Set([...told.keys(), ...targetOf.keys()])]
  const staff = await app.db.read.rows(
    `select s.id, s.name, o.id as team_id, o.name as team from staff s join org o on o.id = s.org_id where s.id = any($1::bigint[])`,
    [ids],
  )
  // Who has sold nothing has sold nothing; what is not told at all is not told of them either.
  const nothing: Values = Object.fromEntries(
    Object.entries(totals).map(([of, value]) => [of, value === null ? null : 0]),
  )
  return staff
    .map(({ id, name: called, team_id: teamId, team }) => {
      const { amount = null, leads = null, deals = null } = told.get(String(id)) ?? nothing
      const { consultantId = null, targetFen = null } = targetOf.get(String(id)) ?? {}
      const done = { amount, leads, deals, consultantId, targetFen }
      return { id: String(id), name: String(called), team: String(team), teamId: String(teamId), ...done }
    })
    .sort(byRank)
}
