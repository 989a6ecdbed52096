import * as z from 'zod'
import { resource as member } from '#areas/members/member/model.ts'
import { shutOut } from '#engines/allocation/round.server.ts'
import { awaitAllocation } from '#engines/allocation/server.ts'
import { leadArrived as arrived, leadBegan, lockMembersOf, lockPhones } from '#engines/lead/known.server.ts'
import type { Owner } from '#engines/lead/model.ts'
import { giveLeads, lockLead } from '#engines/lead/owning.server.ts'
import { defineNode, defineRuleEvent, rules } from '#engines/rule/declared.server.ts'
import { allThroughChain } from '#engines/rule/server.ts'
import { isStorable } from '#kit/model/storable.ts'
import { holdersSql } from '#kit/server/access/rights.ts'
import type { App, Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { ask } from '#kit/server/change/question.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import { resource } from './model.ts'

const texts = resource.screen.name
const SHANGHAI_MS = 8 * 3_600_000

/** What a chain knows of a lead; how far somebody has come with registering where that was begun. Nothing of it names a person. */
const FACTS = {
  cameBy: 'text',
  source: 'text',
  channel: 'text',
  product: 'text',
  step: 'text',
  hour: 'whole',
  weekday: 'whole',
} as const

const name = (most: number) => z.string().trim().min(1).max(most).refine(isStorable).optional()
/** What a chain may decide; anything else its nodes answered decides nothing. */
export const outcome = z.object({ giveTo: name(50), dealTo: name(50), byRules: z.literal(true).optional() })

/** A number nobody knew has come, by whichever side of the door: it waits in the pool until its chain has found somebody for it. */
export const leadArrived = defineRuleEvent({
  name: 'leadArrived',
  texts,
  facts: FACTS,
  outcome,
  shipped: 'THEN(allocateByRules)',
  ms: 1_500,
  read,
  async settle(change, leadId, { outcome: { giveTo, dealTo, byRules } }) {
    const { app, tx } = change
    const found = await leadOf(tx, leadId)
    if (!found) return
    // Who is paused or has had enough gets none, whoever a chain names.
    const shut = giveTo || dealTo ? await shutOut(change) : []
    // The number, the member it may have become by now, and the lead, as everybody locks them.
    if (found.phone !== null) await lockPhones(change, [found.phone])
    const { memberId = null } = (await leadOf(tx, leadId)) ?? {}
    if (memberId !== null) await ask(app, lockMembersOf, { tx, memberIds: [memberId] })
    await lockLead(change, leadId)
    // Taken or given by somebody meanwhile, it is theirs.
    const now = await leadOf(tx, leadId)
    if (!now || now.ownerId !== null) return
    const owner = giveTo ? await called(tx, giveTo, shut) : dealTo ? await nextOf(tx, dealTo, shut) : undefined
    if (owner) await giveLeads(change, [leadId], owner, 'ALLOCATED')
    else if (byRules) await awaitAllocation(change, [leadId])
  },
  concerns: (tx, id) =>
    tx
      .selectFrom('lead')
      .select(['member_id as memberId', 'owner_id as staffId'])
      .where('id', '=', id)
      .executeTakeFirst(),
})

/** Where people have put no chain in force, the rules of allocation decide (decision 078). */
async function allocated(change: Change, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length > 0 && !(await allThroughChain(change, leadArrived, leadIds)))
    await awaitAllocation(change, leadIds)
}

/** A lead somebody may still be found for. */
const leadOf = (tx: Tx, id: string) =>
  tx
    .selectFrom('lead')
    .select(['phone', 'owner_id as ownerId', 'member_id as memberId'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

async function read(app: App, id: string) {
  const row = await app.db.query
    .selectFrom('lead as l')
    .leftJoin('registration as r', 'r.lead_id', 'l.id')
    .leftJoin('product as p', 'p.id', 'l.product_id')
    .select(['l.id', 'l.version', 'l.came_by', 'l.source', 'l.channel', 'p.code', 'r.step', 'l.created_at'])
    .where('l.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { version, came_by: cameBy, source, channel, code: product, step, created_at: at } = row
  const there = new Date(new Date(at).getTime() + SHANGHAI_MS)
  // Monday is 1, as people count it.
  const clock = { hour: there.getUTCHours(), weekday: there.getUTCDay() || 7 }
  return { no: row.id, version, facts: { cameBy, source, channel, product: product ?? '', step: step ?? '', ...clock } }
}

const SELLS = { page: member.screen.key, action: 'own' }

type Wanted = {
  readonly where: string
  readonly order: string
  readonly value: string
  readonly shut: readonly string[]
}

/** Of those who work here and look after members of their own, the first who may have one. */
async function seller(tx: Tx, { where, order, value, shut }: Wanted): Promise<Owner | undefined> {
  const values: unknown[] = [value, shut]
  const bind = (one: unknown) => `$${values.push(one)}`
  const [found] = await run(
    tx,
    `select t.id, t.org_id from staff t join org o on o.id = t.org_id
     where ${where} and t.status = 'ENABLED' and t.id <> all($2::bigint[]) and t.id in (${holdersSql(SELLS, bind)})
     order by ${order} limit 1`,
    values,
  )
  return found && { id: String(found.id), orgId: String(found.org_id) }
}

const called = (tx: Tx, value: string, shut: readonly string[]) =>
  seller(tx, { where: 't.account = $1', order: 't.id', value, shut })

/** Whoever of the department follows the fewest leads: shares even out by themselves. */
const FEWEST = '(select count(*) from lead l where l.owner_id = t.id and l.ended_at is null), t.id'
const nextOf = (tx: Tx, value: string, shut: readonly string[]) =>
  seller(tx, { where: 'o.code = $1', order: FEWEST, value, shut })

const nodes = [
  defineNode({
    name: 'allocateByRules',
    texts,
    type: 'common',
    parameters: {},
    answers: ['byRules'],
    run: () => ({ byRules: true }),
  }),
  defineNode({ name: 'leavePool', texts, type: 'common', parameters: {}, run: () => ({}) }),
  defineNode({
    name: 'giveLead',
    texts,
    type: 'common',
    parameters: { account: 'text' },
    answers: ['giveTo'],
    run: (_asked, { account }) => ({ giveTo: account }),
  }),
  defineNode({
    name: 'dealLead',
    texts,
    type: 'common',
    parameters: { department: 'text' },
    answers: ['dealTo'],
    run: (_asked, { department }) => ({ dealTo: department }),
  }),
]

export const allocation: readonly Listener[] = [
  rules({ events: [leadArrived], nodes }),
  // Whose a lead is from the beginning is nobody else's to have.
  listen(arrived, (change, { leads }) =>
    allocated(
      change,
      leads.flatMap(({ id, owner }) => (owner === null ? [id] : [])),
    ),
  ),
  listen(leadBegan, (change, { leadIds }) => allocated(change, leadIds)),
]
