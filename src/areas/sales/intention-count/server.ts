import { detail } from '#areas/sales/lead-rows/seen.server.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { resource, statistic } from './model.ts'

const now = (level: string) => `count(*) filter (where t.is_last and t.level = '${level}')`

export const counting = defineCounting({
  sources: {
    judgements: {
      table: 'lead_judgement',
      time: 'judged_at',
      sums: {
        judged: 'count(*)',
        nowA: now('A'),
        nowB: now('B'),
        nowC: now('C'),
        nowD: now('D'),
        raised: `count(*) filter (where t.turn = 'RAISED')`,
        lowered: `count(*) filter (where t.turn = 'LOWERED')`,
      },
      by: { age: 'days_old', was: 'was', owner: 'owner_id', level: 'level', channel: 'channel' },
      filters: ['ownerId', 'channel', 'source'],
    },
  },
  values: ({ judgements }) => ({
    judged: judgements.judged ?? 0,
    nowA: judgements.nowA ?? 0,
    nowB: judgements.nowB ?? 0,
    nowC: judgements.nowC ?? 0,
    nowD: judgements.nowD ?? 0,
    raised: judgements.raised ?? 0,
    lowered: judgements.lowered ?? 0,
  }),
})

export const routes: Routes = app => [...serve(resource, { detail })(app), ...serveStatistic(statistic, counting)(app)]
