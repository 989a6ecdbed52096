import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsBehind, type StatisticAnswer, type Values } from '#kit/model/statistic.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { LIST_SAID, sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { statistic } from './model.ts'

const PATH = '/sales/phone-count'
const BRING = '/members/number-import'
const SELLS = ['list', 'detail', 'claim', 'contact', 'followUp', 'markAdded', 'giveBack', 'assign', 'markInvalid']
const SEES = {
  'sale-phoneCount': ['list', 'detail', 'export'],
  'sale-salvage': SELLS,
  'member-list': ['list', 'own'],
  'member-salePhone': ['list', 'detail', 'import', 'undoImport'],
}
const HEAD = ['手机号', '称呼', '来源', '渠道', '联系依据', '归属人账号']
const call = { contactKind: 'PHONE', content: '介绍了体验课', level: null, nextAt: null, picture: [] }

let instance: TestInstance
let folder: string
let boss: Caller
let manager: Caller & { orgId: string }
let an: Caller & { orgId: string }
let bo: Caller & { orgId: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-numbers-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  boss = await person(instance, { superAdmin: true })
  const team = await org(instance)
  manager = await person(instance, { grants: SEES, scope: 'DEPARTMENT_AND_BELOW', orgId: team, name: 'Manager' })
  an = await person(instance, { grants: SEES, scope: 'SELF', orgId: team, name: 'An' })
  bo = await person(instance, { grants: SEES, scope: 'SELF', name: 'Bo' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

let counter = PHONES.test + 2_400_000
const accountOf = async ({ id }: Caller): Promise<string> => {
  const own = instance.app.db.query.selectFrom('staff').select('account').where('id', '=', id)
  return (await own.executeTakeFirstOrThrow()).account
}

/** The manager brings a list: so many numbers for each of these, or for nobody. Gives the leads and the numbers, in its order. */
async function bring(owners: readonly (Caller | null)[]): Promise<{ id: string; leads: string[]; phones: string[] }> {
  const phones = owners.map((_, nth) => phoneAt(counter + nth))
  counter += owners.length
  const accounts = await Promise.all(owners.map(owner => (owner ? accountOf(owner) : '')))
  const lines = phones.map((phone, nth) => [phone, '', '公益课学校', 'SCHOOL', '学校报名', accounts[nth]])
  const file = Buffer.from([HEAD, ...lines].map(cells => cells.join(',')).join('\n'))
  const { data } = await sendFile(instance, boss, `${BRING}/import`, file, `list-${counter}.csv`)
  expect(await boss.post(`${BRING}/import/${data.id}/check`, { mapping: data.mapping, said: LIST_SAID })).toMatchObject(
    { code: 0 },
  )
  await settled(boss, `${BRING}/import`, data.id, 600_000)
  expect(await boss.post(`${BRING}/import/${data.id}/run`)).toMatchObject({ code: 0 })
  await settled(boss, `${BRING}/import`, data.id, 600_000)
  const { rows } = await sql<{ batch: string; lead: string }>`
    select batch_id as batch, lead_id as lead from number_row where phone = any(${phones}::text[]) order by row_no`.execute(
    instance.app.db.query,
  )
  return { id: String(rows[0]?.batch), leads: rows.map(({ lead }) => lead), phones }
}
async function step(who: Caller, leadId: string | undefined, name: string, body: object = {}): Promise<void> {
  const { data } = await boss.get<{ version: number }>(`/sales/salvage/${leadId}`)
  const answer = await who.post(`/sales/salvage/${leadId}/${name}`, { version: data.version, ...body })
  expect(answer, name).toMatchObject({ code: 0 })
}
const register = async (phone: string | undefined): Promise<string> => {
  const data = { phone, name: '新学员', source: 'SCHOOL', channel: 'SCHOOL' }
  expect(await sendEvent(instance, 'app', { type: 'member.registered', data })).toMatchObject({ code: 0 })
  await instance.inbox.sweep()
  const { rows } = await sql<{ id: string }>`select id from member where phone = ${phone}`.execute(
    instance.app.db.query,
  )
  return String(rows[0]?.id)
}
const ask = async (by: Caller, query: string): Promise<StatisticAnswer> => {
  const { code, data } = await by.get<StatisticAnswer>(`${PATH}/numbers?${query}`)
  expect(code).toBe(0)
  return data
}
const now = ({ totals }: StatisticAnswer): Values => totals.imported?.now ?? {}

describe('the numbers of a list', () => {
  test('are followed from the list to the payment, each counted once however many had it', async () => {
    const { id, leads, phones } = await bring([an, an, an, bo, bo, null])
    await step(an, leads[0], 'contact', call)
    await step(an, leads[1], 'markAdded')
    await step(boss, leads[1], 'assign', { newOwnerId: bo.id })
    await step(an, leads[2], 'markInvalid', { endReason: 'WRONG_NUMBER' })
    const member = await register(phones[3])
    await buy(instance, member, await offer(instance, [grantOf('MEMBER_DAYS', 30)]))
    await step(bo, leads[4], 'giveBack', { returnReason: 'NO_ANSWER', toPoolId: null, note: '' })
    expect(now(await ask(boss, `batchId=${id}`))).toEqual({
      imported: 6,
      waiting: 1,
      allocated: 5,
      contacted: 3,
      added: 2,
      registered: 1,
      paid: 1,
      paidRate: 1 / 6,
      invalid: 1,
    })
    const { rows } = await ask(boss, `batchId=${id}&dimension=owner`)
    expect(rows.map(({ label, values }) => [label, values.imported?.imported, values.imported?.paid])).toEqual([
      ['Bo', 3, 1],
      ['An', 2, 0],
      ['No owner yet', 1, 0],
    ])
  })

  test('are taken back with the step that was a mistake', async () => {
    const { id, leads } = await bring([an])
    await step(an, leads[0], 'markAdded')
    expect(now(await ask(boss, `batchId=${id}`)).added).toBe(1)
    expect(await an.post(`/sales/salvage/${leads[0]}/markAdded/undo`, {})).toMatchObject({ code: 0 })
    expect(now(await ask(boss, `batchId=${id}`))).toMatchObject({ added: 0, contacted: 0, allocated: 1 })
  })

  test('are seen by who has them; those nobody has, where the list was brought', async () => {
    const { id } = await bring([an, bo, null])
    const counted = async (by: Caller) => now(await ask(by, `batchId=${id}`)).imported
    // The one who brought this list works elsewhere than the manager.
    expect([await counted(boss), await counted(manager), await counted(an), await counted(bo)]).toEqual([3, 1, 1, 1])
    await sql`update number_batch set owner_id = ${manager.id}, org_id = ${manager.orgId} where id = ${id}`.execute(
      instance.app.db.query,
    )
    await sql`update number_row set org_id = ${manager.orgId} where batch_id = ${id} and owner_id is null`.execute(
      instance.app.db.query,
    )
    expect([await counted(manager), await counted(an)]).toEqual([2, 1])
  })

  test('are what leads and their spans say when somebody counts them another way, and open exactly their rows', async () => {
    const { rows } = await sql<Record<'imported' | 'waiting' | 'contacted' | 'added' | 'registered' | 'paid', number>>`
      with came as (
        select l.id, l.member_id is not null as registered, l.status = 'DEAL' as paid, count(o.id) as spans,
          bool_or(o.contacted_at is not null) as spoken, bool_or(o.added_at is not null) as added
        from lead l left join lead_owner o on o.lead_id = l.id where l.came_by = 'IMPORT' group by l.id
      )
      select count(*)::int as imported, count(*) filter (where spans = 0)::int as waiting,
        count(*) filter (where registered or spoken or added)::int as contacted, count(*) filter (where registered or added)::int as added,
        count(*) filter (where registered)::int as registered, count(*) filter (where paid)::int as paid from came`.execute(
      instance.app.db.query,
    )
    expect(now(await ask(boss, ''))).toMatchObject(rows[0] ?? {})
    let looked = 0
    for (const by of [boss, manager, an, bo])
      for (const dimension of ['batch', 'owner', 'time']) {
        const answer = await ask(by, `dimension=${dimension}`)
        for (const row of answer.rows)
          for (const name of [
            'imported',
            'waiting',
            'allocated',
            'contacted',
            'added',
            'registered',
            'paid',
            'invalid',
          ]) {
            const filters = rowsBehind(statistic, answer, name, row)
            if (!filters) continue
            const search = new URLSearchParams(Object.entries(filters).flatMap(([f, all]) => all.map(v => [f, v])))
            const { data } = await by.get<{ total: number }>(`${PATH}?${search}`)
            expect(data.total, `${dimension} ${row.label} ${name}`).toBe(row.values.imported?.[name])
            looked += data.total
          }
      }
    expect(looked).toBeGreaterThan(30)
  })
})
