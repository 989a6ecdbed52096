import * as z from 'zod'
import { idParams, type Routes, route } from '#kit/server/http/route.ts'
import { resource } from './model.ts'

const NAME = resource.screen.name
const MOST = 20

const ownMessage = z.strictObject({ id: z.string(), title: z.string(), body: z.string(), createdAt: z.string() })

/** A colleague's own messages in the console: everybody's own, whatever else they may see. */
export const ownRoutes: Routes = app => [
  route({
    method: 'GET',
    path: `/${NAME}/own`,
    texts: NAME,
    access: 'session',
    answer: z.array(ownMessage),
    summary: 'The newest messages to the caller that were not read.',
    handle: ({ actor }) =>
      app.db.query
        .selectFrom('message')
        .select(['id', 'title', 'body', 'created_at as createdAt'])
        .where('staff_id', '=', actor.id)
        .where('status', '=', 'UNREAD')
        .orderBy('id', 'desc')
        .limit(MOST)
        .execute(),
  }),
  route({
    method: 'POST',
    path: `/${NAME}/own/:id/read`,
    texts: NAME,
    access: 'session',
    params: idParams,
    answer: z.null(),
    summary: 'Marks a message to the caller as read; again changes nothing.',
    async handle({ actor, now }, { params: { id } }) {
      await app.db.query
        .updateTable('message')
        .set({ status: 'READ', state_since: now, ended_at: now })
        .where('id', '=', id)
        .where('staff_id', '=', actor.id)
        .where('status', '=', 'UNREAD')
        .execute()
      return null
    },
  }),
]
