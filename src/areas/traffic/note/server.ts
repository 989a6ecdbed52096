import { sql } from 'kysely'
import { belongs, staffHandedOver } from '#areas/organisation/staff/belongings.server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countNotes } from './counting.server.ts'
import { resource, workflow } from './model.ts'
import { reportImport } from './report-import.server.ts'
import { child } from './snapshots/model.ts'

const served = serve(resource, {
  workflow,
  constraints: { note_no: { code: 'kit:taken', field: 'noteNo' } },
  async store({ now }, input, before, write) {
    // It would stand before all others until then. What stands so already may be put right in anything else.
    const at = Date.parse(input.publishedAt)
    if (at > now.getTime() && at !== Date.parse(before?.publishedAt ?? ''))
      throw onField('publishedAt', refuse('published-to-come'))
    return write(input)
  },
})
const snapshots = serveChild(child)
export const routes: Routes = app => [...served(app), ...snapshots(app)]
export const imports = [reportImport]

const count = defineJob({ name: 'count-notes', cron: '15 */5 * * * *', misfire: 'SKIP', work: countNotes })
export const jobs = [count]

/** What is still out there and somebody looks after. */
const KEPT = `operator_id = $1 and status <> 'DELETED'`

export const listeners: readonly Listener[] = [
  belongs({ what: `${resource.screen.name}:kept-by`, table: resource.table, where: KEPT }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId }) => {
    await sql`
      update note set operator_id = ${toId}, version = version + 1
      where operator_id = ${fromId} and status <> 'DELETED'`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a note stands as the newest day the platform has reported says',
    query: `
      select n.id from note n left join lateral (select * from note_snapshot where note_id = n.id order by day desc limit 1) s on true
      where (n.reported_on, n.reads, n.likes, n.saves, n.comments, n.messages)
        is distinct from (s.day, coalesce(s.reads, 0), coalesce(s.likes, 0), coalesce(s.saves, 0), coalesce(s.comments, 0), coalesce(s.messages, 0))`,
  },
]
