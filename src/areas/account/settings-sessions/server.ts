import * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { IDLE_LIMIT_MS } from '#kit/server/access/session.ts'
import type { App } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { operate } from '#kit/server/change/operation.ts'
import { idParams, type Routes, route } from '#kit/server/http/route.ts'
import { ownLogin, ownSession } from './model.ts'

const NAME = 'account/settings-sessions'
const MAX_LOGINS = 20

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    answer: z.array(ownSession),
    summary: "The caller's open sessions, the newest first.",
    async handle(call) {
      const open = await openSessions(app, call.actor.id, call.now)
      return open.map(session => ({ ...session, current: session.id === call.sessionId }))
    },
  }),
  route({
    method: 'GET',
    path: `/${NAME}/logins`,
    access: 'session',
    texts: NAME,
    answer: z.array(ownLogin),
    summary: "The last attempts to sign in to the caller's account, good and bad.",
    handle: call =>
      app.db.query
        .selectFrom('login_trace')
        .select(['id', 'at', 'device', 'address', 'result'])
        .where('staff_id', '=', call.actor.id)
        .orderBy('id', 'desc')
        .limit(MAX_LOGINS)
        .execute(),
  }),
  route({
    method: 'DELETE',
    path: `/${NAME}/:id`,
    access: 'session',
    texts: NAME,
    params: idParams,
    answer: z.null(),
    summary: "Ends one of the caller's sessions and its sockets.",
    async handle(call, { params }) {
      const own = await openSessions(app, call.actor.id, call.now)
      if (!own.some(({ id }) => id === params.id)) throw new Refused(refuse('kit:record-missing'), 'not-found')
      await operate(app, call, async ({ tx }) => {
        await app.sessions.end(tx, [params.id], params.id === call.sessionId ? 'LOGOUT' : 'FORCED')
        await record(tx, call, { page: NAME, action: 'delete', recordId: params.id })
      })
      return null
    },
  }),
]

async function openSessions(app: App, staffId: string, now: Date) {
  const open = await app.db.query
    .selectFrom('session')
    .select(['id', 'device', 'address', 'created_at as since', 'active_at as activeAt'])
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .orderBy('id', 'desc')
    .execute()
  return open.filter(({ activeAt }) => now.getTime() - Date.parse(activeAt) <= IDLE_LIMIT_MS[app.env.SECURITY_PROFILE])
}
