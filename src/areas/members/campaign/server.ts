import { sql } from 'kysely'
import * as z from 'zod'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { numbersFileRoute } from '#engines/audience/file.server.ts'
import { NOTHING_IN_COMMON } from '#engines/audience/model.ts'
import { fillIn } from '#engines/message/model.ts'
import { offeredTemplates } from '#engines/message/server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { createShape } from '#kit/model/resource.ts'
import type { App, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask } from '#kit/server/change/question.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { type Campaign, costOf, reach, resource, templateView, whyNotPaidAgain, workflow } from './model.ts'
import { child } from './numbers/model.ts'
import { type Found, findRecipients, type Wish } from './reaching.server.ts'
import { sendSample } from './sampling.server.ts'
import { cancelRest, goOn, sending, listeners as sendingListeners, tryAgain } from './sending.server.ts'
import { settings } from './settings.model.ts'

const served = serve(resource, {
  workflow,
  async store(op, input, _before, write) {
    const found = await findRecipients({ ...op, db: op.tx }, input as unknown as Wish)
    const id = await write(rowOf(op, input, found))
    await keepRecipients(op, id, found)
    return id
  },
  effects: {
    approve: async ({ actor }) => ({ approverId: actor.id }),
    schedule: (op, campaign, { startAt }) => schedule(op, campaign, startAt),
    resume: carryOn,
    sample: sendSample,
    sendAgain,
    cancel: async (op, { id }) => ({ ...(await cancelRest(op, id)), endedAt: op.now.toISOString() }),
  },
  undo: { pause: carryOn },
})

async function carryOn(op: Operation, { id, startAt }: Campaign): Promise<void> {
  await goOn(op, id, startOf(op, startAt))
}

const startOf = ({ now }: Operation, startAt: string | null): Date =>
  startAt !== null && new Date(startAt) > now ? new Date(startAt) : now

/** In the quiet hours nobody is written to: it begins when they are over. */
async function schedule(op: Operation, { id }: Campaign, startAt: string | null): Promise<Partial<Campaign>> {
  if (startAt !== null && new Date(startAt) < op.now) throw onField('startAt', refuse('starts-in-the-past'))
  const at = startOf(op, startAt)
  await goOn(op, id, at)
  return { startAt: at.toISOString() }
}

/** Consent, hours and the time since the last one are asked again as for anybody who waits. */
async function sendAgain(op: Operation, campaign: Campaign): Promise<Partial<Campaign>> {
  const { id, failed, toSend } = campaign
  const { approvalFen } = await settingsOf(op.app, settings, op.tx)
  const { hundred_fen: hundredFen } = await op.tx
    .selectFrom('campaign')
    .select('hundred_fen')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { numbers, parts } = await tryAgain(op, id)
  const refusal = whyNotPaidAgain(campaign, costOf(parts, hundredFen), approvalFen)
  if (refusal) throw new Refused(refusal)
  await goOn(op, id, op.now)
  return { failed: failed - numbers, toSend: toSend + numbers, endedAt: null }
}

function rowOf({ actor, now }: Operation, input: Campaign, { template, values, reach: found, hundredFen }: Found) {
  const { numbers: _pasted, ...fields } = input as Campaign & { numbers: string }
  const { members, repeated, invalid, strangers, toSend, costFen, needsApproval } = found
  const isFilter = fields.audienceBy === 'FILTER'
  return {
    ...fields,
    ...(isFilter ? {} : NOTHING_IN_COMMON),
    filled: Object.entries(values).map(([name, value]) => ({ name, value })),
    // Each member's own name stays open.
    body: fillIn(template.body, values),
    ...{ code: template.code, title: template.title, providerCode: template.providerCode },
    editionId: template.editionId,
    ...{ members, repeated, invalid, strangers, toSend, withheld: members - toSend, costFen, needsApproval },
    hundredFen,
    ...{ authorId: actor.id, ownerId: actor.id, orgId: actor.orgId, createdAt: now.toISOString() },
  }
}

