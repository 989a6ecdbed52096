import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import type { Source } from '#kit/server/live/event.ts'
import { putInForce } from '../../../../tools/testing/chain-in-force.ts'
import { grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { LIST_SAID, sendFile, settled } from '../../../../tools/testing/import.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'

const OWN = { 'member-mobile': ['list', 'detail'], 'member-list': ['list', 'detail', 'own'] }
const SHIPPED = 'THEN(allocateByRules)'
const IMPORT = '/members/number-import'

const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
let instance: TestInstance
let folder: string
let clerk: Caller
let productCode: string
let byRules: Caller
let byChain: Caller
let outside: string
let write: (source: string) => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-sources-'))
  instance = await openTestInstance({ clock, isSending: false, env: { DATA_DIR: folder } })
  const { query } = instance.app.db
  const importing = { 'member-salePhone': ['list', 'detail', 'import', 'undoImport'], 'member-list': ['list', 'own'] }
  clerk = await person(instance, { grants: importing })
  const productId = await offer(instance, [grantOf('COINS', 100)], { priceFen: 1_990 })
  const product = query.selectFrom('product').select('code').where('id', '=', productId)
  productCode = (await product.executeTakeFirstOrThrow()).code
  byRules = await person(instance, { grants: OWN })
  byChain = await person(instance, { grants: OWN })
  const account = query.selectFrom('staff').select('account').where('id', '=', byChain.id)
  outside = (await account.executeTakeFirstOrThrow()).account
  const everyHour = { work_days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], work_from: 0, work_to: 24 }
  const { id: staff_id, orgId: org_id } = byRules as Caller & { orgId: string }
  await query
    .insertInto('consultant')
    .values({ staff_id, owner_id: staff_id, org_id, ...everyHour })
    .execute()
  const lines = [{ staffId: byRules.id, weight: null, isFallback: false }]
  const all = { sources: [], channels: [], products: [], validFrom: null, validUntil: null }
  const rules = JSON.stringify({
    rules: [{ key: 'all', name: '全部线索', ...all, lines }],
    holidays: [],
    warnMinutes: 15,
  })
  await query.insertInto('allocation_edition').values({ rules, note: '', created_at: instance.clock.now() }).execute()
  const anew = await putInForce(instance, 'leadArrived', SHIPPED)
  let written = SHIPPED
  write = async source => {
    if (source !== written) await anew(source)
    written = source
  }
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

let counter = PHONES.test + 1_100_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}
async function tell(source: Source, type: string, data: object): Promise<void> {
  expect(await sendEvent(instance, source, { id: randomUUID(), type, data: data as never })).toMatchObject({ code: 0 })
  await instance.inbox.sweep()
}
async function bring(phones: readonly string[]): Promise<void> {
  const head = ['手机号', '称呼', '来源', '渠道', '联系依据', '归属人账号']
  const rows = phones.map(phone => [phone, '', '公益课学校', 'SCHOOL', '学校报名', ''])
  const file = Buffer.from([head, ...rows].map(cells => cells.join(',')).join('\n'))
  const { data } = await sendFile(instance, clerk, `${IMPORT}/import`, file, 'numbers.csv')
  expect(
    await clerk.post(`${IMPORT}/import/${data.id}/check`, { mapping: data.mapping, said: LIST_SAID }),
  ).toMatchObject({ code: 0 })
  await settled(clerk, `${IMPORT}/import`, data.id)
  expect(await clerk.post(`${IMPORT}/import/${data.id}/run`)).toMatchObject({ code: 0 })
  expect(await settled(clerk, `${IMPORT}/import`, data.id)).toMatchObject({ doneRows: phones.length })
}
const begin = (phone: string) =>
  tell('app', 'registration.reached', { phone, step: 'CODE_SENT', source: 'APP', channel: 'STORE' })

/** How a number comes by each side of the door, and what a chain knows of it then. */
const SIDES = {
  'a sign-up that was begun': { facts: { cameBy: 'REGISTRATION', step: 'CODE_SENT' }, come: begin },
  'a form of Traffic': {
    facts: { cameBy: 'FORM', channel: 'XIAOHONGSHU_FORM', step: '' },
    come: (phone: string) =>
      tell('xiaohongshu', 'lead-form.submitted', { formNo: randomUUID().slice(0, 20), kind: 'FORM', phone }),
  },
  'an order on a platform': {
    facts: { cameBy: 'PLATFORM_ORDER', source: 'DOUYIN', step: '' },
    come(phone: string) {
      const at = new Date(instance.clock.now().getTime() - 60_000).toISOString()
      const paid = { at, paidAt: at, product: '体验课', productCode, amountFen: 1_990, buyerMobile: phone }
      return tell('douyin', 'platform-order.told', { orderNo: `6${phone}${counter}`, ...paid })
    },
  },
  'a list of numbers': { facts: { cameBy: 'IMPORT', channel: 'SCHOOL' }, come: (phone: string) => bring([phone]) },
}

const leadOf = (phone: string) =>
  instance.app.db.query
    .selectFrom('lead')
    .select(['id', 'owner_id', 'member_id', 'status'])
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow()
/** The chain first, and then a round of the rules, where it asked for one. */
async function decided(phone: string): Promise<string | null> {
  await instance.outbox.run()
  await instance.outbox.run()
  return (await leadOf(phone)).owner_id
}

