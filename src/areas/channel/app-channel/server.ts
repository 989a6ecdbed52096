import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countPartners } from './counting.server.ts'
import { reachable } from './making.server.ts'
import { resource } from './model.ts'

export const routes: Routes = serve(resource, {
  store: (op, input, _before, write) => write({ ...input, ...reachable(op, input) }),
  constraints: { partner_channel: { code: 'channel-taken', field: 'channel' } },
})

const count = defineJob({ name: 'count-partners', cron: '45 */5 * * * *', misfire: 'SKIP', work: countPartners })
export const jobs = [count]
