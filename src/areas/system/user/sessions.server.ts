import * as z from 'zod'
import { id } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { operate } from '#kit/server/change/operation.ts'
import { lockRow, writeChange } from '#kit/server/change/step.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { adminsIn } from './admins.server.ts'
import { endable } from './deciding.model.ts'
import { type OpenSession, resource } from './model.ts'

const { name: NAME, key: PAGE } = resource.screen
/** Nobody works at more places at once; the newest tell. */
const MOST_SHOWN = 50

export const openSessionsOf = (app: App, staffId: string): Promise<OpenSession[]> =>
  app.db.query
    .selectFrom('session')
    .select(['id', 'device', 'address', 'created_at as since', 'active_at as activeAt'])
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', app.clock.now().toISOString())
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute()

/** One of somebody's sessions, by whoever may end them all. */
export const endOneRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${NAME}/:id/sessions/:sessionId/end`,
    texts: NAME,
    access: { page: PAGE, action: 'forceLogout' },
    params: z.strictObject({ id: id(), sessionId: id() }),
    answer: z.null(),
    summary: "Ends one of a person's sessions, and its sockets.",
    async handle(call, { params }) {
      await operate(app, call, async op => {
        const row = await lockRow(op, resource, params.id)
        const refusal = endable(row, op.actor, await adminsIn(op.tx))
        if (refusal) throw new Refused(refusal)
        const open = await op.tx
          .selectFrom('session')
          .select('id')
          .where('id', '=', params.sessionId)
          .where('staff_id', '=', params.id)
          .where('ended_at', 'is', null)
          .executeTakeFirst()
        if (!open) throw new Refused(refuse('kit:record-missing'), 'not-found')
        await app.sessions.end(op.tx, [open.id], 'FORCED')
        await writeChange(op, resource, row, {}, 'forceLogout')
      })
      app.counts.drop(resource.table)
      return null
    },
  })
