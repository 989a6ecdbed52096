import * as z from 'zod'
import { resource as member } from '#areas/members/member/model.ts'
import { awaitAllocation } from '#engines/allocation/server.ts'
import { lockPhones } from '#engines/lead/known.server.ts'
import type { Owner } from '#engines/lead/model.ts'
import { giveLeads, lockLead } from '#engines/lead/owning.server.ts'
import { defineNode, defineRuleEvent, rules } from '#engines/rule/declared.server.ts'
import { throughChain } from '#engines/rule/server.ts'
import { isStorable } from '#kit/model/storable.ts'
import { holdersSql } from '#kit/server/access/rights.ts'
import type { App, Change } from '#kit/server/app.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import { resource } from './model.ts'

const texts = resource.screen.name
const SHANGHAI_MS = 8 * 3_600_000

/** What a chain knows of a lead. Nothing of it names a person. */
const FACTS = { source: 'text', channel: 'text', step: 'text', hour: 'whole', weekday: 'whole' } as const

const name = (most: number) => z.string().trim().min(1).max(most).refine(isStorable).optional()
const outcome = z.object({ giveTo: name(50), dealTo: name(50), byRules: z.literal(true).optional() })

/** A number nobody knew began to register: it waits in the pool until its chain has found somebody for it (decision 058). */
const leadArrived = defineRuleEvent({
  name: 'leadArrived',
  texts,
  facts: FACTS,
  outcome,
  shipped: 'THEN(allocateByRules)',
  ms: 1_500,
  read,
  async settle(change, recordId, { outcome: { giveTo, dealTo, byRules } }) {
    const { tx } = change
    const found = await leadOf(tx, recordId)
    if (!found?.phone) return
    // The number and the lead first, as when somebody goes on registering.
    await lockPhones(change, [found.phone])
    await lockLead(change, found.leadId)
    // Taken or given by somebody meanwhile, it is theirs.
    if ((await leadOf(tx, recordId))?.ownerId !== null) return
    const owner = giveTo ? await called(tx, giveTo) : dealTo ? await nextOf(tx, dealTo) : undefined
    if (owner) await giveLeads(change, [found.leadId], owner, 'ALLOCATED')
    else if (byRules) await awaitAllocation(change, [found.leadId])
  },
  concerns: (tx, id) =>
    tx
      .selectFrom('registration')
      .select(['became_id as memberId', 'owner_id as staffId'])
      .where('id', '=', id)
      .executeTakeFirst(),
})

/** Where people have put no chain in force, the rules of allocation decide (decision 078). */
export async function allocated(change: Change, id: string, leadId: string): Promise<void> {
  if (!(await throughChain(change, leadArrived, id))) await awaitAllocation(change, [leadId])
}

const leadOf = (tx: Tx, id: string) =>
  tx
    .selectFrom('registration')
    .select(['lead_id as leadId', 'phone', 'owner_id as ownerId'])
    .where('id', '=', id)
    .where('status', 'in', ['WAITING', 'REMINDED'])
    .executeTakeFirst()

async function read(app: App, id: string) {
  const row = await app.db.query
    .selectFrom('registration')
    .select(['id', 'version', 'source', 'channel', 'step', 'created_at as at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { version, at, source, channel, step } = row
  const there = new Date(new Date(at).getTime() + SHANGHAI_MS)
  // Monday is 1, as people count it.
  const facts = { source, channel, step, hour: there.getUTCHours(), weekday: there.getUTCDay() || 7 }
  return { no: row.id, version, facts }
}

const SELLS = { page: member.screen.key, action: 'own' }

/** Those who work here and look after members of their own. */
async function sellers(tx: Tx, where: string, order: string, value: string): Promise<Owner | undefined> {
  const values: unknown[] = [value]
  const bind = (one: unknown) => `$${values.push(one)}`
  const [found] = await run(
    tx,
    `select t.id, t.org_id from staff t join org o on o.id = t.org_id
     where ${where} and t.status = 'ENABLED' and t.id in (${holdersSql(SELLS, bind)}) order by ${order} limit 1`,
    values,
  )
  return found && { id: String(found.id), orgId: String(found.org_id) }
}

const called = (tx: Tx, account: string) => sellers(tx, 't.account = $1', 't.id', account)

/** Whoever of the department follows the fewest leads: shares even out by themselves. */
const nextOf = (tx: Tx, department: string) =>
  sellers(
    tx,
    'o.code = $1',
    '(select count(*) from lead l where l.owner_id = t.id and l.ended_at is null), t.id',
    department,
  )

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

export const allocation = rules({ events: [leadArrived], nodes })
