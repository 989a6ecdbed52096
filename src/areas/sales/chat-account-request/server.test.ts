import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import type { ChatAccount } from '../chat-account/model.ts'
import type { AccountRequest } from './model.ts'

const PATH = '/sales/chat-account-request'
const ACCOUNTS = '/sales/chat-account'
const READ = ['list', 'detail']
const SELLS = {
  'sale-saleWx': READ,
  'sale-wxApply': [...READ, 'create', 'withdraw', 'giveBack'],
  'sale-salvage': [...READ, 'claim'],
}

let instance: TestInstance
let manager: Caller & { orgId: string }
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  manager = await person(instance, {
    grants: {
      'sale-saleWx': [...READ, 'create', 'handOut', 'moveOn', 'reclaim', 'block'],
      'sale-wxApply': [...READ, 'create', 'approve', 'reject', 'handOut'],
      'sale-salvage': [...READ, 'claim'],
    },
    scope: 'ALL',
  })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const seller = () => person(instance, { grants: SELLS, scope: 'SELF' })
let made = 0
async function account(holder?: Caller): Promise<string> {
  made += 1
  const body = {
    accountNo: `wx_asked_${made}`,
    nickname: `申请微信${made}`,
    kind: 'WECOM',
    dayQuota: 9,
    link: null,
    qr: [],
  }
  const { data } = await manager.post<{ id: string }>(ACCOUNTS, body)
  if (holder)
    expect(await manager.post(`${ACCOUNTS}/${data.id}/handOut`, { newOwnerId: holder.id })).toMatchObject({ code: 0 })
  return data.id
}
const FORM = { accountKind: null, chatAccountId: null, toId: null, reason: '线索太多' }
async function ask(by: Caller, body: object): Promise<string> {
  const { code, data } = await by.post<{ id: string }>(PATH, { ...FORM, ...body })
  expect(code).toBe(0)
  return data.id
}
const take = (id: string, step: string, by: Caller = manager, body: object = {}) =>
  by.post(`${PATH}/${id}/${step}`, body)
const read = async (id: string) => (await manager.get<AccountRequest>(`${PATH}/${id}`)).data
const accountOf = async (id: string) => (await manager.get<ChatAccount>(`${ACCOUNTS}/${id}`)).data

describe('an account somebody asks for', () => {
  test('is given with the yes where the department has a free one', async () => {
    const one = await seller()
    const free = await account()
    await instance.app.db.query.updateTable('chat_account').set({ org_id: one.orgId }).where('id', '=', free).execute()
    const id = await ask(one, { kind: 'OPEN', accountKind: 'WECOM' })
    expect(await take(id, 'approve')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', chatAccountId: free, doneAt: expect.any(String) })
    expect(await accountOf(free)).toMatchObject({ status: 'IN_USE', ownerId: one.id })
  })

  test('is handed out later where none was free, and given back by whoever asked for it', async () => {
    const [one, other] = [await seller(), await seller()]
    const id = await ask(one, { kind: 'OPEN', accountKind: 'WECHAT' })
    expect(await one.post(PATH, { ...FORM, kind: 'OPEN', accountKind: 'WECHAT' })).toMatchObject({ code: 4005 })
    expect(await take(id, 'approve')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', chatAccountId: null, doneAt: null })
    const [taken, free] = [await account(other), await account()]
    expect(await take(id, 'handOut', manager, { chatAccountId: taken })).toMatchObject({ code: 4005 })
    expect(await take(id, 'handOut', manager, { chatAccountId: free })).toMatchObject({ code: 0 })
    expect(await accountOf(free)).toMatchObject({ status: 'IN_USE', ownerId: one.id })
    expect(await take(id, 'handOut', manager, { chatAccountId: free })).toMatchObject({ code: 4006 })
    clock.forward(60_007)
    expect(await take(id, 'giveBack', one)).toMatchObject({ code: 0 })
    expect(await accountOf(free)).toMatchObject({ status: 'IDLE', ownerId: null })
    expect(await take(id, 'giveBack', one)).toMatchObject({ code: 4006 })
  })
})

describe('an account somebody has', () => {
  test('goes to a colleague with the yes of another person, unless it went elsewhere meanwhile', async () => {
    const [one, other, third] = [await seller(), await seller(), await seller()]
    const [moves, went] = [await account(one), await account(one)]
    const ids = [
      await ask(one, { kind: 'TRANSFER', chatAccountId: moves, toId: other.id }),
      await ask(one, { kind: 'TRANSFER', chatAccountId: went, toId: other.id }),
    ] as const
    clock.forward(60_007)
    expect(await take(ids[0], 'approve')).toMatchObject({ code: 0 })
    expect(await accountOf(moves)).toMatchObject({ status: 'IN_USE', ownerId: other.id })
    await manager.post(`${ACCOUNTS}/${went}/moveOn`, { newOwnerId: third.id })
    expect(await take(ids[1], 'approve')).toMatchObject({ code: 4006 })
    expect(await read(ids[1])).toMatchObject({ status: 'SUBMITTED', l1By: null })
    expect(await accountOf(went)).toMatchObject({ ownerId: third.id })
  })

  test('is taken back with the yes of another person; nobody agrees to what he asked for', async () => {
    const one = await seller()
    const held = await account(one)
    const own = await ask(manager, { kind: 'RECOVER', chatAccountId: held })
    expect(await take(own, 'approve')).toMatchObject({ code: 4006 })
    expect(await one.post(PATH, { ...FORM, kind: 'RECOVER', chatAccountId: held })).toMatchObject({ code: 4005 })
    expect(
      await take(own, 'reject', await person(instance, { grants: { 'sale-wxApply': [...READ, 'reject'] } }), {
        reason: '还在用',
      }),
    ).toMatchObject({ code: 0 })
    const id = await ask(one, { kind: 'RECOVER', chatAccountId: held })
    clock.forward(60_007)
    expect(await take(id, 'approve')).toMatchObject({ code: 0 })
    expect(await accountOf(held)).toMatchObject({ status: 'IDLE', ownerId: null })
  })

  test('of others cannot be named by who does not see it', async () => {
    const [one, other] = [await seller(), await seller()]
    const held = await account(other)
    expect(await one.post(PATH, { ...FORM, kind: 'RECOVER', chatAccountId: held })).toMatchObject({ code: 4005 })
  })
})
