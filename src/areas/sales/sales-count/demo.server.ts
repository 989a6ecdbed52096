import { sql } from 'kysely'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** Counts what became of the leads in whose hands. */
export const demo: Story = {
  holds: { SALES: READ, SALES_MANAGER_COPY: ['export'], AUDITOR: READ },
  // Hands are stored before the terms of those who work: only now it is known what else was answered in working time.
  stored: tx =>
    sql`
      update lead_owner set contacted_at = contacted_at
      where not prompt and worked_by(owner_id, since, contacted_at) <= interval '30 minutes'`.execute(tx),
}
