import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetNumber } from '#engines/lead/forgetting.server.ts'
import { NotReached, type Reported } from '#engines/platform/port.server.ts'
import type { RowOf } from '#kit/model/resource.ts'
import { findBroken, repairKept } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { simulatedAccounts } from '../../../engines/platform/simulator.server.ts'
import { countAccounts } from './counting.server.ts'
import type { MenuLine } from './menu.model.ts'
import { type OfficialAccount, type resource, whyNotPublish, workflow } from './model.ts'
import type { Scene } from './scenes/model.ts'
import { events, jobs } from './server.ts'

type Account = RowOf<typeof resource>

const PATH = '/traffic/official-account'
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
const MENU: MenuLine[] = [
  { level: 'TOP', name: '学习', action: 'OPEN', value: '' },
  { level: 'SUB', name: '每日打卡', action: 'VIEW', value: 'https://h5.example.test/check-in' },
  { level: 'TOP', name: '课程', action: 'CLICK', value: '课程' },
]

let instance: TestInstance
let clerk: Caller
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  const steps = Object.keys(workflow.steps)
  clerk = await person(instance, { grants: { gz: ['list', 'detail', 'create', 'update', ...steps] }, scope: 'ALL' })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const BARE = {
  name: '砚台书写',
  kind: 'SERVICE',
  channel: 'STORE',
  keeperId: null,
  welcome: '',
  replies: [],
  draft: MENU,
}
let made = 0
async function account(given: Partial<OfficialAccount> = {}): Promise<Account> {
  made += 1
  const body = { ...BARE, appId: `wxtest${String(made).padStart(4, '0')}`, ...given }
  const { code, data } = await clerk.post<{ id: string }>(PATH, body)
  expect(code).toBe(0)
  return read(data.id)
}
const read = async (id: string) => (await clerk.get<Account>(`${PATH}/${id}`)).data
const take = (id: string, step: string, body: object = {}) => clerk.post(`${PATH}/${id}/${step}`, body)
const below = async <T>(id: string, what: string) =>
  (await clerk.get<{ records: T[] }>(`${PATH}/${id}/${what}`)).data.records

let keys = 0
/** As the inbox applies it, in a transaction of its own. */
async function tell(type: string, data: object, key?: string): Promise<void> {
  keys += 1
  const event = events.find(one => one.type === `official-account.${type}`)
  const parsed = event?.data.parse(data)
  const told = { app: instance.app, now: clock.now(), source: 'official-account', key: key ?? `told-${keys}` } as const
  await insist(() => instance.app.db.write(async tx => event?.apply({ ...told, tx }, parsed)))
}
const at = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()
const counted = () => insist(() => instance.app.db.write(tx => countAccounts({ tx, now: clock.now() })))

async function scene(id: string, sceneName: string, more: object = {}): Promise<Scene> {
  const entered = { sceneName, sceneChannel: 'SCHOOL', sceneKeeperId: null, sceneDays: null, ...more }
  expect(await take(id, 'addScene', entered)).toMatchObject({ code: 0 })
  await instance.outbox.run()
  const found = (await below<Scene>(id, 'scenes')).find(({ name }) => name === sceneName)
  return found as Scene
}

