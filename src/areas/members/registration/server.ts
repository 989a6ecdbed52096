import { sql } from 'kysely'
import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { leadGivenUp, reopenLead } from '#engines/lead/ending.server.ts'
import { leadForgotten, leadHandedOver, leadSettled, lockPhones } from '#engines/lead/known.server.ts'
import { giveLeads, lockLead, returnLeads } from '#engines/lead/owning.server.ts'
import { send, ships } from '#engines/message/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { arriving } from './arriving.server.ts'
import { type Registration, resource, workflow } from './model.ts'
import { registrationReminder } from './reminder.model.ts'

export const routes = (app: App) =>
  serve(resource, {
    workflow,
    facts: async (_db, rows) => new Map(rows.map(({ id }) => [id, { nowMs: app.clock.now().getTime() }])),
    // The number and the lead first, as when somebody goes on registering: whoever comes meanwhile waits.
    async lock(op, id) {
      const found = await op.tx
        .selectFrom('registration')
        .select(['lead_id', 'phone'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (found?.phone) await lockPhones(op, [found.phone])
      if (found) await lockLead(op, found.lead_id)
    },
    effects: {
      remind,
      assign: (op, row, { newOwnerId }) => give(op, row, newOwnerId),
      markInvalid,
    },
    undo: { assign: handBack, markInvalid: reopen },
  })(app)

async function leadOf(tx: Tx, { id }: Pick<Registration, 'id'>): Promise<string> {
  const found = tx.selectFrom('registration').select('lead_id').where('id', '=', id)
  return (await found.executeTakeFirstOrThrow()).lead_id
}

async function remind(op: Operation, row: Registration): Promise<Partial<Registration>> {
  const reminders = row.reminders + 1
  await send(op, registrationReminder, {
    to: { leadId: await leadOf(op.tx, row), address: row.phone },
    values: {},
    about: `registration:${row.id}:${reminders}`,
  })
  return { reminders, remindedAt: op.now.toISOString() }
}

/** The lead goes along, and with it whatever hangs on it. */
async function give(op: Operation, row: Registration, ownerId: string | null): Promise<Partial<Registration>> {
  const owner = ownerId === null ? null : await placeOf(op.tx, ownerId, 'newOwnerId')
  if (owner && row.ownerId === owner.id) throw new Refused(refuse('already-owner', { name: owner.name }))
  const leadIds = [await leadOf(op.tx, row)]
  if (owner) await giveLeads(op, leadIds, owner, 'ASSIGNED')
  else await returnLeads(op, leadIds, { left: 'MOVED', reason: null })
  return { ownerId, ...{ orgId: owner?.orgId ?? null } }
}

/** To whoever had it, unless that is no longer that person's job; what was nobody's is nobody's again. */
async function handBack(op: Operation, row: Registration, { ownerId = null }: Partial<Registration>) {
  const form = { page: resource.screen.key, shape: workflow.steps.assign.input }
  if (ownerId !== null) await requireOffered(op, form, { newOwnerId: ownerId })
  return give(op, row, ownerId)
}

async function markInvalid(op: Operation, row: Registration): Promise<void> {
  // Before the lead is closed, so that its end is not told of this row a second time.
  await op.tx.updateTable('registration').set({ status: 'INVALID' }).where('id', '=', row.id).execute()
  await leadGivenUp(op, await leadOf(op.tx, row), 'INVALID')
}

async function reopen(op: Operation, row: Registration): Promise<void> {
  if (!(await reopenLead(op, await leadOf(op.tx, row)))) throw new Refused(refuse('number-came-again'))
}

/** Registered, or led nowhere, wherever that was found out. */
async function close(change: Change, leadIds: readonly string[], becameId: string | null): Promise<void> {
  const status = becameId === null ? 'INVALID' : 'REGISTERED'
  const open = await change.tx
    .selectFrom('registration')
    .select(['id', 'status', 'became_id as becameId'])
    .where('lead_id', 'in', [...leadIds])
    .where('status', 'in', ['WAITING', 'REMINDED'])
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const row of open)
    await writeChange(change, resource, row, { status, becameId }, status === 'REGISTERED' ? 'register' : 'leadNowhere')
}

export const events = arriving

export const listeners: readonly Listener[] = [
  ships(registrationReminder),
  forgets({ table: 'registration', where: 't.phone = any($2::text[])', becomes: { phone: 'null' } }),
  listen(leadSettled, (change, { leadIds, memberId }) => close(change, leadIds, memberId)),
  listen(leadHandedOver, async ({ tx }, { leadIds, owner }) => {
    await sql`
      update registration set owner_id = ${owner?.id ?? null}, org_id = ${owner?.orgId ?? null}
      where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await sql`update registration set phone = null where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'an unfinished registration is seen by the owner of its lead, and keeps no number the lead has forgotten',
    query: `
      select r.id, r.owner_id, l.owner_id as lead_owner from registration r join lead l on l.id = r.lead_id
      where (r.owner_id, r.org_id, r.phone) is distinct from (l.owner_id, l.org_id, l.phone)`,
  },
  {
    name: 'a registration waits exactly as long as its lead is no more than a number, and became whom that became',
    query: `
      select r.id, r.status, l.status as lead_status from registration r join lead l on l.id = r.lead_id
      where r.became_id is distinct from l.member_id or case
        when l.member_id is not null then r.status <> 'REGISTERED'
        when l.ended_at is not null then r.status <> 'INVALID'
        else r.status not in ('WAITING', 'REMINDED') end`,
  },
]
