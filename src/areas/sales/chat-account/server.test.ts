import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { events as contactEvents } from '#engines/contact/server.ts'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { handOverAccounts } from './holding.server.ts'
import { type ChatAccount, workflow } from './model.ts'
import { jobs } from './server.ts'

const PAGE = 'sale-saleWx'
const PATH = '/sales/chat-account'
const READ = ['list', 'detail']
const ALL = [...READ, 'create', 'update', ...Object.keys(workflow.steps)]
const SELLS = {
  [PAGE]: READ,
  'sale-salvage': [...READ, 'claim', 'contact', 'markAdded'],
  'sale-nameCopy': [...READ, 'make'],
}
const DAY_MS = 86_400_000

let instance: TestInstance
let manager: Caller & { orgId: string }
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  manager = await person(instance, { grants: { [PAGE]: ALL, 'sale-salvage': [...READ, 'assign'] }, scope: 'ALL' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const seller = () => person(instance, { grants: SELLS, scope: 'SELF' })
const CARD = 'https://work.weixin.qq.com/ca/cawcde0001'
let made = 0
async function account(given: Partial<ChatAccount> = {}): Promise<string> {
  made += 1
  const body = {
    accountNo: `wx_test_${made}`,
    nickname: `测试微信${made}`,
    kind: 'WECHAT',
    dayQuota: 2,
    link: null,
    qr: [],
  }
  const { code, data } = await manager.post<{ id: string }>(PATH, { ...body, ...given })
  expect(code).toBe(0)
  return data.id
}
const take = (id: string, step: string, body: object = {}, by: Caller = manager) =>
  by.post(`${PATH}/${id}/${step}`, body)
const read = async (id: string, by: Caller = manager) => (await by.get<ChatAccount>(`${PATH}/${id}`)).data
type Span = { staffId: string; until: string | null; got: string; endKind: string | null }
const spans = async (id: string) => (await manager.get<{ records: Span[] }>(`${PATH}/${id}/holders`)).data.records
const work = () => instance.changing(change => jobs[0]?.work(change, {} as never) ?? Promise.resolve(0))
let phones = PHONES.test + 81_000
async function leadOf(owner: { id: string; orgId: string }): Promise<string> {
  phones += 1
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner } as const
  const arrival = { phone: phoneAt(phones), cameBy: 'REGISTRATION', key: 'registration', ...came } as const
  const [arrived] = await instance.changing(change => arrive(change, [arrival]))
  return String(arrived?.leadId)
}

describe('a chat account', () => {
  test('is handed out, passed on and taken back; who had it from when to when stays known', async () => {
    const [first, second] = [await seller(), await seller()]
    const id = await account()
    expect(await read(id)).toMatchObject({ status: 'IDLE', ownerId: null, usedToday: 0, risk: 'NONE' })
    expect(await take(id, 'handOut', { newOwnerId: first.id })).toMatchObject({ code: 0 })
    expect(await read(id, first)).toMatchObject({ status: 'IN_USE', ownerId: first.id })
    expect(await second.get(`${PATH}/${id}`)).toMatchObject({ code: 4004 })
    clock.forward(60_007)
    expect(await take(id, 'moveOn', { newOwnerId: first.id })).toMatchObject({ code: 4006 })
    expect(await take(id, 'moveOn', { newOwnerId: second.id })).toMatchObject({ code: 0 })
    clock.forward(60_007)
    expect(await take(id, 'retire')).toMatchObject({ code: 4006 })
    expect(await take(id, 'reclaim', { reason: '换岗' })).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'IDLE', ownerId: null, ownerSince: null })
    expect(await spans(id)).toMatchObject([
      { staffId: second.id, got: 'MOVED', endKind: 'RECLAIMED', until: expect.any(String) },
      { staffId: first.id, got: 'HANDED_OUT', endKind: 'MOVED', until: expect.any(String) },
    ])
    expect(await take(id, 'retire')).toMatchObject({ code: 0 })
    expect(await take(id, 'handOut', { newOwnerId: first.id })).toMatchObject({ code: 4006 })
  })

  test('is handed to one of all who are given it at once', async () => {
    const id = await account()
    const all = await Promise.all(Array.from({ length: 8 }, seller))
    const answers = await Promise.all(all.map(one => take(id, 'handOut', { newOwnerId: one.id })))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await spans(id)).toHaveLength(1)
  })

  test('cannot be two people’s at once in the database either, whoever writes', async () => {
    const [one, other] = [await seller(), await seller()]
    const id = await account()
    await take(id, 'handOut', { newOwnerId: one.id })
    const insert = (until: string | null) =>
      instance.app.db.query
        .insertInto('chat_account_holder')
        .values({
          ...{ account_id: id, staff_id: other.id, org_id: manager.orgId, got: 'MOVED' },
          ...{ since: new Date(clock.now().getTime() - DAY_MS), until, end_kind: until && 'MOVED' },
        } as never)
        .execute()
    await expect(insert(new Date(clock.now().getTime() + DAY_MS).toISOString())).rejects.toThrow(/two people/)
    await expect(insert(null)).rejects.toThrow()
  })

  test('that the platform limits works again when its time is over, blocked it waits for people', async () => {
    const one = await seller()
    const [limited, blocked] = [await account(), await account()]
    for (const id of [limited, blocked]) await take(id, 'handOut', { newOwnerId: one.id })
    const limitedUntil = new Date(clock.now().getTime() + 3_600_000).toISOString()
    expect(await take(limited, 'limit', { limitedUntil, riskNote: '操作频繁' })).toMatchObject({ code: 0 })
    expect(await take(blocked, 'block', { reason: '被举报' })).toMatchObject({ code: 0 })
    expect(await read(limited)).toMatchObject({
      status: 'LIMITED',
      ownerId: one.id,
      risk: 'WATCH',
      riskNote: '操作频繁',
    })
    expect(await read(blocked)).toMatchObject({
      status: 'BLOCKED',
      risk: 'HIGH',
      riskNote: '被举报',
      limitedUntil: null,
    })
    await work()
    expect(await read(limited)).toMatchObject({ status: 'LIMITED' })
    clock.forward(3_600_007)
    await work()
    expect(await read(limited)).toMatchObject({ status: 'IN_USE', limitedUntil: null, ownerId: one.id })
    expect(await read(blocked)).toMatchObject({ status: 'BLOCKED' })
    expect(await take(blocked, 'reclaim', { reason: '封禁' })).toMatchObject({ code: 0 })
    expect(await read(blocked)).toMatchObject({ status: 'BLOCKED', ownerId: null })
    expect(await take(blocked, 'restore')).toMatchObject({ code: 0 })
    expect(await read(blocked)).toMatchObject({ status: 'IDLE' })
  })

  test('of who leaves goes back to the department; of who stays, to whoever takes over', async () => {
    const [leaver, mover, successor] = [await seller(), await seller(), await seller()]
    const [left, moved] = [await account(), await account()]
    await take(left, 'handOut', { newOwnerId: leaver.id })
    await take(moved, 'handOut', { newOwnerId: mover.id })
    clock.forward(60_007)
    const to = { toId: successor.id, orgId: successor.orgId }
    await instance.changing(change => handOverAccounts(change, { fromId: leaver.id, ...to, isLeave: true }))
    await instance.changing(change => handOverAccounts(change, { fromId: mover.id, ...to, isLeave: false }))
    expect(await read(left)).toMatchObject({ status: 'IDLE', ownerId: null })
    expect(await spans(left)).toMatchObject([{ staffId: leaver.id, endKind: 'LEFT' }])
    expect(await read(moved)).toMatchObject({ status: 'IN_USE', ownerId: successor.id })
    expect(await spans(moved)).toMatchObject([{ got: 'HANDED_OVER' }, { staffId: mover.id, endKind: 'HANDED_OVER' }])
  })

  test('takes a card link only as a safe address, and each account ID once', async () => {
    const body = { accountNo: 'wx_twice', nickname: '重复', kind: 'WECHAT', dayQuota: 5, link: null, qr: [] }
    expect(await manager.post(PATH, { ...body, link: 'javascript:alert(1)' })).toMatchObject({ code: 4005 })
    expect(await manager.post(PATH, body)).toMatchObject({ code: 0 })
    expect(await manager.post(PATH, body)).toMatchObject({
      code: 4005,
      data: { fields: { accountNo: expect.any(String) } },
    })
  })
})

