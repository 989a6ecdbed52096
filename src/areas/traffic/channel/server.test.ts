import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { beginRun } from '#kit/server/work/job.ts'
import { openDemoInstance } from '../../../../tools/testing/demo-instance.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { events } from '../../members/member/server.ts'
import { countChannels } from './counting.server.ts'
import { type Channel, isInForce, PAID } from './model.ts'
import { jobs } from './server.ts'

const PATH = '/traffic/channel'
const BARE = {
  channelGroup: 'PAID',
  keeperId: null,
  link: null,
  autoTags: [],
  validFrom: null,
  validTo: null,
  note: '',
}

let instance: TestInstance
let admin: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const create = async (fields: Partial<Channel>) =>
  (await admin.post<{ id: string }>(PATH, { ...BARE, ...fields })).data.id
const found = async (id: string) => (await admin.get<Channel>(`${PATH}/${id}`)).data
const entry = (code: string) =>
  instance.app.db.query
    .selectFrom('dictionary_item as i')
    .innerJoin('dictionary_type as t', 't.id', 'i.type_id')
    .select(['i.id', 'i.enabled', 'i.labels'])
    .where('t.code', '=', 'CHANNEL')
    .where('i.value', '=', code)
    .executeTakeFirst()

let counter = PHONES.test + 70_000
/** Somebody registers in the app by this channel; gives the tags the new member has. */
async function register(channel: string): Promise<readonly string[]> {
  counter += 1
  const phone = phoneAt(counter)
  await instance.changing(async ({ app, tx, now }) => {
    const event = events.find(({ type }) => type === 'member.registered')
    const data = event?.data.parse({ phone, name: '林小满', source: 'APP', channel })
    await event?.apply({ app, tx, now, source: 'app', key: `register-${phone}` }, data)
  })
  const member = instance.app.db.query.selectFrom('member').select('tags').where('phone', '=', phone)
  return (await member.executeTakeFirstOrThrow()).tags
}

test('a channel is in force from its first to its last day, and not while it is paused', () => {
  const channel = { status: 'ACTIVE', validFrom: '2026-03-01', validTo: '2026-03-31' } as const
  const days = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01']
  expect(days.map(day => isInForce(channel, day))).toEqual([false, true, true, false])
  expect(isInForce({ ...channel, status: 'PAUSED' }, '2026-03-05')).toBe(false)
  expect(isInForce({ status: 'ACTIVE', validFrom: null, validTo: null }, '2026-03-05')).toBe(true)
})

describe('a channel', () => {
  test('stands in the dictionary at once, follows its name there, and is not offered while it is paused', async () => {
    const id = await create({ code: 'TEST_ONE', name: '测试一' })
    expect(await entry('TEST_ONE')).toMatchObject({ enabled: true, labels: { 'zh-CN': '测试一' } })
    const { version } = await found(id)
    expect(await admin.put(`${PATH}/${id}`, { ...BARE, name: '改名', version })).toMatchObject({ code: 0 })
    expect(await admin.post(`${PATH}/${id}/pause`, {})).toMatchObject({ code: 0 })
    expect(await entry('TEST_ONE')).toMatchObject({ enabled: false, labels: { 'zh-CN': '改名' } })
  })

  test('comes of an entry somebody adds to the dictionary, and that entry is not deleted there any more', async () => {
    const { id } = await instance.app.db.query
      .selectFrom('dictionary_type')
      .select('id')
      .where('code', '=', 'CHANNEL')
      .executeTakeFirstOrThrow()
    const path = `/system/dictionary/${id}`
    type Type = { name: string; note: string; items: object[]; version: number }
    const { name, note, items, version } = (await admin.get<Type>(path)).data
    const added = { label: '夜市', labels: {}, value: 'NIGHT_MARKET', colour: null, enabled: true }
    const put = await admin.put(path, { name, note, items: [...items, added], version })
    expect(put).toMatchObject({ code: 0 })
    const list = await admin.get<{ records: Channel[] }>(`${PATH}?query=NIGHT_MARKET`)
    expect(list.data.records).toMatchObject([{ code: 'NIGHT_MARKET', channelGroup: 'OTHER' }])
    const again = await admin.put(path, { name, note, items, version: version + 1 })
    expect(again).toMatchObject({
      code: 4005,
      data: { fields: { items: expect.stringContaining('Traffic · Channels') } },
    })
    expect(await entry('NIGHT_MARKET')).toBeDefined()
  })

  test('its code is given once', async () => {
    await create({ code: 'TEST_TWICE', name: '一' })
    const again = await admin.post(PATH, { ...BARE, code: 'TEST_TWICE', name: '二' })
    expect(again).toMatchObject({ code: 4005 })
  })

  test('does not end before it begins, and is not resumed once its last day has passed', async () => {
    const turned = { ...BARE, code: 'TEST_TURNED', name: '反', validFrom: '2026-05-02', validTo: '2026-05-01' }
    expect(await admin.post(PATH, turned)).toMatchObject({ code: 4005 })
    const id = await create({ code: 'TEST_OVER', name: '过期', validTo: '2020-01-01' })
    await instance.changing(
      change =>
        jobs[0]?.work(
          change,
          beginRun([], new AbortController().signal, () => {}),
        ) ?? Promise.resolve(0),
    )
    expect(await found(id)).toMatchObject({ status: 'ENDED' })
    expect(await admin.post(`${PATH}/${id}/resume`, {})).toMatchObject({ code: 4006 })
    const { version } = await found(id)
    await admin.put(`${PATH}/${id}`, { ...BARE, name: '过期', validTo: null, version })
    expect(await admin.post(`${PATH}/${id}/resume`, {})).toMatchObject({ code: 0 })
    expect(await entry('TEST_OVER')).toMatchObject({ enabled: true })
  })

  test('puts its tags on whoever becomes a member by it, as long as it is in force', async () => {
    await create({ code: 'TEST_TAGS', name: '标签', autoTags: ['HIGH_INTENT'] })
    const over = await create({ code: 'TEST_NO_TAGS', name: '停', autoTags: ['HIGH_INTENT'] })
    await admin.post(`${PATH}/${over}/pause`, {})
    expect(await register('TEST_TAGS')).toEqual(['HIGH_INTENT'])
    expect(await register('TEST_NO_TAGS')).toEqual([])
  })

  test('counts what leads, members and orders name it', async () => {
    const id = await create({ code: 'TEST_COUNT', name: '数' })
    await register('TEST_COUNT')
    await instance.changing(countChannels)
    expect(await found(id)).toMatchObject({ members: 1, leads: 0, orders: 0, gmvFen: 0 })
  })
})

test('each figure of a channel of the demo business opens exactly its rows', async () => {
  const demo = await openDemoInstance()
  const boss = await person(demo, { superAdmin: true })
  const { data } = await boss.get<{ records: Channel[] }>(`${PATH}?size=100`)
  const lists = { leads: 'sales/salvage', members: 'members/member', orders: 'orders/order' } as const
  const rowsOf = async (list: string, query: Readonly<Record<string, string>>) =>
    (await boss.get<{ total: number }>(`/${list}?${new URLSearchParams(query)}`)).data.total
  const seen = { leads: 0, members: 0, orders: 0 }
  for (const channel of data.records)
    for (const of of ['leads', 'members', 'orders'] as const) {
      const query = { channel: channel.code, ...(of === 'orders' ? PAID : {}) }
      expect(await rowsOf(lists[of], query), `${of} of ${channel.code}`).toBe(channel[of])
      seen[of] += channel[of]
    }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
})
