import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { putInForce } from '../../../../tools/testing/chain-in-force.ts'
import { type Caller, openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'

const OWN = { 'member-mobile': ['list', 'detail'], 'member-list': ['list', 'detail', 'own'] }

describe('a number nobody knew, where a chain is in force', () => {
  let instance: TestInstance
  let team: Caller[]
  let outsider: Caller
  let code: string
  let write: (source: string) => Promise<void>
  beforeAll(async () => {
    instance = await openTestInstance({ isSending: false })
    const orgId = await org(instance)
    team = [await person(instance, { grants: OWN, orgId }), await person(instance, { grants: OWN, orgId })]
    outsider = await person(instance, { grants: OWN })
    // Of the same team, and nobody's consultant.
    await person(instance, { grants: { 'member-list': ['list'] }, orgId })
    const { db } = instance.app
    code = (await db.query.selectFrom('org').select('code').where('id', '=', orgId).executeTakeFirstOrThrow()).code
    write = await putInForce(instance, 'leadArrived', `THEN(dealLead.bind("department", "${code}"))`)
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  let numbers = PHONES.test + 70_000
  async function begun(source = 'APP'): Promise<string> {
    numbers += 1
    const phone = phoneAt(numbers)
    const data = { phone, step: 'PHONE', source, channel: 'STORE' }
    await sendEvent(instance, 'app', { id: randomUUID(), type: 'registration.reached', data })
    await instance.inbox.sweep()
    return phone
  }
  const ownerOf = async (phone: string) => {
    const found = instance.app.db.query.selectFrom('lead').select('owner_id').where('phone', '=', phone)
    return (await found.executeTakeFirstOrThrow()).owner_id
  }
  async function allocated(source?: string): Promise<string | null> {
    const phone = await begun(source)
    expect(await ownerOf(phone)).toBeNull()
    await instance.outbox.run()
    return ownerOf(phone)
  }

  test('goes to whoever of the department follows the fewest, so that shares even out', async () => {
    const owners = [await allocated(), await allocated(), await allocated(), await allocated()]
    for (const { id } of team) expect(owners.filter(owner => owner === id)).toHaveLength(2)
  })

  test('goes where the chain sends its source, and stays in the pool where it names nobody who could follow it', async () => {
    const { account } = await instance.app.db.query
      .selectFrom('staff')
      .select('account')
      .where('id', '=', outsider.id)
      .executeTakeFirstOrThrow()
    await write(`IF(isText.bind("fact", "source").bind("text", "DOUYIN"), giveLead.bind("account", "${account}"))
      .ELSE(giveLead.bind("account", "nobody-here"))`)
    expect(await allocated('DOUYIN')).toBe(outsider.id)
    expect(await allocated()).toBeNull()
  })

  test('is dealt out by the rules of allocation as before there were chains: by the chain that was shipped, which decides too where another fails', async () => {
    const rules = JSON.stringify({ rules: [], holidays: [], warnMinutes: 15 })
    const { query } = instance.app.db
    const edition = { rules, note: '', created_at: instance.clock.now() }
    await query.insertInto('allocation_edition').values(edition).execute()
    const awaitsRules = async (source: string) => {
      await write(source)
      const phone = await begun()
      await instance.outbox.run()
      const found = query.selectFrom('allocation_case as c').innerJoin('lead as l', 'l.id', 'c.lead_id').select('l.id')
      return (await found.where('l.phone', '=', phone).execute()).length > 0
    }
    expect(await awaitsRules('THEN(leavePool)')).toBe(false)
    expect(await awaitsRules('THEN(allocateByRules)')).toBe(true)
    expect(await awaitsRules('WHILE(true).DO(IF(over.bind("fact", "hour").bind("than", -1), leavePool))')).toBe(true)
  })

  test('is given by the rules in force through the shipped chain; another chain gives it to another, and where that fails the rules do', async () => {
    const [byRules, byChain] = [await seller(), await seller()]
    const line = { staffId: byRules.id, weight: null, isFallback: false }
    const rule = {
      key: 'all',
      name: '全部线索',
      sources: [],
      channels: [],
      products: [],
      validFrom: null,
      validUntil: null,
    }
    const rules = JSON.stringify({ rules: [{ ...rule, lines: [line] }], holidays: [], warnMinutes: 15 })
    const { query } = instance.app.db
    await query.insertInto('allocation_edition').values({ rules, note: '', created_at: instance.clock.now() }).execute()
    const clerk = await person(instance, { grants: { 'liteflow-chain': ['list', 'detail'] } })
    const { data } = await clerk.get<{ events: { name: string; shipped: string }[] }>('/system/rule-chain/known')
    const shipped = data.events.find(({ name }) => name === 'leadArrived')?.shipped
    expect(shipped).toBe('THEN(allocateByRules)')
    const given = async (source: string) => {
      await write(source)
      const phone = await begun()
      // The chain first, and then a round of the rules, where it asked for one.
      await instance.outbox.run()
      await instance.outbox.run()
      return ownerOf(phone)
    }
    expect(await given(String(shipped))).toBe(byRules.id)
    expect(await given(`THEN(giveLead.bind("account", "${byChain.account}"))`)).toBe(byChain.id)
    expect(await given('THEN(leavePool)')).toBeNull()
    expect(await given('WHILE(true).DO(IF(over.bind("fact", "hour").bind("than", -1), leavePool))')).toBe(byRules.id)
  })

  test('gives none to who is paused or has had enough, whomever the chain names; where nobody is left, it stays in the pool', async () => {
    const [paused, capped] = team as [Caller & { orgId: string }, Caller & { orgId: string }]
    const { query } = instance.app.db
    const consultant = ({ id, orgId }: Caller & { orgId: string }, terms: object) =>
      query
        .insertInto('consultant')
        .values({ staff_id: id, owner_id: id, org_id: orgId, ...terms })
        .execute()
    const had = query
      .selectFrom('lead_owner')
      .select('id')
      .where('owner_id', '=', capped.id)
      .where('got', '=', 'ALLOCATED')
    await consultant(paused, { status: 'PAUSED' })
    await consultant(capped, { daily_cap: (await had.execute()).length + 2 })
    await write(`THEN(dealLead.bind("department", "${code}"))`)
    expect([await allocated(), await allocated(), await allocated()]).toEqual([capped.id, capped.id, null])
    const account = query.selectFrom('staff').select('account').where('id', '=', paused.id)
    await write(`THEN(giveLead.bind("account", "${(await account.executeTakeFirstOrThrow()).account}"))`)
    expect(await allocated()).toBeNull()
  })

  /** Somebody who follows leads, and is given them at any hour. */
  async function seller() {
    const made = await person(instance, { grants: OWN })
    const { query } = instance.app.db
    const everyHour = { work_days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], work_from: 0, work_to: 24 }
    await query
      .insertInto('consultant')
      .values({ staff_id: made.id, owner_id: made.id, org_id: made.orgId, ...everyHour })
      .execute()
    const found = query.selectFrom('staff').select('account').where('id', '=', made.id)
    return { ...made, account: (await found.executeTakeFirstOrThrow()).account }
  }
})
