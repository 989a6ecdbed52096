import * as z from 'zod'
import { noteFollowUp, saidToLead } from '#areas/members/member/follow-up.server.ts'
import { followUpView } from '#areas/members/member/side.model.ts'
import { noteContacted } from '#engines/lead/owning.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { sees } from '#kit/server/list/sees.ts'
import { attach } from '#kit/server/storage/file.ts'
import { noteLevel } from './judging.server.ts'
import { type Lead, resource, type workflow } from './model.ts'

/** Somebody spoke with the person: what was said, how likely it looks now, and when to speak again. */
export async function noteContact(
  op: Operation,
  lead: Lead,
  { contactKind, content, level, nextAt, picture }: EnteredWith<typeof workflow, 'contact'>,
): Promise<Partial<Lead>> {
  await attach(op.tx, op.actor.id, { picture }, resource.screen.key, lead.id)
  await noteFollowUp(
    op,
    { memberId: lead.memberId, leadId: lead.id },
    { followUpKind: contactKind, content, nextAt },
    picture,
  )
  await noteContacted(op, lead.id, contactKind)
  await noteLevel(op, lead, level)
  const at = op.now.toISOString()
  return { firstContactAt: lead.firstContactAt ?? at, lastContactAt: at, nextAt, level: level ?? lead.level }
}

/** What was said, newest first; of what is in the pool, whoever may claim it sees that too. */
export const contactRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/:id/contact`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'detail' },
    params: idParams,
    answer: z.array(followUpView),
    summary: 'What was said to the person of a lead, newest first.',
    async handle(call, { params: { id } }) {
      if (!(await sees(app, resource, id, call.actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
      return saidToLead(app, id)
    },
  })
