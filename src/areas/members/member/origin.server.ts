import { sql } from 'kysely'
import { correctLeads } from '#engines/lead/ending.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { credit } from './credit.server.ts'
import type { Member, workflow } from './model.ts'

/**
 * Somebody who may knows better where a member came from than what was told: from now on that counts, before every touch and in every
 * number that is counted by source or channel. What was said at first stays with the member, and the touches as they were.
 */
export async function correctOrigin(
  op: Operation,
  { id, ...was }: Member,
  { source, channel }: EnteredWith<typeof workflow, 'correctOrigin'>,
): Promise<Partial<Member>> {
  const { tx, now, actor } = op
  if (was.source === source && was.channel === channel) throw new Refused(refuse('origin-same'))
  await sql`
    update member set source = ${source}, channel = ${channel}, origin_corrected_at = ${now}, origin_corrected_by_id = ${actor.id},
      entered_source = coalesce(entered_source, source), entered_channel = coalesce(entered_channel, channel)
    where id = ${id}`.execute(tx)
  await correctLeads(op, id, { source, channel })
  await credit(op, [id])
  return { source, channel }
}

export const invariants: readonly Invariant[] = [
  {
    name: 'the leads a member came of name the origin that was corrected',
    query: `
      select l.id, m.id as member_id from member m join lead l on l.member_id = m.id
      where m.origin_corrected_at is not null and (l.source, l.channel) is distinct from (m.source, m.channel)
        and coalesce(l.end_reason, '') <> 'KNOWN_MEMBER' and l.registered_at <= m.origin_corrected_at`,
  },
]
