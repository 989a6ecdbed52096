import { resource as order } from '#areas/orders/order/model.ts'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { addDays, dayOf, startOfDay, ZONE } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { binder, scopeSql } from '#kit/server/list.ts'
import { type Routes, route } from '#kit/server/route.ts'
import { DAYS, type DayFigures, figures } from './model.ts'

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: '/workbench/workbench',
    access: 'session',
    answer: figures,
    summary: 'Figures of the last two weeks, of what the caller may list and has in scope.',
    handle: async ({ actor, now }) => ({
      orders: can(actor, order.screen.key, 'list') ? await orderFigures(app, actor, now) : null,
    }),
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
