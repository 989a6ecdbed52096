import { sql } from 'kysely'
import { leadForgotten } from '#engines/lead/known.server.ts'
import { advertisedSince, advertisingTerms, messageWanted } from '#engines/message/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { inWords } from '#kit/server/text/in-words.ts'
import { sending } from './handing-over.server.ts'
import { type Message, resource, whyNotReceived, workflow } from './model.ts'
import { tellMoved } from './moving.server.ts'
import { listeners as notifyingListeners } from './notifying.server.ts'
import { ownRoutes } from './own.server.ts'
import { askLater, reported, reporting } from './reporting.server.ts'
import { settings } from './settings.model.ts'
import { judgeNow, queue, writeMessage } from './writing.server.ts'

const served = serve(resource, {
  workflow,
  after: async (op, { id }, step) => {
    if (step === 'retry') await tellMoved(op, id)
  },
  detail: async (app, row, language) => ({
    why: inWords(app, language, resource.screen.name, whyNotReceived(row)),
  }),
  effects: {
    retry: (op, row) => retry(op, row),
    ask: (op, row) => askLater(op, row.id, row.attempt, 0).then(() => undefined),
  },
})
export const routes: Routes = app => [...served(app), ...ownRoutes(app)]

/** A new attempt under a new key, bound by what binds the first one. */
async function retry(op: Operation, row: Message): Promise<Partial<Message>> {
  const { kind, memberId, phone, email } = row
  const judged = await judgeNow(op, { kind, memberId, hasAddress: (phone ?? email) !== null, phone, id: row.id })
  if (judged.status !== 'SENDING') throw new Refused(refuse('not-now', { cause: `cause.${judged.cause}` }))
  await op.tx.updateTable('message').set({ claimed_at: null, tries: 0 }).where('id', '=', row.id).execute()
  await queue(op, row, op.now)
  const fresh = { cause: null, result: '', sentAt: null, endedAt: null }
  return { ...fresh, attempt: row.attempt + 1, stateSince: op.now.toISOString() }
}

export const listeners = [
  listen(messageWanted, writeMessage),
  ...notifyingListeners,
  forgets({
    table: 'message',
    // Numbers also where they stand in what a colleague was told.
    where: `t.member_id = $1 or t.words_of_id = $1 or t.phone = any($2::text[])
      or (t.staff_id is not null and exists (select from unnest($2::text[]) p where position(p in t.body) > 0))`,
    becomes: {
      ...{ phone: 'null', email: 'null', title: "'-'", body: "''" },
      filled: 'null',
      sealed: 'null',
      result: "''",
    },
    known: ['email'],
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await sql`update message set phone = null where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
]
export const deliveries = [...sending, reporting]
export const events = [reported]

export const answers = [
  answer(advertisingTerms, (app, { db }) => settingsOf(app, settings, db)),
  answer(advertisedSince, async (_app, { db, memberIds, since }) => {
    const { rows } = await sql<{ id: string }>`
      select distinct member_id as id from message
      where member_id = any(${memberIds}::bigint[]) and kind = 'MARKETING' and status not in ('WITHHELD', 'FAILED')
        and coalesce(sent_at, state_since) > ${since}`.execute(db)
    return new Set(rows.map(({ id }) => id))
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'of a code nothing is kept but its digest',
    query: `
      select id from message where kind = 'CODE' and (body <> '' or filled is not null
        or (sealed is not null and (claimed_at is not null or status <> 'SENDING')))`,
  },
  {
    name: 'what was withheld or waits for its hour was handed to nobody',
    query: `select id from message where status in ('WITHHELD', 'SCHEDULED') and sent_at is not null`,
  },
]
