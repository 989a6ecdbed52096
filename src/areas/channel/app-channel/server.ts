import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countPartners } from './counting.server.ts'
import { reachable } from './making.server.ts'
import { resource } from './model.ts'

export const routes: Routes = serve(resource, {
  store: (op, input, _before, write) => write({ ...input, ...reachable(op, input) }),
  constraints: {
    partner_channel: { code: 'channel-taken', field: 'channel' },
    channel_of_one: { code: 'channel-of-teacher', field: 'channel' },
  },
})

const count = defineJob({ name: 'count-partners', cron: '45 */5 * * * *', misfire: 'SKIP', work: countPartners })
export const jobs = [count]

export const invariants: readonly Invariant[] = [
  {
    name: 'whoever comes by a channel was brought by a partner or by a school teacher, not by both',
    query: `select p.id, p.channel from partner p join school_teacher t on t.channel = p.channel`,
  },
]
