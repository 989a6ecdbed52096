import * as z from 'zod'
import { ordersByDay } from '#areas/orders/order/by-day.server.ts'
import { resource as order } from '#areas/orders/order/model.ts'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { decision, earlierDecisions } from '#kit/model/decision.ts'
import { ID } from '#kit/model/field.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { decisionsBefore, decisionsFor } from '#kit/server/change/decision.ts'
import { allToDos } from '#kit/server/change/to-do.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { keptRows } from '#kit/server/statistic/roll-up.ts'
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

/** By the days people see, through the scope of the list itself: no number shows what its viewer may not list. */
async function orderFigures(app: App, actor: Actor, now: Date): Promise<DayFigures[]> {
  const today = dayOf(now)
  const first = addDays(today, 1 - DAYS)
  const { bind, values } = binder()
  const since = bind(first)
  const rule = scopeSql(order, scopeOf(actor, order.screen.key), bind)
  const rows = await app.db.read.rows(
    `select to_char(t.day, 'YYYY-MM-DD') as day, sum(t.placed) as placed, sum(t.paid_fen) as paid_fen
     from ${keptRows(ordersByDay[0], ['day', 'org_id', 'owner_id', 'placed', 'paid_fen'])} t
     where t.day >= ${since}::date${rule && ` and ${rule}`} group by 1`,
    values,
  )
  const found = new Map(rows.map(row => [row.day, row]))
  return Array.from({ length: DAYS }, (_, index) => addDays(first, index)).map(day => ({
    day,
    placed: Number(found.get(day)?.placed ?? 0),
    paidFen: Number(found.get(day)?.paid_fen ?? 0),
  }))
}