describe('people added', () => {
  test('are counted by the account their consultant marks them with, today’s only, and no longer once taken back', async () => {
    const one = await seller()
    const id = await account()
    await take(id, 'handOut', { newOwnerId: one.id })
    const [first, second] = [await leadOf(one), await leadOf(one)]
    for (const lead of [first, second])
      expect(await one.post(`/sales/salvage/${lead}/markAdded`, {})).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ usedToday: 2 })
    clock.forward(7)
    expect(await one.post(`/sales/salvage/${second}/markAdded/undo`, {})).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ usedToday: 1 })
    clock.forward(DAY_MS)
    await work()
    expect(await read(id)).toMatchObject({ usedToday: 0 })
    expect((await manager.get<{ total: number }>(`${PATH}/${id}/adds`)).data.total).toBe(1)
  })

  test('are told by the platform of the company’s own accounts, each once however often it tells', async () => {
    const one = await seller()
    const [own, other] = [await account({ kind: 'WECOM' }), await account()]
    for (const id of [own, other]) await take(id, 'handOut', { newOwnerId: one.id })
    const { rows } = await sql<{ account: string }>`select account from staff where id = ${one.id}`.execute(
      instance.app.db.query,
    )
    clock.forward(7)
    const event = contactEvents.find(({ type }) => type === 'contact.added')
    const data = {
      userId: rows[0]?.account,
      externalId: `wm${randomUUID()}`,
      at: clock.now().toISOString(),
      addWay: '1',
    }
    for (const key of ['once', 'again'])
      await instance.changing(({ app, tx, now }) =>
        Promise.resolve(event?.apply({ app, tx, now, source: 'wecom', key }, event.data.parse(data))),
      )
    expect(await read(own)).toMatchObject({ usedToday: 1 })
    expect(await read(other)).toMatchObject({ usedToday: 0 })
  })
})

test('a name copybook leads to the chat account its consultant works with', async () => {
  const one = await seller()
  const id = await account({ link: CARD, nickname: '林老师' })
  const usual = async () => (await one.get<{ link: string | null; offered: object[] }>('/sales/name-copy/usual')).data
  expect(await usual()).toEqual({ link: null, offered: [] })
  await take(id, 'handOut', { newOwnerId: one.id })
  expect(await usual()).toEqual({ link: CARD, offered: [{ name: '林老师', link: CARD }] })
  const { squares } = await read(id)
  expect(squares.length).toBeGreaterThan(20)
  expect(squares.every(row => row.length === squares.length)).toBe(true)
})
