import { sql } from 'kysely'
import { type Shipped, variablesOf } from '#engines/message/model.ts'
import { shippedMessages } from '#engines/message/server.ts'
import type { App } from '#kit/server/app.ts'

/** Any number: instances that start together add each template once. */
const LOCK = 7_283_411

/** Asked at each start, once there are people: what the slices send stands on the page, as shipped, until somebody changes it. */
export const keepShippedTemplates = (app: Pick<App, 'db' | 'listeners'>, now: Date): Promise<void> =>
  app.db.write(async tx => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    const first = await tx.selectFrom('staff').select('id').orderBy('id').limit(1).executeTakeFirst()
    if (!first) return
    for (const message of (await shippedMessages(app)).values()) {
      const added = await tx
        .insertInto('message_template')
        .values({ ...rowOf(message), edition: 1, status: 'PUBLISHED', created_at: now })
        .onConflict(known => known.column('code').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) continue
      await tx
        .insertInto('message_template_edition')
        .values({
          template_id: added.id,
          edition: 1,
          state: 'PUBLISHED',
          base: 0,
          body: JSON.stringify(bodyOf(message)),
          drafted_by: first.id,
          drafted_at: now,
          published_by: first.id,
          published_at: now,
        })
        .execute()
    }
  })

const rowOf = (message: Shipped) => {
  const { code, channel, kind, title, body } = message
  return { code, channel, kind, title, body, variables: JSON.stringify(variablesOf(message)), is_shipped: true }
}

/** What the first edition of a shipped template says. */
export const bodyOf = (message: Shipped) => ({
  title: message.title,
  body: message.body,
  variables: variablesOf(message),
  providerCode: null,
})
