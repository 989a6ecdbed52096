import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { run } from '#kit/server/database/database.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { enrol } from '../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../tools/testing/instance.ts'
import { sendEvent } from '../../../tools/testing/live.ts'
import { eraseMember } from '../../areas/members/member/closing.server.ts'
import { askResults, endProtection } from './asking.server.ts'

const STAFF = '/organisation/staff'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Call = { path: string; handover_userid: string; takeover_userid: string; external_userid: string[] }
type Way = 'answer' | 'hang-up' | { errcode: number }

/** WeCom as far as it is asked: `codes` and `states` say what it tells of a contact, `way` how it answers the next calls. */
async function platform() {
  const calls: Call[] = []
  const state = { way: 'answer' as Way, codes: new Map<string, number>(), states: new Map<string, number>() }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace('/cgi-bin/', '')
    let body = ''
    request.on('data', chunk => (body += String(chunk)))
    request.on('end', () => {
      const say = (said: object) => response.end(JSON.stringify(said))
      if (path === 'gettoken') return say({ errcode: 0, access_token: 'token', expires_in: 7_200 })
      const asked = JSON.parse(body)
      if (path.endsWith('transfer_result'))
        return say({
          errcode: 0,
          customer: [...state.states].map(([external_userid, status]) => ({ external_userid, status })),
        })
      calls.push({ path, ...asked })
      if (state.way === 'hang-up') return request.socket.destroy()
      if (state.way !== 'answer') return say(state.way)
      const customer = (asked.external_userid as string[]).map(id => ({
        external_userid: id,
        errcode: state.codes.get(id) ?? 0,
      }))
      return say({ errcode: 0, customer })
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { calls, state, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const clock = stoppedClock(new Date('2026-03-10T10:00:00.007+08:00'))
let instance: TestInstance
let wecom: Awaited<ReturnType<typeof platform>>
beforeAll(async () => {
  wecom = await platform()
  const keys = { WECOM_URL: wecom.url, WECOM_CORP_ID: 'corp', WECOM_CONTACT_SECRET: 'secret-of-ours' }
  instance = await openTestInstance({ clock, env: keys, isSending: false })
  await instance.house.stop()
})
afterAll(() => wecom.close())
beforeEach(() => {
  wecom.calls.length = 0
  Object.assign(wecom.state, { way: 'answer', codes: new Map(), states: new Map() })
})

const query = (text: string, values: unknown[] = []) => run(instance.app.db.query, text, values)
const send = () => instance.outbox.run()
const work = (job: typeof askResults) =>
  instance.app.db.write(tx => atOnce(job)(ownChange(instance.app, tx, clock.now(), 'test')))
/** What the job asks for, and what comes of it. */
async function poll() {
  await work(askResults)
  await send()
}
const personnel = (more: object = {}) =>
  person(instance, { grants: { 'org-user': ['list', 'detail', 'leave', 'handOver'] }, ...more })

let count = 0
/** Somebody with so many chat contacts, all of them members. */
async function colleague(contacts = 0, more: Parameters<typeof person>[1] = {}) {
  const who = await person(instance, more)
  const ids: string[] = []
  for (let nth = 0; nth < contacts; nth += 1) {
    count += 1
    ids.push(`wm${count}`)
  }
  await addContacts(who.id, ids)
  return { ...who, ids }
}
const addContacts = (staffId: string, ids: readonly string[], memberId: string | null = null) =>
  query(
    `insert into chat_contact (staff_id, external_id, name, remark, add_way, since, created_at, member_id)
     select $1, id, '小明妈妈', '备注', '1', $3, $3, $4 from unnest($2::text[]) as id`,
    [staffId, ids, clock.now(), memberId],
  )
const leave = async (from: { id: string }, to: { id: string }, by?: Caller) =>
  (by ?? (await personnel())).post(`${STAFF}/${from.id}/leave`, { successorId: to.id })
const handOver = async (from: { id: string }, to: { id: string }) =>
  (await personnel()).post(`${STAFF}/${from.id}/handOver`, { successorId: to.id })
const statuses = async (staffId: string) =>
  Object.fromEntries(
    (
      await query(`select status, count(*)::int as n from chat_contact where staff_id = $1 group by 1 order by 1`, [
        staffId,
      ])
    ).map(({ status, n }) => [String(status), n]),
  )
const tell = (ids: readonly string[], state: number) => {
  for (const id of ids) wecom.state.states.set(id, state)
}
const messagesTo = async (staffId: string) =>
  (await query('select body from message where staff_id = $1 order by id', [staffId])).map(({ body }) => String(body))

describe('the contacts of somebody who leaves', () => {
  test('are written with the hand-over, listed in it, and leave in calls of a hundred, each contact once', async () => {
    const [from, to] = [await colleague(250), await colleague()]
    expect(await leave(from, to)).toMatchObject({ code: 0 })
    expect(await statuses(from.id)).toEqual({ ASKED: 250 })
    expect(wecom.calls).toEqual([])
    const { data } = await (await personnel()).get<{ handovers: { moved: object[] }[] }>(`${STAFF}/${from.id}`)
    expect(data.handovers[0]?.moved).toEqual([{ what: 'Chat contacts', count: 250, moves: true }])
    await send()
    expect(wecom.calls.map(({ path, external_userid: ids }) => [path, ids.length])).toEqual([
      ['externalcontact/resigned/transfer_customer', 100],
      ['externalcontact/resigned/transfer_customer', 100],
      ['externalcontact/resigned/transfer_customer', 50],
    ])
    expect(wecom.calls.flatMap(({ external_userid: ids }) => ids)).toEqual(from.ids)
    expect(await statuses(from.id)).toEqual({ WAITING: 250 })
    await send()
    expect(wecom.calls).toHaveLength(3)
  })

  test('are the successor’s once the platform says so, with the day it holds from', async () => {
    const [from, to] = [await colleague(2), await colleague()]
    await leave(from, to)
    await send()
    tell(from.ids, 2)
    await poll()
    expect([await statuses(from.id), await statuses(to.id)]).toEqual([{ WAITING: 2 }, {}])
    const [waiting] = await query('select effective_at from chat_contact where staff_id = $1', [from.id])
    expect(new Date(String(waiting?.effective_at))).toEqual(new Date(clock.now().getTime() + DAY_MS))
    clock.forward(DAY_MS)
    tell(from.ids, 1)
    await poll()
    expect([await statuses(from.id), await statuses(to.id)]).toEqual([{ DONE: 2 }, { HELD: 2 }])
    await poll()
    expect(await statuses(to.id)).toEqual({ HELD: 2 })
    expect(await query('select distinct add_way from chat_contact where staff_id = $1', [to.id])).toEqual([
      { add_way: '202' },
    ])
  })

  test('who refuse, or find no room, stay with nobody, and the manager is told how many and why, once', async () => {
    const manager = await colleague()
    const [from, to] = [
      await colleague(4, { name: '赵离', managerId: manager.id }),
      await colleague(0, { name: '钱接' }),
    ]
    await leave(from, to)
    await send()
    const [one = '', two = '', three = '', four = ''] = from.ids
    tell([one, two], 3)
    tell([three], 4)
    tell([four], 1)
    await poll()
    await poll()
    expect(await statuses(from.id)).toEqual({ REFUSED: 2, FULL: 1, DONE: 1 })
    expect(await messagesTo(manager.id)).toEqual([
      '赵离 有 3 位企业微信客户未转给 钱接（客户拒绝 2，接替成员客户达到上限 1），请在员工详情的“企微客户”中查看并安排跟进。',
    ])
    // Asked for once more: who found no room goes along, who said no does not.
    wecom.calls.length = 0
    await handOver(from, await colleague())
    await send()
    expect(wecom.calls.map(({ external_userid: ids }) => ids)).toEqual([[three]])
  })

  test('wait while the platform still has the colleague at work', async () => {
    const [from, to] = [await colleague(1), await colleague()]
    await leave(from, to)
    wecom.state.way = { errcode: 40_097 }
    await send()
    expect(await statuses(from.id)).toEqual({ ASKED: 1 })
    wecom.state.way = 'answer'
    clock.forward(HOUR_MS)
    await send()
    expect(await statuses(from.id)).toEqual({ WAITING: 1 })
  })

  test('that arrive at somebody who has left too are told of, and go along with the next hand-over', async () => {
    const manager = await colleague()
    const [from, to, last] = [await colleague(1), await colleague(0, { managerId: manager.id }), await colleague()]
    await leave(from, to)
    await send()
    await leave(to, last)
    tell(from.ids, 1)
    await poll()
    expect(await statuses(to.id)).toEqual({ HELD: 1 })
    expect(await messagesTo(manager.id)).toEqual([expect.stringContaining('接替人已离职 1')])
    await handOver(to, last)
    expect(await statuses(to.id)).toEqual({ ASKED: 1 })
  })
})

describe('a call that nobody answers', () => {
  test('is unknown, is asked about and never made again', async () => {
    const [from, to] = [await colleague(3), await colleague()]
    await leave(from, to)
    wecom.state.way = 'hang-up'
    await send()
    expect(await statuses(from.id)).toEqual({ UNKNOWN: 3 })
    wecom.state.way = 'answer'
    const [one = '', two = ''] = from.ids
    tell([one], 2)
    tell([two], 1)
    await poll()
    // Of the third there is no record yet: that may change within the hour.
    expect(await statuses(from.id)).toEqual({ WAITING: 1, DONE: 1, UNKNOWN: 1 })
    clock.forward(2 * HOUR_MS)
    await poll()
    expect(await statuses(from.id)).toEqual({ WAITING: 1, DONE: 1, NO_RECORD: 1 })
    expect(wecom.calls.filter(({ external_userid: ids }) => ids.includes(one))).toHaveLength(1)
  })

  test('because the console was killed meanwhile is not made by the next one, which says that it does not know', async () => {
    const [from, to] = [await colleague(2), await colleague()]
    await leave(from, to)
    // As it stands when whoever claimed them died before the answer came.
    await query('update contact_transfer set called_at = $1, attempts = 1 where from_id = $2', [clock.now(), from.id])
    await send()
    expect(await statuses(from.id)).toEqual({ UNKNOWN: 2 })
    expect(wecom.calls).toEqual([])
    tell(from.ids, 1)
    await poll()
    expect(await statuses(from.id)).toEqual({ DONE: 2 })
  })

  test('because nobody is there was not made, and is made when somebody is', async () => {
    const [from, to] = [await colleague(1), await colleague()]
    await leave(from, to)
    wecom.state.way = { errcode: 45_009 }
    await send()
    expect(await query('select called_at from contact_transfer where from_id = $1', [from.id])).toEqual([
      { called_at: null },
    ])
    wecom.state.way = 'answer'
    clock.forward(HOUR_MS)
    await send()
    expect(await statuses(from.id)).toEqual({ WAITING: 1 })
  })
})

describe('what the platform says at once', () => {
  test('is kept for each contact with its code', async () => {
    const [from, to] = [await colleague(4), await colleague()]
    const [one = '', two = '', three = ''] = from.ids
    wecom.state.codes = new Map([
      [one, 40_129],
      [two, 40_128],
      [three, 40_096],
    ])
    await leave(from, to)
    await send()
    expect(await statuses(from.id)).toEqual({ WAITING: 2, PROTECTED: 1, REJECTED: 1 })
    expect(
      await query(`select errcode from chat_contact where staff_id = $1 and errcode is not null order by 1`, [from.id]),
    ).toEqual([{ errcode: 40_096 }, { errcode: 40_128 }])
  })

  test('against the whole call leaves all of them where they are', async () => {
    const [from, to] = [await colleague(2), await colleague()]
    wecom.state.way = { errcode: 40_098 }
    await leave(from, to)
    await send()
    expect(await statuses(from.id)).toEqual({ REJECTED: 2 })
  })
})

describe('a customer who was handed on twice between colleagues at work', () => {
  test('is not asked for again for 90 days, goes along with who leaves, and is as any other afterwards', async () => {
    const [a, b, c, d] = [await colleague(1), await colleague(), await colleague(), await colleague()]
    for (const [from, to] of [
      [a, b],
      [b, c],
    ] as const) {
      await handOver(from, to)
      await send()
      tell(a.ids, 1)
      await poll()
      wecom.state.states.clear()
    }
    expect(wecom.calls.map(({ path }) => path)).toEqual(Array(2).fill('externalcontact/transfer_customer'))
    expect(await handOver(c, d)).toMatchObject({ code: 0 })
    await send()
    expect(wecom.calls).toHaveLength(2)
    expect(await statuses(c.id)).toEqual({ PROTECTED: 1 })
    const { data } = await (await personnel()).get(`${STAFF}/${c.id}/belongings`)
    expect(data).toMatchObject([{ what: expect.stringMatching(/^Chat contacts · /), count: 1, moves: false }])
    await work(endProtection)
    expect(await statuses(c.id)).toEqual({ PROTECTED: 1 })
    clock.forward(91 * DAY_MS)
    await work(endProtection)
    expect(await statuses(c.id)).toEqual({ HELD: 1 })
    await leave(c, d)
    await send()
    expect(await statuses(c.id)).toEqual({ WAITING: 1 })
  })
})

describe('who sees chat contacts', () => {
  test('is whoever may read the colleague’s record; names are masked, and states are counted', async () => {
    const [from, to] = [await colleague(3), await colleague()]
    await leave(from, to)
    const reader = await personnel()
    const path = `${STAFF}/${from.id}/contacts`
    const { data } = await reader.get<{ records: object[]; total: number }>(path)
    expect(data).toMatchObject({
      total: 3,
      records: [{ status: 'ASKED', name: '小明***', successorId: to.id }, {}, {}],
    })
    expect((await reader.get(`${path}/counts`)).data).toMatchObject({ ASKED: 3 })
    const elsewhere = await personnel({ scope: 'DEPARTMENT' })
    expect(await elsewhere.get(path)).toMatchObject({ status: 404 })
    const nobody = await person(instance, { grants: { 'member-list': ['list', 'detail'] } })
    expect(await nobody.get(path)).toMatchObject({ status: 403 })
  })
})

describe('what the platform tells by itself', () => {
  const told = async (type: string, data: object) => {
    const answered = await sendEvent(instance, 'wecom', { type, data: { at: clock.now().toISOString(), ...data } })
    await instance.inbox.sweep()
    return answered.status
  }
  const accountOf = async (id: string) =>
    String((await query('select account from staff where id = $1', [id]))[0]?.account)
  const rowsOf = (staffId: string) =>
    query('select status, lost_by, add_way, channel from chat_contact where staff_id = $1 order by id', [staffId])

  test('makes a contact once, loses it, and makes another when they meet again', async () => {
    const who = await colleague()
    const pair = { userId: await accountOf(who.id), externalId: 'wm-told' }
    const met = { ...pair, addWay: '16', channel: 'link-1', name: '小明妈妈', at: clock.now().toISOString() }
    expect([await told('contact.added', met), await told('contact.added', met)]).toEqual([200, 200])
    const first = { status: 'HELD', lost_by: null, add_way: '16', channel: 'link-1' }
    expect(await rowsOf(who.id)).toEqual([first])
    clock.forward(HOUR_MS)
    await told('contact.lost', { ...pair, by: 'CUSTOMER' })
    // Told late, of the time before: they are not friends again for that.
    await told('contact.added', { ...met, name: null })
    const gone = { ...first, status: 'LOST', lost_by: 'CUSTOMER' }
    expect(await rowsOf(who.id)).toEqual([gone])
    clock.forward(HOUR_MS)
    await told('contact.added', { ...pair, addWay: '1' })
    expect(await rowsOf(who.id)).toEqual([gone, { status: 'HELD', lost_by: null, add_way: '1', channel: null }])
  })

  test('ends a transfer that came to nothing before anybody asked, and one whose customer is gone', async () => {
    const [from, to] = [await colleague(2), await colleague()]
    await leave(from, to)
    await send()
    const [one = '', two = ''] = from.ids
    await told('contact.transfer-failed', {
      userId: await accountOf(to.id),
      externalId: one,
      reason: 'customer_refused',
    })
    await told('contact.lost', { userId: await accountOf(from.id), externalId: two, by: 'CUSTOMER' })
    expect(await statuses(from.id)).toEqual({ REFUSED: 1, LOST: 1 })
    tell(from.ids, 1)
    await poll()
    expect([await statuses(from.id), await statuses(to.id)]).toEqual([{ REFUSED: 1, LOST: 1 }, {}])
    expect(await query('select status from contact_transfer where from_id = $1 order by id', [from.id])).toEqual([
      { status: 'REFUSED' },
      { status: 'NO_RECORD' },
    ])
  })

  test('is taken from nobody else, and of colleagues there are', async () => {
    const data = { userId: 'nobody-here', externalId: 'wm-x', addWay: '1', at: clock.now().toISOString() }
    expect((await sendEvent(instance, 'app', { type: 'contact.added', data })).status).toBe(422)
    expect((await sendEvent(instance, 'wecom', { type: 'order.paid', data })).status).toBe(422)
    await told('contact.added', data)
    expect(await query(`select id from chat_contact where external_id = 'wm-x'`)).toEqual([])
  })
})

test('of a member whose account is closed no chat contact tells anything, and none is handed on', async () => {
  const [from, to] = [await colleague(), await colleague()]
  const memberId = await enrol(instance)
  await addContacts(from.id, ['wm-erased'], memberId)
  await handOver(from, to)
  await instance.app.db.write(tx => eraseMember(ownChange(instance.app, tx, clock.now(), 'test'), memberId))
  expect(
    await query('select external_id, name, remark, status from chat_contact where member_id = $1', [memberId]),
  ).toEqual([{ external_id: expect.stringMatching(/^erased-/), name: null, remark: null, status: 'LOST' }])
  // What was under way for them is asked for no more.
  await send()
  expect(wecom.calls.flatMap(({ external_userid: ids }) => ids).filter(id => id.includes('erased'))).toEqual([])
  expect(await leave(from, to)).toMatchObject({ code: 0 })
  expect(await statuses(from.id)).toEqual({ LOST: 1 })
})

test('after all this, what must always be true of chat contacts is', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})