describe('a menu', () => {
  test('that the platform would refuse is not saved, and it is said in which line', async () => {
    const { id } = await account()
    const put = (draft: object[]) => clerk.put(`${PATH}/${id}`, { ...BARE, draft, version: 1 })
    const four = ['一', '二', '三', '四'].map(name => ({ level: 'TOP', name, action: 'CLICK', value: name }))
    expect(await put(four)).toMatchObject({ code: 4005 })
    expect(await put(four.slice(0, 3))).toMatchObject({ code: 0 })
  })

  test('is in force once the platform has taken it; what is drafted later is not, until it is published too', async () => {
    const { id } = await account()
    expect(await take(id, 'publishMenu')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ menuState: 'WAITING', menu: [] })
    await instance.outbox.run()
    const shown = await read(id)
    expect(shown).toMatchObject({ menuState: 'PUBLISHED', menu: MENU, menuError: null })
    expect(await take(id, 'publishMenu')).toMatchObject({ code: 4006 })
    const next = [MENU[2] as MenuLine]
    expect(await clerk.put(`${PATH}/${id}`, { ...BARE, draft: next, version: shown.version })).toMatchObject({
      code: 0,
    })
    expect(await read(id)).toMatchObject({ menu: MENU, draft: next })
    expect(await take(id, 'publishMenu')).toMatchObject({ code: 0 })
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ menu: next, menuState: 'PUBLISHED' })
  })

  test('is not published of an account that is stopped, nor an empty one', () => {
    const shown = { status: 'ACTIVE', draft: MENU, menu: [], menuState: 'NONE' } as const
    expect(whyNotPublish({ ...shown, draft: [...MENU], menu: [] })).toBeUndefined()
    expect(whyNotPublish({ ...shown, draft: [], menu: [] })?.code).toBe('menu-empty')
    expect(whyNotPublish({ ...shown, status: 'STOPPED', draft: [...MENU], menu: [] })?.code).toBe('is-stopped')
  })

  const answers = async (...said: readonly (Reported | Error)[]) => {
    const { id } = await account()
    let asked = 0
    const real = simulatedAccounts.publishMenu
    Object.assign(simulatedAccounts, {
      publishMenu: async () => {
        const answer = said[asked]
        asked += 1
        if (answer instanceof Error) throw answer
        return answer
      },
    })
    try {
      expect(await take(id, 'publishMenu')).toMatchObject({ code: 0 })
      for (let round = 0; round < 3; round += 1) {
        await instance.outbox.run()
        clock.forward(60_000 * 5)
      }
    } finally {
      Object.assign(simulatedAccounts, { publishMenu: real })
    }
    return { ...(await read(id)), times: asked }
  }

  test('the platform refuses says why, and the one before stays in force', async () => {
    const refused = await answers({ state: 'REFUSED', error: 'invalid button name size' })
    expect(refused).toMatchObject({ menuState: 'FAILED', menuError: 'invalid button name size', menu: [], times: 1 })
    expect(refused.steps.publishMenu).toBeNull()
  })

  test('that did not reach the platform is sent again by itself', async () => {
    expect(await answers(new NotReached('no route'), { state: 'SENT' })).toMatchObject({
      menuState: 'PUBLISHED',
      times: 2,
    })
  })

  test('of which nobody knows whether it arrived is never sent twice by itself: somebody looks and says so', async () => {
    const lost = await answers(new Error('the connection broke'), { state: 'SENT' })
    expect(lost).toMatchObject({ menuState: 'UNKNOWN', menu: [], times: 1 })
    expect((await take(lost.id, 'publishMenu')).code).not.toBe(0)
    expect(await take(lost.id, 'confirmMenu')).toMatchObject({ code: 0 })
    expect(await read(lost.id)).toMatchObject({ menuState: 'PUBLISHED', menu: MENU })
  })

  test('that was being sent when the server died is not sent by the next one', async () => {
    const { id } = await account()
    expect(await take(id, 'publishMenu')).toMatchObject({ code: 0 })
    const begun = instance.app.db.query.updateTable('official_account').set({ sending_at: clock.now() })
    await begun.where('id', '=', id).execute()
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ menuState: 'UNKNOWN', menu: [] })
  })
})

describe('a code to follow by', () => {
  test('is given by the platform, drawn, and over when its days are', async () => {
    const { id } = await account()
    const forGood = await scene(id, '门店海报')
    expect(forGood).toMatchObject({ status: 'OPEN', stateCode: `s${forGood.id}`, validUntil: null })
    expect(forGood.squares.length).toBeGreaterThan(20)
    const brief = await scene(id, '直播间', { sceneDays: 2 })
    expect(Date.parse(String(brief.validUntil))).toBe(clock.now().getTime() + 48 * 3_600_000)
    const over = new Date(clock.now().getTime() - 1_000)
    await instance.app.db.query
      .updateTable('account_scene')
      .set({ valid_until: over })
      .where('id', '=', brief.id)
      .execute()
    await insist(() =>
      instance.app.db.write(async tx => jobs[1]?.work(ownChange(instance.app, tx, clock.now(), 'test'), {} as never)),
    )
    const now = await below<Scene>(id, 'scenes')
    expect(now.map(({ id: of, status }) => [of, status])).toEqual([
      [brief.id, 'EXPIRED'],
      [forGood.id, 'OPEN'],
    ])
  })

  test('is closed on the account it belongs to, and once', async () => {
    const [one, other] = [await account(), await account()]
    const { id: sceneId } = await scene(one.id, '宣传单')
    expect(await take(other.id, 'closeScene', { sceneId })).toMatchObject({ code: 4006 })
    expect(await take(one.id, 'closeScene', { sceneId })).toMatchObject({ code: 0 })
    expect((await take(one.id, 'closeScene', { sceneId })).code).not.toBe(0)
  })
})

