import * as z from 'zod'
import { type Actor, PREVIEW_MS } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { formatInstant } from '#kit/model/time.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { operate } from '../change/operation.ts'
import type { Tx } from '../database/database.ts'
import { type Route, route } from '../http/route.ts'

/** The page the log of a role belongs to. */
const ROLES = 'iam-role'
type Signed = Call<'session'> | Call<{ page: string; action: string }>

/** The session sees what the role sees, no more than its person does, for an hour at most; the log says from when to when. */
export const beginPreview = (app: App, call: Signed, roleId: string): Promise<void> =>
  operate(app, call, async ({ tx, now }) => {
    const role = await tx
      .selectFrom('role')
      .select(['id', 'code'])
      .where('id', '=', roleId)
      .forKeyShare()
      .executeTakeFirst()
    if (!role) throw new Refused(refuse('kit:record-missing'), 'not-found')
    if (role.code === 'SUPER_ADMIN') throw new Refused(refuse('kit/server/auth:preview-of-all'))
    const until = new Date(now.getTime() + PREVIEW_MS)
    await app.sessions.preview(tx, { id: call.sessionId, staffId: call.actor.id }, { id: roleId, until })
    const diff = { previewUntil: [null, formatInstant(until)] } as const
    await record(tx, call, { page: ROLES, action: 'preview', recordId: roleId, diff })
  })

/** Whoever leaves, or has seen enough, looks as nobody any more. */
export async function endPreview(app: App, tx: Tx, call: Call<'session'>): Promise<void> {
  const { id: staffId, preview }: Actor = call.actor
  if (!preview) return
  await app.sessions.preview(tx, { id: call.sessionId, staffId }, null)
  await record(tx, call, { page: ROLES, action: 'endPreview', recordId: preview.roleId })
}

export const endPreviewRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: '/auth/preview/end',
    access: 'session',
    answer: z.null(),
    summary: 'Ends looking at the console as a role does.',
    async handle(call) {
      await operate(app, call, ({ tx }) => endPreview(app, tx, call))
      return null
    },
  })
