import * as z from 'zod'
import { hashToken, isToken, newToken, type Session } from '../access/session.ts'
import type { App } from '../app.ts'
import { type Route, route } from '../http/route.ts'

const TICKET_LIFE_MS = 60_000
/** Tells a ticket from a token, which holds no dot; what follows has a token's shape, by which logs know what to hide. */
const MARK = 't.'

/** A one-time ticket for the socket's address, so that no session token stands in a URL. */
export const ticketRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: '/iam/ticket',
    access: 'session',
    answer: z.strictObject({ ticket: z.string() }),
    summary: 'A ticket that opens one websocket of this session within a minute.',
    async handle(call) {
      const ticket = `${MARK}${newToken()}`
      await app.db.query
        .insertInto('socket_ticket')
        .values({
          hash: hashToken(ticket),
          session_id: call.sessionId,
          expires_at: new Date(call.now.getTime() + TICKET_LIFE_MS),
        })
        .execute()
      return { ticket }
    },
  })

/** The session a token or an unused ticket stands for; a ticket is used up by asking. */
export async function sessionBehind(app: App, slot: string): Promise<Session | undefined> {
  if (!slot.startsWith(MARK) || !isToken(slot.slice(MARK.length))) return app.sessions.find(slot)
  const used = await app.db.query
    .deleteFrom('socket_ticket')
    .where('hash', '=', hashToken(slot))
    .returning(['session_id', 'expires_at'])
    .executeTakeFirst()
  if (!used || Date.parse(used.expires_at) <= app.clock.now().getTime()) return undefined
  return app.sessions.byId(used.session_id)
}
