import * as z from 'zod'
import { resource as order } from '#areas/orders/order/model.ts'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { decision, earlierDecisions } from '#kit/model/decision.ts'
import { ID } from '#kit/model/field.ts'
import { addDays, dayOf, startOfDay, ZONE } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { decisionsBefore, decisionsFor } from '#kit/server/change/decision.ts'
import { allToDos } from '#kit/server/change/to-do.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { careFor } from './care.server.ts'
import { lowStockFor, measuresFor } from './measures.server.ts'
import { DAYS, type DayFigures, figures } from './model.ts'

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: '/workbench/workbench',
    access: 'session',
    answer: figures,
    summary: "The caller's day: what waits, what was decided, and figures, of what he may list and has in scope.",
    async handle({ actor, now, language }) {
      const [orders, toDos, decisions, measures, lowStock, care] = await Promise.all([
        can(actor, order.screen.key, 'list') ? orderFigures(app, actor, now) : null,
        allToDos(app, actor, language),
        decisionsFor(app, actor, now, language),
        measuresFor(app, actor, now),
        lowStockFor(app, actor),
        careFor(app, actor, now),
      ])
      return { orders, toDos, decisions, measures, lowStock, care }
    },
  }),
  route({
    method: 'GET',
    path: '/workbench/workbench/decisions',
    access: 'session',
    answer: z.array(decision).nullable(),
    summary: 'What others decided in the last days on what the caller asked for.',
    handle: ({ actor, now, language }) => decisionsFor(app, actor, now, language),
  }),
  route({
    method: 'GET',
    path: '/workbench/workbench/decisions/earlier',
    access: 'session',
    query: z.strictObject({ before: z.string().regex(ID).optional() }),
    answer: earlierDecisions,
    summary: 'What others decided before on what the caller asked for, the newest first.',
    handle: ({ actor, language }, { query }) => decisionsBefore(app, actor, language, query.before),
  }),
]

async function orderFigures(app: App, actor: Actor, now: Date): Promise<DayFigures[]> {
  const today = dayOf(now)
  const first = addDays(today, 1 - DAYS)
  const [placed, paid] = await Promise.all([
    byDay(app, actor, 'created_at', 'count(*)', first),
    byDay(app, actor, 'paid_at', 'sum(t.paid_fen)', first),
  ])
  return Array.from({ length: DAYS }, (_, index) => addDays(first, index)).map(day => ({
    day,
    placed: placed.get(day) ?? 0,
    paidFen: paid.get(day) ?? 0,
  }))
}

/** Cut into days as people see them, through the scope of the list itself: no number shows what its viewer may not list. */
async function byDay(
  app: App,
  actor: Actor,
  column: 'created_at' | 'paid_at',
  measure: string,
  first: string,
): Promise<Map<string, number>> {
  const { bind, values } = binder()
  const since = bind(startOfDay(first))
  const rule = scopeSql(order, scopeOf(actor, order.screen.key), bind)
  const rows = await app.db.read.rows(
    `select to_char(t.${column} at time zone '${ZONE}', 'YYYY-MM-DD') as day, ${measure} as n
     from ${order.table} t where t.${column} >= ${since}${rule && ` and ${rule}`} group by 1`,
    values,
  )
  return new Map(rows.map(row => [String(row.day), Number(row.n)]))
}
