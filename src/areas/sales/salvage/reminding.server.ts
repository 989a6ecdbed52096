import { sql } from 'kysely'
import { send } from '#engines/message/server.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { contactDue } from './reminding.model.ts'

const AT_ONCE = 500

type Due = { readonly ownerId: string; readonly nextAt: string }

/** When the time of the next word has come, whoever has the lead then is told, once for each time that was agreed. */
export const reminding = defineJob({
  name: 'remind-next-contacts',
  cron: '20 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { signal }) {
    if (signal.aborted) return 0
    const { tx, now } = change
    const { rows } = await sql<Due>`
      with due as (
        select id from lead where ended_at is null and owner_id is not null and next_at is distinct from reminded_for and next_at <= ${now}
        order by next_at, id limit ${AT_ONCE} for update skip locked
      ), told as (
        update lead l set reminded_for = l.next_at from due where l.id = due.id returning l.owner_id, l.next_at, l.id
      )
      select owner_id as "ownerId", next_at as "nextAt" from told order by next_at, id`.execute(tx)
    for (const [staffId, [first, ...others]] of Map.groupBy(rows, ({ ownerId }) => ownerId)) {
      if (!first) continue
      await send(change, contactDue, {
        to: { staffId, address: null },
        values: { count: 1 + others.length, at: new Date(first.nextAt) },
        about: `contacts-due:${staffId}:${now.getTime()}`,
      })
    }
    return rows.length
  },
})
