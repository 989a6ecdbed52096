import { sql } from 'kysely'
import * as z from 'zod'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { leadRegistered, type Origin, originOf } from '#engines/lead/ending.server.ts'
import { membersByPhone } from '#engines/lead/known.server.ts'
import { handOverLeads, moveLeads } from '#engines/lead/owning.server.ts'
import { type PathStep, pathStep } from '#engines/lead/path.model.ts'
import { pathOf } from '#engines/lead/path.server.ts'
import type { App, Change, Listener } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { answer, ask, defineQuestion } from '#kit/server/change/question.ts'
import { sideRoute } from './side.server.ts'

export const answers = [
  answer(membersByPhone, async (_app, { tx, phones }) => {
    const { rows } = await sql<{ id: string; phone: string }>`
      select id, phone from member where phone = any(${phones}::text[])`.execute(tx)
    return new Map(rows.map(({ id, phone }) => [phone, id]))
  }),
]

/** A member has this number from now on: whatever was kept under it until its person is known finds the member. */
export const memberNumbered = defineAnnouncement<{ readonly memberId: string; readonly phone: string }>(
  'member-numbered',
)

/**
 * Stores somebody under a number, new or another than before: the lead it was becomes this member, in the same transaction.
 * `store` is told where the lead came from and whose it is, and gives the member's id, or nothing where nobody was stored.
 */
export async function underNumber(
  change: Change,
  phone: string,
  store: (origin: Origin | undefined) => Promise<string | undefined>,
): Promise<string | undefined> {
  const origin = await originOf(change, phone)
  const memberId = await store(origin)
  if (memberId === undefined) return undefined
  if (origin) await leadRegistered(change, origin.leadId, memberId)
  await announce(change, memberNumbered, { memberId, phone })
  return memberId
}

/** When a member first paid for something: orders know. */
export const firstPaid = defineQuestion<{ memberId: string }, string | null>('member-first-paid')

/** From the first trace of the number to the first payment. */
export const leadPathRoute = (app: App) =>
  sideRoute(app, {
    path: 'lead-path',
    answer: z.array(pathStep),
    summary: 'How the member came to us, from the first trace of the number to the first payment, oldest first.',
    async read({ id }): Promise<PathStep[]> {
      const [before, member, paidAt] = await Promise.all([
        pathOf(app.db.query, id),
        app.db.query
          .selectFrom('member')
          .select(['created_at', 'source', 'channel'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
        ask(app, firstPaid, { memberId: id }),
      ])
      const { created_at: at, source, channel } = member
      const registered = { ...BARE, id: 'registered', at, kind: 'REGISTERED' as const, source, channel }
      const bought = paidAt === null ? [] : [{ ...BARE, id: 'bought', at: paidAt, kind: 'BOUGHT' as const }]
      // Whoever is given a further number has come before what is told of it.
      return [...before, registered, ...bought].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    },
  })

const BARE = { cameBy: null, source: null, channel: null, consent: null, times: 1, owner: null, got: null, by: null }

export const listeners: readonly Listener[] = [
  listen(staffHandedOver, (change, { fromId, toId, orgId }) => handOverLeads(change, fromId, { id: toId, orgId })),
  listen(staffMoved, (change, { staffId, orgId }) => moveLeads(change, { id: staffId, orgId })),
]

export const invariants: readonly Invariant[] = [
  {
    name: "a member's number is no open lead",
    query: 'select l.id, m.id as member_id from lead l join member m on m.phone = l.phone where l.ended_at is null',
  },
  {
    name: 'who has left owns no lead',
    query: `select l.id, l.owner_id from lead l join staff s on s.id = l.owner_id where s.employment = 'LEFT'`,
  },
]
