import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { POOL_RULES } from '../../../../tools/testing/pools.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Lead } from './model.ts'

const PATH = '/sales/salvage'
const NAME = '欧阳忆南'
const GRANTS = {
  'sale-salvage': ['list', 'detail', 'claim', 'export'],
  'sale-operate': ['list'],
  'member-list': ['list', 'own'],
}

let instance: TestInstance
/** Claims from the pool; leads others who do; sees everything. */
let seller: Caller
let leader: Caller
let manager: Caller
let leadId: string
beforeAll(async () => {
  instance = await openTestInstance()
  const orgId = (await person(instance, { grants: {} })).orgId
  seller = await person(instance, { grants: GRANTS, scope: 'SELF', orgId })
  leader = await person(instance, { grants: GRANTS, scope: 'DEPARTMENT', orgId })
  manager = await person(instance, {
    grants: { ...GRANTS, 'sale-salvage': [...GRANTS['sale-salvage'], 'assign'] },
    scope: 'ALL',
  })
  const came = { name: NAME, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  const one = { ...came, phone: phoneAt(PHONES.test + 97_000), cameBy: 'FORM', key: 'form' } as const
  const [arrived] = await instance.changing(change => arrive(change, [one]))
  leadId = String(arrived?.leadId)
  const rules = { ...POOL_RULES, name: '一组公海', claimerIds: [seller.id] }
  const { data: pool } = await manager.post<{ id: string }>(`${PATH}/pool`, rules)
  await sql`update lead set pool_id = ${pool.id} where id = ${leadId}`.execute(instance.app.db.query)
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

/** What each way of looking at the lead calls it; nothing where it does not show it. */
async function told(by: Caller) {
  const { data: listed } = await by.get<{ records: Lead[] }>(PATH)
  const { data: found } = await by.get<{ records: Lead[] }>(`${PATH}?query=${NAME}`)
  const { data: everywhere } = await by.post<{ records: { path: string }[] }>('/common/search', { text: NAME })
  const leads = everywhere.records.filter(({ path }) => path.startsWith('/sale/salvage'))
  const { data: picked } = await by.get<{ name: string }[]>(`/common/reference/lead?ids=${leadId}`)
  const { data: searched } = await by.get<{ name: string }[]>(`/common/reference/lead?query=${NAME}`)
  return {
    listed: listed.records.find(({ id }) => id === leadId)?.name,
    opened: (await by.get<Lead>(`${PATH}/${leadId}`)).data.name,
    picked: picked[0]?.name,
    ways: [found.records, leads, searched].map(({ length }) => length),
  }
}
const MASKED = { listed: '欧*', opened: '欧*', picked: '欧*', ways: [0, 0, 0] }
const OPEN = { listed: NAME, opened: NAME, picked: NAME, ways: [1, 1, 1] }

describe('what the person of a lead is called', () => {
  test('is masked while the lead is nobody’s, and found out by no search, but for who sees everything', async () => {
    expect(await told(seller)).toEqual(MASKED)
    expect(await told(leader)).toEqual(MASKED)
    expect(await told(manager)).toEqual(OPEN)
  })

  test('is told once it is claimed', async () => {
    expect(await seller.post(`${PATH}/${leadId}/claim`, {})).toMatchObject({ code: 0 })
    expect(await told(seller)).toEqual(OPEN)
    expect(await told(leader)).toEqual(OPEN)
  })
})
