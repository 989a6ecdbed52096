import { sql } from 'kysely'
import * as z from 'zod'
import { leadForgotten, leadSettled, nextAgreed } from '#engines/lead/known.server.ts'
import { ID } from '#kit/model/field.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { App, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { record } from '#kit/server/change/audit.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import { lockRow } from '#kit/server/change/step.ts'
import { shownWith } from '#kit/server/file/shown-with.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { type Member, resource, workflow } from './model.ts'
import { followUpView } from './side.model.ts'
import { sideRoute } from './side.server.ts'

const MAX_SHOWN = 200

type Noted = EnteredWith<typeof workflow, 'noteFollowUp'>

/** Whom something was said to: a member, or a number that may become one. */
type Whom = { readonly memberId: string | null; readonly leadId?: string | null }

/** Somebody spoke with them, or with the guardian: what was said, and when to speak again. */
export async function noteFollowUp(
  { tx, now, actor }: Operation,
  { memberId, leadId = null }: Whom,
  noted: Noted,
  picture: string[] = [],
): Promise<void> {
  requireAhead(now, noted)
  await tx
    .insertInto('follow_up')
    .values({ member_id: memberId, lead_id: leadId, staff_id: actor.id, created_at: now, picture, ...columns(noted) })
    .execute()
}

/** Whoever is to be called at a time that is past would be late at once. */
function requireAhead(now: Date, { nextAt }: Noted): void {
  if (nextAt !== null && new Date(nextAt) <= now) throw onField('nextAt', refuse('members/member:next-is-past'))
}

/** What was said to somebody is the member's once there is one, and nobody's words once the number is forgotten. */
export const followUpListeners: readonly Listener[] = [
  listen(leadSettled, async ({ tx }, { leadIds, memberId }) => {
    if (memberId === null) return
    await sql`update follow_up set member_id = ${memberId} where lead_id = any(${leadIds}::bigint[]) and member_id is null`.execute(
      tx,
    )
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await sql`update follow_up set content = '–', picture = '{}' where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
]

/** What was agreed last; and a picture of what was said while its person was a lead stands with the member, too. */
export const followUpAnswers = [
  answer(nextAgreed, async (_app, { tx, leadId }) => {
    const { rows } = await sql<{ at: string | null }>`
      select f.next_at as at from follow_up f, lead l
      where l.id = ${leadId} and (f.lead_id = l.id or f.member_id = l.member_id)
      order by f.created_at desc, f.id desc limit 1`.execute(tx)
    return rows[0]?.at ?? null
  }),
  answer(shownWith, async ({ db }, { id, recordId }) => {
    const { rows } = await sql<{ memberId: string }>`
      select distinct member_id as "memberId" from follow_up
      where lead_id = ${recordId}::bigint and member_id is not null and ${id}::uuid = any(picture)`.execute(db.query)
    return rows.map(({ memberId }) => ({ page: resource.screen.key, recordId: memberId }))
  }),
]

/** What was said to the person of a lead, newest first. */
export const saidToLead = (app: App, leadId: string) =>
  told(app).where('f.lead_id', '=', leadId).limit(MAX_SHOWN).execute()

const told = (app: App) =>
  app.db.query
    .selectFrom('follow_up as f')
    .innerJoin('staff as s', 's.id', 'f.staff_id')
    .select(['f.id', 'f.created_at as at', 'f.kind', 'f.content', 'f.next_at as nextAt', 'f.picture'])
    .select(['f.staff_id as staffId', 's.name as staff'])
    .orderBy('f.created_at', 'desc')
    .orderBy('f.id', 'desc')

const columns = ({ followUpKind, content, nextAt }: Noted) => ({
  kind: followUpKind,
  content,
  next_at: nextAt === null ? null : new Date(nextAt),
})

/** What the head of the member tells: the last word, and what was agreed in it. */
export async function contactOf({ db }: App, memberId: string): Promise<Member['contact']> {
  const last = await db.query
    .selectFrom('follow_up')
    .select(['created_at as lastAt', 'next_at as nextAt'])
    .where('member_id', '=', memberId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { lastAt: null, nextAt: null }
}

export const followUpRoutes = (app: App): Route[] => [
  sideRoute(app, {
    path: 'follow-up',
    answer: z.array(followUpView),
    summary: 'What was noted about the member, newest first.',
    read: ({ id }) => told(app).where('f.member_id', '=', id).limit(MAX_SHOWN).execute(),
  }),
  route({
    method: 'PUT',
    path: `/${resource.screen.name}/:id/follow-up/:followUpId`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'noteFollowUp' },
    params: z.strictObject({ id: z.string().regex(ID), followUpId: z.string().regex(ID) }),
    body: z.strictObject(workflow.steps.noteFollowUp.input),
    answer: z.null(),
    summary: 'Corrects what one noted oneself.',
    handle: (call, { params, body }) =>
      operate(app, call, async op => {
        await lockRow(op, resource, params.id)
        await requireOffered(op, { page: resource.screen.key, shape: workflow.steps.noteFollowUp.input }, body)
        const own = await op.tx
          .selectFrom('follow_up')
          .select('next_at')
          .where('id', '=', params.followUpId)
          .where('member_id', '=', params.id)
          .where('staff_id', '=', op.actor.id)
          .executeTakeFirst()
        // A colleague's words stay as they were said.
        if (!own) throw new Refused(refuse('follow-up-not-yours'))
        // What was agreed before may be past by now, and what was said then is mended all the same.
        const isMoved =
          body.nextAt === null || own.next_at === null || Date.parse(own.next_at) !== Date.parse(body.nextAt)
        if (isMoved) requireAhead(op.now, body)
        await op.tx.updateTable('follow_up').set(columns(body)).where('id', '=', params.followUpId).execute()
        await record(op.tx, call, { page: resource.screen.key, action: 'editFollowUp', recordId: params.id })
        return null
      }),
  }),
]
