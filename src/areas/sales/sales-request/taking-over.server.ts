import { sql } from 'kysely'
import * as z from 'zod'
import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { lockMembersOf } from '#engines/lead/known.server.ts'
import { giveLeads } from '#engines/lead/owning.server.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { requireAttempt } from '#kit/server/access/gate.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { PHONE_SEARCHES } from '#kit/server/choice/phone-search.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { sees } from '#kit/server/list/sees.ts'
import { type StandingLead, standingLead } from './lead.model.ts'
import { resource, type SalesRequest } from './model.ts'

type OpenLead = { readonly id: string; readonly memberId: string | null; readonly ownerId: string | null }

const openLeadOf = async (db: Queries, phone: string): Promise<OpenLead | undefined> => {
  const { rows } = await sql<OpenLead>`
    select id, member_id as "memberId", owner_id as "ownerId" from lead
    where phone = ${phone} and ended_at is null order by id desc limit 1`.execute(db)
  return rows[0]
}

/** Whether the number is anybody's is not told to who asks: that would tell numbers apart (decision 062). */
export async function takeOverAsked(op: Operation, { leadPhone }: SalesRequest): Promise<Partial<SalesRequest>> {
  const phone = parsePhone(String(leadPhone))
  if (!phone) throw onField('leadPhone', refuse('kit:phone-invalid'))
  // One's own lead is refused, any other number taken: whoever looks for the number behind the stars is mistaken thirty times and no more.
  await requireAttempt(op.tx, PHONE_SEARCHES, op.actor.id, op.now)
  const lead = await openLeadOf(op.tx, phone)
  if (lead?.ownerId === op.actor.id) throw onField('leadPhone', refuse('already-yours'))
  return { leadPhone: phone, ...{ leadId: lead?.id ?? null } }
}

async function isAskedBy(db: Queries, id: string, staffId: string): Promise<boolean> {
  const own = db.selectFrom('sales_request').select('id').where('id', '=', id).where('applicant_id', '=', staffId)
  return (await own.executeTakeFirst()) !== undefined
}

/** The member a lead is tied to is locked before it, as everywhere. */
export async function lockTakenOver({ app, tx }: Operation, leadPhone: string): Promise<void> {
  const lead = await openLeadOf(tx, leadPhone)
  if (lead?.memberId) await ask(app, lockMembersOf, { tx, memberIds: [lead.memberId] })
}

export async function grantTakeOver(op: Operation, request: SalesRequest): Promise<Partial<SalesRequest>> {
  const lead = request.leadPhone === null ? undefined : await openLeadOf(op.tx, request.leadPhone)
  if (!lead) throw new Refused(refuse('no-lead'))
  const owner = await placeOf(op.tx, request.applicantId, 'applicantId')
  if (lead.ownerId === owner.id) throw new Refused(refuse('has-it-already', { name: owner.name }))
  await giveLeads(op, [lead.id], owner, 'ASSIGNED')
  return { fromId: lead.ownerId, ...{ leadId: lead.id } }
}

/** Whose the lead is and how far it has come: for whoever decides, and for nobody else; nobody decides on what they ask for. */
export const leadRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/:id/lead`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'approve' },
    params: idParams,
    answer: z.strictObject({ lead: standingLead.nullable() }),
    summary: 'How the lead stands that somebody asks to take over.',
    async handle(call, { params: { id } }) {
      if (!(await sees(app, resource, id, call.actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
      if (await isAskedBy(app.db.query, id, call.actor.id)) throw new Refused(refuse('lead-for-deciders'))
      const { rows } = await sql<StandingLead>`
        select s.name as owner, l.status, l.level, l.created_at as "createdAt", l.last_contact_at as "lastContactAt",
          l.member_id is not null as "isMember"
        from sales_request r join lead l on l.phone = r.lead_phone and l.ended_at is null left join staff s on s.id = l.owner_id
        where r.id = ${id} order by l.id desc limit 1`.execute(app.db.query)
      return { lead: rows[0] ?? null }
    },
  })
