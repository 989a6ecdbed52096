import { sql } from 'kysely'
import { detail } from '#areas/sales/lead-rows/seen.server.ts'
import { leadSpokenTo } from '#engines/lead/known.server.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { resource, statistic } from './model.ts'

const among = (column: 'act' | 'way', ...values: readonly string[]) =>
  `count(*) filter (where t.${column} in (${values.map(value => `'${value}'`).join(', ')}))`

export const counting = defineCounting({
  sources: {
    acts: {
      table: 'lead_act',
      time: 'done_at',
      sums: {
        acts: 'count(*)',
        followUps: among('act', 'FOLLOW_UP'),
        calls: among('way', 'PHONE'),
        messages: among('way', 'CHAT', 'SMS'),
        visits: among('way', 'VISIT'),
        changes: `count(*) filter (where t.act <> 'FOLLOW_UP')`,
      },
      by: { owner: 'owner_id', hour: 'hour', act: 'act' },
      filters: ['ownerId'],
    },
  },
  values: ({ acts }) => ({
    acts: acts.acts ?? 0,
    followUps: acts.followUps ?? 0,
    calls: acts.calls ?? 0,
    messages: acts.messages ?? 0,
    visits: acts.visits ?? 0,
    changes: acts.changes ?? 0,
  }),
})

export const routes: Routes = app => [...serve(resource, { detail })(app), ...serveStatistic(statistic, counting)(app)]

export const listeners: readonly Listener[] = [
  listen(leadSpokenTo, async ({ tx, now, call: { actor } }, { leadIds, way }) => {
    if (!actor) return
    await sql`
      insert into lead_act (lead_id, owner_id, org_id, act, way, done_at)
      select id, ${actor.id}, ${actor.orgId}, 'FOLLOW_UP', ${way}, ${now} from unnest(${leadIds}::bigint[]) as id`.execute(
      tx,
    )
  }),
]
