import { sql } from 'kysely'
import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { contactAdded } from '#engines/contact/heard.server.ts'
import { squaresOf } from '#engines/copybook/code.server.ts'
import { linkFault } from '#engines/copybook/order.model.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { beginDay, noteAdded } from './adding.server.ts'
import { child as adds } from './adds/model.ts'
import { child as holders } from './holders/model.ts'
import { beginSpan, endSpan, type Got, handOverAccounts, liftLimits } from './holding.server.ts'
import { type ChatAccount, resource, workflow } from './model.ts'

const served = serve(resource, {
  workflow,
  constraints: { chat_account_no: { code: 'known-already', field: 'accountNo' } },
  async store(_op, input, before, write) {
    const fault = input.link === null ? undefined : linkFault(input.link)
    if (fault) throw onField('link', fault)
    return write(before ? input : { ...input, status: 'IDLE', ownerId: null })
  },
  detail: async (_app, { link }) => ({ squares: link === null ? [] : squaresOf(link) }),
  effects: {
    handOut: (op, account, { newOwnerId }) => pass(op, account, newOwnerId, 'HANDED_OUT'),
    moveOn: (op, account, { newOwnerId }) => pass(op, account, newOwnerId, 'MOVED'),
    async reclaim(op, { id }) {
      await endSpan(op, id, 'RECLAIMED')
      return { ownerId: null, ownerSince: null }
    },
    limit: async (op, { risk, riskSince, riskNote: noted }, { limitedUntil, riskNote }) => ({
      limitedUntil,
      risk: risk === 'NONE' ? 'WATCH' : risk,
      riskSince: riskSince ?? op.now.toISOString(),
      riskNote: riskNote || noted,
    }),
    block: async (op, _account, { reason = '' }) => ({
      limitedUntil: null,
      risk: 'HIGH' as const,
      riskSince: op.now.toISOString(),
      riskNote: reason,
    }),
    restore: async () => ({ limitedUntil: null }),
    retire: async () => ({ limitedUntil: null }),
    judgeRisk: async (op, _account, { risk, riskNote }) => ({
      risk,
      riskNote: risk === 'NONE' ? '' : riskNote,
      riskSince: risk === 'NONE' ? null : op.now.toISOString(),
    }),
  },
})

async function pass(op: Operation, { id, ownerId }: ChatAccount, toId: string, got: Got) {
  const holder = await placeOf(op.tx, toId, 'newOwnerId')
  if (ownerId === holder.id) throw new Refused(refuse('already-held', { name: holder.name }))
  await beginSpan(op, id, holder, got)
  return { ownerId: holder.id, ownerSince: op.now.toISOString(), ...{ orgId: holder.orgId } }
}

export const routes: Routes = app => [...served(app), ...serveChild(holders)(app), ...serveChild(adds)(app)]

/** Limits that are over end, and each day begins with nobody added. */
const keep = defineJob({
  name: 'keep-chat-accounts',
  cron: '0 */5 * * * *',
  misfire: 'RUN_ONCE',
  work: async change => (await liftLimits(change)) + (await beginDay(change)),
})
export const jobs = [keep]

export const listeners: readonly Listener[] = [
  listen(contactAdded, (change, { staffId, contactId, at }) =>
    noteAdded(change, { how: 'CONTACT', staffId, contactId, at }),
  ),
  listen(staffHandedOver, handOverAccounts),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update chat_account set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'the open span of a chat account names whoever has it',
    query: `
      select a.id, a.owner_id, h.staff_id from chat_account a left join chat_account_holder h on h.account_id = a.id and h.until is null
      where h.staff_id is distinct from a.owner_id`,
  },
  {
    name: 'a chat account is in use exactly while somebody has it and nothing holds it up',
    query: `
      select id, status from chat_account
      where (owner_id is null) <> (owner_since is null) or (status = 'IN_USE' and owner_id is null)
        or (status in ('IDLE', 'RETIRED') and owner_id is not null)`,
  },
  {
    name: 'a chat account counts whom it added on its day',
    query: `
      select a.id, a.used_today, n.added from chat_account a, lateral (
        select count(*) as added from chat_account_add d where d.account_id = a.id and (d.at at time zone 'Asia/Shanghai')::date = a.used_on) n
      where a.used_today <> n.added`,
  },
]