describe.each(Object.entries(SIDES))('a number that comes by %s', (_side, { facts, come }) => {
  const given = async (source: string) => {
    await write(source)
    const phone = newPhone()
    await come(phone)
    expect((await leadOf(phone)).owner_id).toBeNull()
    return { phone, owner: await decided(phone) }
  }

  test('is given by the rules through the chain that is shipped, and by another chain to whom that names', async () => {
    expect((await given(SHIPPED)).owner).toBe(byRules.id)
    const { phone, owner } = await given(`THEN(giveLead.bind("account", "${outside}"))`)
    expect(owner).toBe(byChain.id)
    // And it stands beside the lead, why it went there.
    const reader = await person(instance, { grants: { 'sale-salvage': ['list', 'detail'] }, scope: 'ALL' })
    const { id } = await leadOf(phone)
    const { data } = await reader.get<unknown[]>(`/sales/salvage/${id}/chain-run`)
    expect(data).toMatchObject([{ chose: 'GIVE', to: outside, edition: expect.any(Number), fault: null }])
    const left = await given('THEN(leavePool)')
    expect(left.owner).toBeNull()
    // Nothing else hands it out later.
    expect(await decided(left.phone)).toBeNull()
  })

  test('is told apart from the others by the chain', async () => {
    const [[name, value] = ['', '']] = Object.entries(facts)
    const source = `IF(isText.bind("fact", "${name}").bind("text", "${value}"), giveLead.bind("account", "${outside}")).ELSE(leavePool)`
    const { phone, owner } = await given(source)
    expect(owner).toBe(byChain.id)
    const reader = { 'liteflow-chain': ['list', 'detail', 'try'], 'sale-salvage': ['list', 'detail'] }
    const trying = await person(instance, { grants: reader, scope: 'ALL' })
    const { id } = await leadOf(phone)
    const { data } = await trying.get<{ facts: string }>(`/system/rule-chain/facts?event=leadArrived&recordId=${id}`)
    expect(JSON.parse(data.facts)).toMatchObject(facts)
  })
})

test('a list that many numbers come by goes through the chain number by number', async () => {
  await write(`THEN(giveLead.bind("account", "${outside}"))`)
  const phones = Array.from({ length: 12 }, newPhone)
  await bring(phones)
  await instance.outbox.run()
  const owners = await Promise.all(phones.map(async phone => (await leadOf(phone)).owner_id))
  expect(owners).toEqual(phones.map(() => byChain.id))
})

test('a long list holds up no other call: its numbers are decided about a little apart, until all are', async () => {
  await write(`THEN(giveLead.bind("account", "${outside}"))`)
  const phones = Array.from({ length: 130 }, newPhone)
  await bring(phones)
  const calls = instance.app.db.query.selectFrom('outbox').select(['due_at', 'created_at'])
  const due = (await calls.where('kind', '=', 'rule-run').where('status', '=', 'WAITING').execute()).map(
    ({ due_at, created_at }) => Date.parse(due_at) - Date.parse(created_at),
  )
  expect(due.filter(ms => ms === 0)).toHaveLength(100)
  expect(Math.max(...due)).toBe(30 * 20)
  await instance.outbox.run()
  expect(await calls.where('kind', '=', 'rule-run').where('status', '=', 'WAITING').execute()).toHaveLength(30)
  clock.forward(30 * 20)
  await instance.outbox.run()
  const owned = instance.app.db.query.selectFrom('lead').select('id').where('phone', 'in', phones)
  expect(await owned.where('owner_id', '=', byChain.id).execute()).toHaveLength(130)
})

test('whoever waits in the pool and begins to register goes through the chain once more', async () => {
  await write('THEN(leavePool)')
  const phone = newPhone()
  await bring([phone])
  expect(await decided(phone)).toBeNull()
  await write(`THEN(giveLead.bind("account", "${outside}"))`)
  await begin(phone)
  expect(await decided(phone)).toBe(byChain.id)
})

test('whoever has registered before the chain could decide is given all the same, and the member with the lead', async () => {
  await write(`THEN(giveLead.bind("account", "${outside}"))`)
  const phone = newPhone()
  await begin(phone)
  await tell('app', 'member.registered', { phone, name: '林小满', source: 'APP', channel: 'STORE' })
  expect(await decided(phone)).toBe(byChain.id)
  const member = instance.app.db.query.selectFrom('member').select('owner_id').where('phone', '=', phone)
  expect(await member.executeTakeFirstOrThrow()).toEqual({ owner_id: byChain.id })
})

test('what somebody has claimed or ended before the chain decides stays as it is', async () => {
  await write(`THEN(giveLead.bind("account", "${outside}"))`)
  const phone = newPhone()
  await begin(phone)
  const manager = await person(instance, {
    grants: { 'sale-salvage': ['list', 'claim', 'assign', 'markInvalid'], 'member-list': ['list', 'own'] },
    scope: 'ALL',
  })
  const { id } = await leadOf(phone)
  expect(await manager.post(`/sales/salvage/${id}/markInvalid`, { endReason: 'WRONG_NUMBER' })).toMatchObject({
    code: 0,
  })
  expect(await decided(phone)).toBeNull()
  expect(await leadOf(phone)).toMatchObject({ status: 'INVALID' })
})