/** Whom it goes to from now on, whatever changes about them: in the order of members, so that two campaigns meet nobody crosswise. */
async function keepRecipients({ tx, now }: Operation, id: string, { recipients }: Found): Promise<void> {
  await sql`
    insert into campaign_number (campaign_id, member_id, phone, name, parts, status, cause, state_since)
    select ${id}::bigint, r.id, r.phone, r.name, r.parts, case when r.cause is null then 'WAITING' else 'WITHHELD' end, r.cause, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(recipients)}::jsonb) as r (id bigint, phone text, name text, parts int, cause text)
    order by r.id`.execute(tx)
}

const path = `/${resource.screen.name}`
/** All of a campaign but what people call it. */
const { name: _name, ...wished } = createShape(resource)
const access = { page: resource.screen.key, action: 'create' } as const

const askRoutes = (app: App) => [
  numbersFileRoute(app, resource, 'create'),
  route({
    method: 'GET',
    path: `${path}/templates`,
    texts: resource.screen.name,
    access,
    answer: z.array(templateView),
    summary: 'The published templates of marketing text messages, with what has to be put into them.',
    async handle() {
      const offered = await ask(app, offeredTemplates, { db: app.db.query, kind: 'MARKETING' })
      return offered.map(({ templateId: id, title, body, variables }) => ({
        id,
        title,
        body,
        variables: [...variables],
      }))
    },
  }),
  route({
    method: 'POST',
    path: `${path}/reach`,
    texts: resource.screen.name,
    access,
    body: () => z.strictObject(wished),
    answer: reach,
    summary: 'Whom a campaign would reach, why not others, and what it would cost; nothing is written.',
    async handle(call, { body }) {
      const asking = { app, db: app.db.query, actor: call.actor, now: call.now, call }
      return (await findRecipients(asking, body as Wish)).reach
    },
  }),
]

const numbers = serveChild(child)
export const routes: Routes = app => [...askRoutes(app), ...served(app), ...numbers(app)]
export const deliveries = [sending]

export const listeners: readonly Listener[] = [
  ...sendingListeners,
  // A number of its own still: none was written to twice.
  forgets({ table: 'campaign_number', becomes: { phone: "'-' || member_id", name: "''" } }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId, orgId }) => {
    await sql`update campaign set owner_id = ${toId}, org_id = ${orgId} where owner_id = ${fromId}`.execute(tx)
  }),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update campaign set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a campaign counts its numbers where they stand',
    query: `
      select c.id from campaign c left join (
        select campaign_id, count(*) as members, sum(billed_parts) as billed,
          count(*) filter (where status = 'WAITING') as to_send, count(*) filter (where status = 'SENDING') as under_way,
          count(*) filter (where status = 'SENT') as sent, count(*) filter (where status = 'DELIVERED') as delivered,
          count(*) filter (where status = 'FAILED') as failed, count(*) filter (where status = 'UNKNOWN') as unknown,
          count(*) filter (where status = 'WITHHELD') as withheld, count(*) filter (where status = 'CANCELLED') as cancelled
        from campaign_number group by 1
      ) n on n.campaign_id = c.id
      where (c.members, c.to_send, c.under_way, c.sent, c.delivered, c.failed, c.unknown, c.withheld, c.cancelled, c.billed_parts)
        is distinct from (coalesce(n.members, 0), coalesce(n.to_send, 0), coalesce(n.under_way, 0), coalesce(n.sent, 0), coalesce(n.delivered, 0),
          coalesce(n.failed, 0), coalesce(n.unknown, 0), coalesce(n.withheld, 0), coalesce(n.cancelled, 0), coalesce(n.billed, 0))`,
  },
  {
    name: 'a campaign that is over has nobody waiting',
    query: `select id from campaign where status in ('DONE', 'CANCELLED') and to_send > 0`,
  },
  {
    name: 'a campaign with nobody left to write to is over',
    query: `select id from campaign where status in ('SENDING', 'PAUSED') and to_send + under_way = 0`,
  },
  {
    name: 'above the limit a campaign was agreed to by another person before anything left',
    query: `
      select id from campaign where needs_approval and status not in ('DRAFT', 'CANCELLED') and (approver_id is null or approver_id = author_id)`,
  },
]