describe('who follows', () => {
  test('is counted for the code that brought the person, in whatever order and however often it is told', async () => {
    const { id, appId } = await account()
    const [first, second] = [await scene(id, '一'), await scene(id, '二')]
    const [fan, gone] = ['openid-fan-1', 'openid-gone-1']
    await tell('subscribed', { appId, openid: fan, at: at(20), state: second.stateCode })
    await tell('unsubscribed', { appId, openid: fan, at: at(10) })
    await tell('subscribed', { appId, openid: fan, at: at(0), state: first.stateCode, cameBy: 'ADD_SCENE_QR_CODE' })
    await tell('subscribed', { appId, openid: fan, at: at(0), state: first.stateCode }, 'told-under-another-name')
    await tell('scanned', { appId, openid: fan, at: at(30), state: second.stateCode })
    await tell('unsubscribed', { appId, openid: gone, at: at(5) })
    await tell('subscribed', { appId, openid: gone, at: at(1), state: first.stateCode })
    await counted()
    expect(await read(id)).toMatchObject({ followers: 1, gone: 1, leads: 0 })
    const figures = (await below<Scene>(id, 'scenes')).map(({ name, followed, followers, scans }) => [
      name,
      { followed, followers, scans },
    ])
    expect(Object.fromEntries(figures)).toEqual({
      一: { followed: 2, followers: 1, scans: 0 },
      二: { followed: 0, followers: 0, scans: 1 },
    })
    const people = await below<{ status: string; times: number; sceneId: string }>(id, 'subscribers')
    expect(people.map(({ status, times, sceneId }) => [status, times, sceneId]).sort()).toEqual([
      ['FOLLOWING', 2, first.id],
      ['LEFT', 1, first.id],
    ])
  })

  test('is read once to be counted: what is counted already is not asked again', async () => {
    const { id, appId } = await account()
    const { stateCode } = await scene(id, '展板')
    await tell('subscribed', { appId, openid: 'openid-counted', at: at(0), state: stateCode })
    await counted()
    const left = () => instance.app.db.query.selectFrom('account_count').selectAll().execute()
    expect(await left()).toEqual([])
    await counted()
    expect(await read(id)).toMatchObject({ followers: 1, gone: 0 })
    await tell('unsubscribed', { appId, openid: 'openid-counted', at: at(1) })
    // Of this person alone: as it was, and as it is.
    expect(await left()).toHaveLength(2)
    await counted()
    expect(await read(id)).toMatchObject({ followers: 0, gone: 1 })
    expect((await below<Scene>(id, 'scenes'))[0]).toMatchObject({ followed: 1, followers: 0 })
  })

  test('is counted right by whoever counts while others come and go', async () => {
    const { id, appId } = await account()
    const { stateCode: state } = await scene(id, '路口')
    const people = Array.from({ length: 12 }, (_, nth) => `openid-race-${nth}`)
    await Promise.all([
      ...people.map(openid => tell('subscribed', { appId, openid, at: at(0), state })),
      ...people.slice(0, 4).map(openid => tell('unsubscribed', { appId, openid, at: at(1) })),
      ...[1, 2, 3].map(counted),
    ])
    await counted()
    expect(await read(id)).toMatchObject({ followers: 8, gone: 4 })
    expect((await below<Scene>(id, 'scenes'))[0]).toMatchObject({ followed: 12, followers: 8 })
  })

  test('and was counted wrong is counted again by whoever mends the installation', async () => {
    const { id, appId } = await account()
    await tell('subscribed', { appId, openid: 'openid-mended', at: at(0) })
    await counted()
    const { db } = instance.app
    await db.query.updateTable('official_account').set({ followers: 7 }).where('id', '=', id).execute()
    expect((await findBroken(db, instance.catalogue)).map(({ name }) => name)).toEqual([
      'an account has as many followers as it says, with what is still to be counted',
    ])
    await repairKept(db, instance.catalogue)
    await counted()
    expect(await read(id)).toMatchObject({ followers: 1 })
  })

  test('at the same moment is told by two at once and counted once', async () => {
    const { id, appId } = await account()
    const told = { appId, openid: 'openid-twice', at: at(0) }
    await Promise.all([
      tell('subscribed', told),
      tell('subscribed', told),
      tell('unsubscribed', { ...told, at: at(1) }),
    ])
    expect(await below(id, 'subscribers')).toMatchObject([{ status: 'LEFT', times: 1 }])
  })

  test('and writes often stands as the last of it says, since the first of it', async () => {
    const { id, appId } = await account()
    const told = { appId, openid: 'openid-writes' }
    for (const minute of [5, 1, 7, 3]) await tell('messaged', { ...told, at: at(minute), text: '你好' })
    await tell('unsubscribed', { ...told, at: at(6) })
    expect(await below(id, 'subscribers')).toMatchObject([{ status: 'FOLLOWING', times: 0, leftAt: null }])
    await tell('unsubscribed', { ...told, at: at(8) })
    const [stands] = await below<{ status: string; firstAt: string; leftAt: string }>(id, 'subscribers')
    expect(stands?.status).toBe('LEFT')
    expect([stands?.firstAt, stands?.leftAt].map(of => Date.parse(of ?? ''))).toEqual(
      [1, 8].map(of => Date.parse(at(of))),
    )
  })

  test('of an account nobody has entered yet is asked for again later', async () => {
    const told = { appId: 'wxnobodyknows', openid: 'openid-early', at: at(0) }
    await expect(tell('subscribed', told)).rejects.toThrow('account-unknown')
  })

  test('becomes a lead by leaving a number, and by nothing else: of the channel whose code brought the person', async () => {
    const { id, appId } = await account()
    const { stateCode } = await scene(id, '校门口')
    const phone = phoneAt(PHONES.test + 88_001)
    const person = { appId, openid: 'openid-lead' }
    await tell('subscribed', { ...person, at: at(0), state: stateCode })
    const leads = () =>
      instance.app.db.query.selectFrom('lead').select(['channel', 'source']).where('phone', '=', phone).execute()
    expect(await leads()).toEqual([])
    await tell('number-left', { ...person, at: at(3), phone })
    await tell('number-left', { ...person, at: at(4), phone: `+86 ${phone}` })
    expect(await leads()).toEqual([{ channel: 'SCHOOL', source: 'OFFICIAL_ACCOUNT' }])
    await tell('number-left', { ...person, at: at(-60), phone })
    const touch = instance.app.db.query.selectFrom('lead_touch as t').innerJoin('lead as l', 'l.id', 't.lead_id')
    const { first_at: cameAt } = await touch.select('t.first_at').where('l.phone', '=', phone).executeTakeFirstOrThrow()
    expect(new Date(cameAt).toISOString()).toBe(at(-60))
    await counted()
    expect(await read(id)).toMatchObject({ leads: 1, followers: 1 })
    expect((await below<Scene>(id, 'scenes'))[0]).toMatchObject({ leads: 1 })
  })

  test('is counted once, also where the number was forgotten and the person does something again', async () => {
    const { id, appId } = await account()
    const phone = phoneAt(PHONES.test + 88_002)
    const person = { appId, openid: 'openid-forgotten' }
    await tell('subscribed', { ...person, at: at(0) })
    await tell('number-left', { ...person, at: at(1), phone })
    const { db } = instance.app
    await insist(() => db.write(tx => forgetNumber(ownChange(instance.app, tx, clock.now(), 'test'), phone)))
    await counted()
    expect(await read(id)).toMatchObject({ followers: 0, leads: 1 })
    await tell('messaged', { ...person, at: at(2), text: '你好' })
    await counted()
    expect(await read(id)).toMatchObject({ followers: 1, gone: 0, leads: 1 })
    await tell('unsubscribed', { ...person, at: at(3) })
    await counted()
    expect(await read(id)).toMatchObject({ followers: 0, gone: 1, leads: 1 })
  })
})

