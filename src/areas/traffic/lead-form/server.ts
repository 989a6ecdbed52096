import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { lockMembersOf } from '#engines/lead/known.server.ts'
import { giveLeads, lockLead } from '#engines/lead/owning.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Listener } from '#kit/server/app.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { arriving } from './arriving.server.ts'
import { askToCallBack, deliveries as callBacks } from './calling-back.server.ts'
import { type LeadForm, resource, workflow } from './model.ts'

const served = (app: App) =>
  serve(resource, {
    workflow,
    detail: async (_app, { id }) => ({ leadId: await leadIdOf(app, id) }),
    facts: async (_db, rows) => new Map(rows.map(({ id }) => [id, { nowMs: app.clock.now().getTime() }])),
    // Whoever moves a lead has locked its member, then the lead; the form follows it.
    async lock(op, id) {
      const lead = await leadOf(op, id)
      if (lead?.member_id) await ask(app, lockMembersOf, { tx: op.tx, memberIds: [lead.member_id] })
      if (lead) await lockLead(op, lead.id)
    },
    effects: {
      assign: async (op, form, { newOwnerId }) => assign(op, form, newOwnerId),
      callBack: askToCallBack,
      callBackAgain: askToCallBack,
      confirmSent: async op => ({ calledBackAt: op.now.toISOString(), callBackError: null }),
    },
  })

async function leadIdOf(app: App, id: string): Promise<string | null> {
  const form = await app.db.query.selectFrom('lead_form').select('lead_id').where('id', '=', id).executeTakeFirst()
  return form?.lead_id ?? null
}

const leadOf = ({ tx }: Operation, id: string) =>
  tx
    .selectFrom('lead_form as f')
    .innerJoin('lead as l', 'l.id', 'f.lead_id')
    .select(['l.id', 'l.member_id'])
    .where('f.id', '=', id)
    .executeTakeFirst()

async function assign(op: Operation, { id, ownerId }: LeadForm, newOwnerId: string) {
  const owner = await placeOf(op.tx, newOwnerId, 'newOwnerId')
  if (ownerId === owner.id) throw new Refused(refuse('already-owner', { name: owner.name }))
  const lead = await leadOf(op, id)
  if (lead) await giveLeads(op, [lead.id], owner, 'ASSIGNED')
  return { ownerId: owner.id, ...{ orgId: owner.orgId } }
}

export const routes: Routes = app => served(app)(app)
export const events = arriving
export const deliveries = callBacks

export const listeners: readonly Listener[] = [
  // What somebody wrote into a form may name anybody.
  forgets({
    table: 'lead_form',
    where: 't.phone = any($2::text[]) or t.lead_id in (select id from lead where member_id = $1)',
    becomes: { phone: 'null', name: 'null', city: 'null', answers: `'[]'` },
    known: ['name'],
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a form follows the lead it made or found: its owner, how far it has come, and what is forgotten of it',
    query: `
      select f.id from lead_form f join lead l on l.id = f.lead_id
      where (f.owner_id, f.org_id, f.follow_status) is distinct from (l.owner_id, l.org_id, l.status)
        or (l.phone is null and l.member_id is null and f.phone is not null)`,
  },
  {
    name: 'a form that found a lead is one thing that lead came by',
    query: `
      select f.id from lead_form f where f.lead_id is not null
        and not exists (select from lead_touch t where t.lead_id = f.lead_id and t.key = 'form:' || f.form_no)`,
  },
]
