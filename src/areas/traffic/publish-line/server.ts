import { sql } from 'kysely'
import * as z from 'zod'
import { belongs, staffHandedOver } from '#areas/organisation/staff/belongings.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { run } from '#kit/server/database/database.ts'
import { type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countPublishing } from './counting.server.ts'
import { type CalendarDay, calendarDay, calendarQuery, resource } from './model.ts'

const served = serve(resource, {
  async store(op, input, _before, write) {
    const id = await write(input)
    await countPublishing(op, sql`l.id = ${id}`)
    return id
  },
  constraints: { publish_line_once: { code: 'line-known', field: 'account' } },
})

const calendar = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/calendar`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'list' },
    query: calendarQuery,
    answer: z.array(calendarDay),
    summary: 'What each account is to publish and has published on each day of a month.',
    async handle(_call, { query: { month } }) {
      const { rows } = await sql<CalendarDay>`
        select day::text, account, sum(planned)::int as planned, sum(published)::int as published, sum(hits)::int as hits, sum(leads)::int as leads
        from publish_line where day >= ${`${month}-01`}::date and day < ${`${month}-01`}::date + interval '1 month'
        group by 1, 2 order by 1, 2`.execute(app.db.query)
      return rows
    },
  })

export const routes: Routes = app => [calendar(app), ...served(app)]

const count = defineJob({
  name: 'count-publishing',
  cron: '45 */5 * * * *',
  misfire: 'SKIP',
  work: change => countPublishing(change),
})
export const jobs = [count]

/** What is still to come is somebody else's to do; what was published stays with who published it. */
const TO_COME = `operator_id = $1 and day >= $2::date and published = 0`

export const listeners: readonly Listener[] = [
  belongs({ what: `${resource.screen.name}:planned-by`, table: resource.table, where: TO_COME }),
  listen(staffHandedOver, async ({ tx, now }, { fromId, toId }) => {
    // Where the successor has a plan for that day and account already, both are one.
    await run(
      tx,
      `with gone as (delete from publish_line where ${TO_COME} returning day, account, planned, created_at)
       insert into publish_line as p (day, account, operator_id, planned, created_at)
       select day, account, $3::bigint, planned, created_at from gone
       on conflict (day, account, operator_id) do update set planned = least(p.planned + excluded.planned, 100), version = p.version + 1`,
      [fromId, dayOf(now), toId],
    )
  }),
]