describe('an answer', () => {
  test('goes to whoever follows or types a word, once, and not to what was said long ago', async () => {
    const reply = { keyword: '课程', match: 'CONTAINS', priority: 0, reply: '课程介绍' } as const
    const { id, appId } = await account({ welcome: '欢迎关注', replies: [reply] })
    const told = { appId, openid: 'openid-answered' }
    await tell('subscribed', { ...told, at: at(0) })
    await tell('subscribed', { ...told, at: at(0) })
    await tell('messaged', { ...told, at: at(0), text: '有什么课程' })
    await tell('messaged', { ...told, at: at(-120), text: '课程' })
    await tell('messaged', { ...told, at: at(0), text: '你好' })
    await instance.outbox.run()
    const sent = await below<{ kind: string; state: string; reply: string }>(id, 'answers')
    expect(sent.map(one => [one.kind, one.reply, one.state])).toEqual([
      ['KEYWORD', '课程介绍', 'SENT'],
      ['WELCOME', '欢迎关注', 'SENT'],
    ])
  })

  test('goes to each of two messages of one second, and once to one that is told twice', async () => {
    const replies = ['课程', '价格'].map(keyword => ({ keyword, match: 'EXACT', priority: 0, reply: keyword }) as const)
    const { id, appId } = await account({ replies: [...replies] })
    const told = { appId, openid: 'openid-hasty', at: at(0) }
    await tell('messaged', { ...told, text: '课程', messageId: '23456789012345671' })
    await tell('messaged', { ...told, text: '价格', messageId: '23456789012345672' })
    await tell('messaged', { ...told, text: '课程', messageId: '23456789012345671' }, 'told-once-more')
    const answers = (await below<{ keyword: string }>(id, 'answers')).map(({ keyword }) => keyword)
    expect(answers.sort()).toEqual(['价格', '课程'])
  })

  test('is found by what was typed, and that is kept nowhere', async () => {
    const { appId } = await account()
    const data = { appId, openid: 'openid-typed', at: at(0), text: '我家住在文三路' }
    expect(await sendEvent(instance, 'official-account', { type: 'official-account.messaged', data })).toMatchObject({
      code: 0,
    })
    await instance.inbox.sweep()
    const { text: _typed, ...rest } = data
    const events = instance.app.db.query.selectFrom('inbox_event').select(['outcome', 'payload'])
    expect(await events.where('type', '=', 'official-account.messaged').execute()).toEqual([
      { outcome: 'APPLIED', payload: rest },
    ])
  })

  test('is none while the account is stopped; who follows is still known', async () => {
    const { id, appId } = await account({ welcome: '欢迎关注' })
    expect(await take(id, 'stop', { reason: '改名' })).toMatchObject({ code: 0 })
    await tell('subscribed', { appId, openid: 'openid-unanswered', at: at(0) })
    expect([await below(id, 'answers'), await below(id, 'subscribers')]).toMatchObject([[], [{ status: 'FOLLOWING' }]])
    expect(await take(id, 'resume')).toMatchObject({ code: 0 })
    await tell('subscribed', { appId, openid: 'openid-welcomed', at: at(0) })
    await instance.outbox.run()
    expect(await below(id, 'answers')).toMatchObject([{ state: 'SENT' }])
  })

  const outOfReach = async (meanwhile: (id: string) => Promise<unknown>) => {
    const { id, appId } = await account({ welcome: '欢迎' })
    let asked = 0
    const real = simulatedAccounts.answer
    Object.assign(simulatedAccounts, {
      answer: async () => {
        asked += 1
        throw new NotReached('no route')
      },
    })
    await tell('subscribed', { appId, openid: 'openid-waiting', at: at(-30) })
    await instance.outbox.run()
    Object.assign(simulatedAccounts, { answer: real })
    expect([asked, await below(id, 'answers')]).toMatchObject([1, [{ state: 'WAITING' }]])
    await meanwhile(id)
    await instance.outbox.run()
    return (await below<{ state: string }>(id, 'answers')).map(({ state }) => state)
  }

  test('that did not reach the platform is sent within the hour, and not any more after it', async () => {
    expect(await outOfReach(async () => clock.forward(60_000 * 29))).toEqual(['SENT'])
    expect(await outOfReach(async () => clock.forward(60_000 * 31))).toEqual(['DROPPED'])
  })

  test('that did not reach the platform is not sent once its account is stopped', async () => {
    const stopped = async (id: string) => {
      expect(await take(id, 'stop', { reason: '改名' })).toMatchObject({ code: 0 })
      clock.forward(60_000 * 5)
    }
    expect(await outOfReach(stopped)).toEqual(['DROPPED'])
  })

  test('nobody knows the outcome of is not sent again', async () => {
    const { id, appId } = await account({ welcome: '欢迎' })
    let asked = 0
    const real = simulatedAccounts.answer
    Object.assign(simulatedAccounts, {
      answer: async () => {
        asked += 1
        throw new Error('the connection broke')
      },
    })
    await tell('subscribed', { appId, openid: 'openid-lost', at: at(0) })
    for (let round = 0; round < 3; round += 1) {
      await instance.outbox.run()
      clock.forward(60_000 * 5)
    }
    Object.assign(simulatedAccounts, { answer: real })
    expect([asked, await below(id, 'answers')]).toMatchObject([1, [{ state: 'UNKNOWN' }]])
  })
})
