import * as z from 'zod'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { lockRow } from '#kit/server/change/step.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { type Member, resource, workflow } from './model.ts'
import { followUpView } from './side.model.ts'
import { sideRoute } from './side.server.ts'

const MAX_SHOWN = 200

type Noted = EnteredWith<typeof workflow, 'noteFollowUp'>

/** Somebody spoke with the member, or the guardian: what was said, and when to speak again. */
export const noteFollowUp = ({ tx, now, actor }: Operation, memberId: string, noted: Noted) =>
  tx
    .insertInto('follow_up')
    .values({ member_id: memberId, staff_id: actor.id, created_at: now, ...columns(noted) })
    .execute()

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
    read: ({ id }) =>
      app.db.query
        .selectFrom('follow_up as f')
        .innerJoin('staff as s', 's.id', 'f.staff_id')
        .select(['f.id', 'f.created_at as at', 'f.kind', 'f.content', 'f.next_at as nextAt'])
        .select(['f.staff_id as staffId', 's.name as staff'])
        .where('f.member_id', '=', id)
        .orderBy('f.id', 'desc')
        .limit(MAX_SHOWN)
        .execute(),
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
        const changed = await op.tx
          .updateTable('follow_up')
          .set(columns(body))
          .where('id', '=', params.followUpId)
          .where('member_id', '=', params.id)
          .where('staff_id', '=', op.actor.id)
          .executeTakeFirst()
        // A colleague's words stay as they were said.
        if (changed.numUpdatedRows === 0n) throw new Refused(refuse('follow-up-not-yours'))
        await record(op.tx, call, { page: resource.screen.key, action: 'editFollowUp', recordId: params.id })
        return null
      }),
  }),
]
