import { statistic } from '#areas/sales/act-count/model.ts'
import { counting } from '#areas/sales/act-count/server.ts'
import type { Actor } from '#kit/model/actor.ts'
import { readAsked, type Statistic } from '#kit/model/statistic.ts'
import type { App } from '#kit/server/app.ts'
import { type Source, SumReader } from '#kit/server/statistic/sum-reader.ts'
import { HOURS, WEEKDAYS } from './model.ts'

/** The numbers of what was done with leads, by the hour of the week: from 0 on Monday at midnight. */
const byHour: Statistic = { ...statistic, dimensions: { hour: { field: 'hour' } } }
const source: Source = {
  ...counting.sources.acts,
  table: `(select a.*, (extract(isodow from a.done_day)::int - 1) * ${HOURS} + a.hour as hour_of_week from lead_act a)`,
  sums: { acts: counting.sources.acts.sums.acts },
  by: { hour: 'hour_of_week' },
}

/** When things are done with leads; nothing for whoever may not list them. */
export async function hoursOf(
  app: App,
  actor: Actor,
  period: { readonly from: string; readonly to: string },
): Promise<number[][] | null> {
  const reader = new SumReader(app, byHour, actor, readAsked(byHour, period, period.to))
  if (!reader.mayList({})) return null
  const rows = (await reader.rows(source, 'done')) ?? []
  const week = WEEKDAYS.map(() => Array.from({ length: HOURS }, () => 0))
  for (const { key, acts } of rows) {
    const hour = Number(key)
    const day = week[Math.floor(hour / HOURS)]
    if (day) day[hour % HOURS] = Number(acts)
  }
  return week
}
