import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { readEnv } from '#kit/server/process/env.ts'
import { enrol } from '../../../tools/testing/commerce.ts'
import { openTestInstance, person, stoppedClock, type TestInstance } from '../../../tools/testing/instance.ts'
import { seal, signedQuery } from '../../../tools/testing/sealed.ts'

const CORP = 'corp-of-ours'
const CONTACTS = {
  ...{ path: '/api/open/v1/wecom/contacts', receiver: CORP, agentId: '2000003', token: 'contact-token' },
  aesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
}
const APP = {
  ...{ path: '/api/open/v1/wecom/app', receiver: CORP, agentId: '1000007', token: 'app-token' },
  aesKey: 'GFEDCBA9876543210zyxwvutsrqponmlkjihgfedcba',
}
type Door = typeof CONTACTS
const clock = stoppedClock(new Date('2026-03-10T10:00:00.000+08:00'))

/** Whom WeCom knows, by the name it has for them. */
const people = new Map<string, object>()
async function platform() {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const say = (said: object) => response.end(JSON.stringify(said))
    if (pathname.endsWith('/gettoken')) return say({ errcode: 0, access_token: 'token', expires_in: 7_200 })
    const found = pathname.endsWith('/get') && people.get(searchParams.get('external_userid') ?? '')
    return say(found ? { errcode: 0, ...found } : { errcode: 84_061 })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const keysOf = (url: string) => ({
  ...{ WECOM_URL: url, WECOM_CORP_ID: CORP, WECOM_CONTACT_SECRET: 'secret-of-ours' },
  ...{ WECOM_CONTACT_TOKEN: CONTACTS.token, WECOM_CONTACT_AES_KEY: CONTACTS.aesKey },
  ...{ WECOM_APP_AGENT_ID: APP.agentId, WECOM_APP_TOKEN: APP.token, WECOM_APP_AES_KEY: APP.aesKey },
})

let instance: TestInstance
let wecom: Awaited<ReturnType<typeof platform>>
beforeAll(async () => {
  wecom = await platform()
  instance = await openTestInstance({ clock, env: keysOf(wecom.url), isSending: false })
  await instance.house.stop()
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  wecom.close()
})

const query = (text: string, values: unknown[] = []) => run(instance.app.db.query, text, values)
const seconds = () => Math.floor(clock.now().getTime() / 1_000)
const element = (name: string, text: string | number) =>
  typeof text === 'number' ? `<${name}>${text}</${name}>` : `<${name}><![CDATA[${text}]]></${name}>`
const elements = (of: Record<string, string | number>) =>
  `<xml>${Object.entries(of)
    .map(([name, text]) => element(name, text))
    .join('')}</xml>`

/** A happening of customers as WeCom writes it. */
const changed = (ChangeType: string, more: Record<string, string | number> = {}) =>
  elements({
    ...{ ToUserName: CORP, FromUserName: 'sys', CreateTime: seconds(), MsgType: 'event' },
    ...{ Event: 'change_external_contact', ChangeType, ...more },
  })

type Sent = Partial<Door> & { readonly timestamp?: string; readonly type?: string }
async function tell(door: Door, message: string, { type = 'text/xml', ...sent }: Sent = {}) {
  const { path, token, receiver, agentId, aesKey } = { ...door, ...sent }
  const sealed = seal(message, { receiver, aesKey })
  const timestamp = sent.timestamp ?? String(seconds())
  const answer = await instance.http.inject({
    method: 'POST',
    url: `${path}?${signedQuery(sealed, { token, timestamp })}`,
    headers: { 'content-type': type },
    payload: elements({ ToUserName: receiver, AgentID: agentId, Encrypt: sealed }),
  })
  await instance.inbox.sweep()
  await instance.outbox.run()
  return { status: answer.statusCode, body: answer.body }
}

const colleague = async () => {
  const { id } = await person(instance)
  const [found] = await query('select account from staff where id = $1', [id])
  return { id, UserID: String(found?.account) }
}
const contactsOf = (staffId: string) =>
  query(
    `select status, lost_by, add_way, channel, name, remark, unionid, member_id from chat_contact where staff_id = $1 order by id`,
    [staffId],
  )
const kept = async () => Number((await query('select count(*)::int as n from inbox_event'))[0]?.n)

let count = 0
const customer = () => {
  count += 1
  return `wmCustomer${count}`
}

describe('a door of WeCom', () => {
  test('says back what it was sent sealed, to whoever knows its token, and only at that time', async () => {
    const greet = async (token: string, timestamp = String(seconds())) => {
      const echo = seal('hello', CONTACTS)
      const url = `${CONTACTS.path}?${signedQuery(echo, { token, timestamp })}&echostr=${encodeURIComponent(echo)}`
      const { statusCode, body } = await instance.http.inject({ method: 'GET', url })
      return [statusCode, statusCode === 200 ? body : '']
    }
    expect(await greet(CONTACTS.token)).toEqual([200, 'hello'])
    expect(await greet(APP.token)).toEqual([403, ''])
    expect(await greet(CONTACTS.token, String(seconds() - 301))).toEqual([403, ''])
  })

  test('makes a contact of who added a colleague, once whichever door tells it and however often', async () => {
    const { id, UserID } = await colleague()
    const added = changed('add_external_contact', {
      UserID,
      ExternalUserID: customer(),
      State: 'link-7',
      WelcomeCode: 'W',
    })
    for (const door of [CONTACTS, APP, CONTACTS])
      expect(await tell(door, added)).toEqual({ status: 200, body: 'success' })
    expect(await contactsOf(id)).toMatchObject([{ status: 'HELD', channel: 'link-7', add_way: '0' }])
    expect(JSON.stringify(await query('select payload from inbox_event'))).not.toContain('"W"')
  })

  test('loses who took a colleague off, and whom a colleague took off, each by whoever did it', async () => {
    const { id, UserID } = await colleague()
    const [one, two] = [customer(), customer()]
    for (const ExternalUserID of [one, two])
      await tell(APP, changed('add_external_contact', { UserID, ExternalUserID }))
    clock.forward(60_000)
    await tell(APP, changed('del_follow_user', { UserID, ExternalUserID: one }))
    await tell(APP, changed('del_external_contact', { UserID, ExternalUserID: two }))
    expect(await contactsOf(id)).toMatchObject([
      { status: 'LOST', lost_by: 'CUSTOMER' },
      { status: 'LOST', lost_by: 'STAFF' },
    ])
  })

  test('refuses what is signed for another door, sealed for another company, old, or no message at all, and keeps nothing of it', async () => {
    const { UserID } = await colleague()
    const before = await kept()
    const added = changed('add_external_contact', { UserID, ExternalUserID: customer() })
    expect(await tell(CONTACTS, added, { token: APP.token })).toMatchObject({ status: 403 })
    expect(await tell(CONTACTS, added, { aesKey: APP.aesKey })).toMatchObject({ status: 400 })
    expect(await tell(CONTACTS, added, { receiver: 'corp-of-others' })).toMatchObject({ status: 400 })
    expect(await tell(APP, added, { agentId: '1000008' })).toMatchObject({ status: 400 })
    for (const past of [-301, 301])
      expect(await tell(CONTACTS, added, { timestamp: String(seconds() + past) })).toMatchObject({ status: 403 })
    expect(await tell(CONTACTS, '<!DOCTYPE xml [<!ENTITY a "b">]><xml>&a;</xml>')).toMatchObject({ status: 400 })
    expect(await tell(CONTACTS, added.replace(UserID, '\0'))).toMatchObject({ status: 400 })
    expect(await tell(CONTACTS, added.replace(/<CreateTime>\d+/, '<CreateTime>99999999999'))).toMatchObject({
      status: 400,
    })
    expect(await tell(CONTACTS, added, { type: 'text/html' })).toMatchObject({ status: 400 })
    expect(await kept()).toBe(before)
  })

  test('hears of what is no concern of ours, and keeps nothing of it', async () => {
    const { UserID } = await colleague()
    const before = await kept()
    const told = [
      changed('add_half_external_contact', { UserID, ExternalUserID: customer() }),
      changed('constructor', { UserID, ExternalUserID: customer() }),
      changed('transfer_fail', { UserID, ExternalUserID: customer(), FailReason: 'of_another_kind' }),
      elements({ CreateTime: seconds(), MsgType: 'event', Event: 'change_contact', ChangeType: 'create_user' }),
      elements({ CreateTime: seconds(), MsgType: 'text', Content: 'hello' }),
    ]
    for (const message of told) expect(await tell(APP, message)).toEqual({ status: 200, body: 'success' })
    expect(await kept()).toBe(before)
  })
})

describe('a hand-over', () => {
  const STAFF = '/organisation/staff'
  const handed = async () => {
    const [from, to] = [await colleague(), await colleague()]
    const ExternalUserID = customer()
    await tell(APP, changed('add_external_contact', { UserID: from.UserID, ExternalUserID }))
    return { from, to, ExternalUserID }
  }
  /** As it stands once the platform has accepted it. */
  const waiting = async () => {
    const all = await handed()
    const { from, to } = all
    const boss = await person(instance, { grants: { 'org-user': ['list', 'detail', 'handOver'] } })
    expect(await boss.post(`${STAFF}/${from.id}/handOver`, { successorId: to.id })).toMatchObject({ code: 0 })
    await query(`update contact_transfer set called_at = $1, status = 'WAITING' where from_id = $2`, [
      clock.now(),
      from.id,
    ])
    await query(`update chat_contact set status = 'WAITING' where staff_id = $1`, [from.id])
    clock.forward(60_000)
    return all
  }

  test('that went through is told by the customer’s leaving the one, and is no loss', async () => {
    const { from, to, ExternalUserID } = await waiting()
    const gone = { UserID: from.UserID, ExternalUserID, Source: 'DELETE_BY_TRANSFER' }
    await tell(APP, changed('del_external_contact', gone))
    expect(await contactsOf(from.id)).toMatchObject([{ status: 'DONE', lost_by: null }])
    expect(await contactsOf(to.id)).toMatchObject([{ status: 'HELD' }])
  })

  test('that came to nothing says why', async () => {
    const { from, to, ExternalUserID } = await waiting()
    const failed = { UserID: to.UserID, ExternalUserID, FailReason: 'customer_limit_exceed' }
    await tell(APP, changed('transfer_fail', failed))
    expect(await contactsOf(from.id)).toMatchObject([{ status: 'FULL' }])
    expect(await contactsOf(to.id)).toEqual([])
  })

  test('made on the platform by somebody leaves the colleague without the customer', async () => {
    const { from, ExternalUserID } = await handed()
    clock.forward(60_000)
    const gone = { UserID: from.UserID, ExternalUserID, Source: 'DELETE_BY_TRANSFER' }
    await tell(APP, changed('del_external_contact', gone))
    expect(await contactsOf(from.id)).toMatchObject([{ status: 'LOST', lost_by: 'STAFF' }])
  })
})

describe('who somebody is', () => {
  const known = (UserID: string, phones: string[], unionid?: string) => ({
    external_contact: { external_userid: 'x', name: '小满妈妈', type: 1, ...(unionid ? { unionid } : {}) },
    follow_user: [
      { userid: UserID, remark: '林小满 二年级', add_way: 16, state: 'link-9', remark_mobiles: phones },
      { userid: 'somebody-else', remark: '别人的备注', add_way: 1, remark_mobiles: [] },
    ],
  })
  const add = (UserID: string, ExternalUserID: string) =>
    tell(APP, changed('add_external_contact', { UserID, ExternalUserID }))

  test('is asked of the platform once somebody was added, and stands beside that colleague’s contact', async () => {
    const [{ id, UserID }, ExternalUserID] = [await colleague(), customer()]
    people.set(ExternalUserID, known(UserID, [], 'union-beside'))
    await add(UserID, ExternalUserID)
    expect(await contactsOf(id)).toEqual([
      {
        ...{
          status: 'HELD',
          lost_by: null,
          add_way: '16',
          channel: 'link-9',
          name: '小满妈妈',
          remark: '林小满 二年级',
        },
        ...{ unionid: 'union-beside', member_id: null },
      },
    ])
  })

  test('is the member whose WeChat it is, or whose number a colleague has noted since', async () => {
    const [{ id, UserID }, byName, byNumber] = [await colleague(), customer(), customer()]
    const [named, numbered] = [await enrol(instance), await enrol(instance)]
    await query(
      `insert into member_identity (kind, value, member_id, told_at) values ('UNIONID', 'union-named', $1, now())`,
      [named],
    )
    people.set(byName, known(UserID, [], 'union-named'))
    people.set(byNumber, known(UserID, []))
    for (const ExternalUserID of [byName, byNumber]) await add(UserID, ExternalUserID)
    expect((await contactsOf(id)).map(({ member_id: member }) => member)).toEqual([named, null])
    const [{ phone } = { phone: '' }] = await query('select phone from member where id = $1', [numbered])
    people.set(byNumber, known(UserID, [`+86 ${String(phone)}`]))
    clock.forward(60_000)
    await tell(APP, changed('edit_external_contact', { UserID, ExternalUserID: byNumber }))
    expect((await contactsOf(id)).map(({ member_id: member }) => member)).toEqual([named, numbered])
  })

  test('stays open where the noted numbers are of two members', async () => {
    const [{ id, UserID }, ExternalUserID] = [await colleague(), customer()]
    const ids = [await enrol(instance), await enrol(instance)]
    const phones = (await query('select phone from member where id = any($1::bigint[])', [ids])).map(row =>
      String(row.phone),
    )
    people.set(ExternalUserID, known(UserID, phones))
    await add(UserID, ExternalUserID)
    expect(await contactsOf(id)).toMatchObject([{ member_id: null }])
  })
})

describe('the settings of a door', () => {
  test('stand together, and with the company they are of', () => {
    const { WECOM_CORP_ID: corp, WECOM_CONTACT_SECRET: secret, ...doors } = keysOf('http://127.0.0.1:1')
    expect(() => readEnv(doors)).toThrow('WECOM_CORP_ID')
    const { WECOM_APP_AES_KEY: _left, ...without } = doors
    const company = { WECOM_CORP_ID: corp, WECOM_CONTACT_SECRET: secret }
    expect(() => readEnv({ ...without, ...company })).toThrow('WECOM_APP_AES_KEY')
    expect(() => readEnv({ ...doors, ...company })).not.toThrow()
  })

  test('that are not set leave no door', async () => {
    const closed = await openTestInstance()
    for (const { path, token } of [CONTACTS, APP]) {
      const url = `${path}?${signedQuery('', { token, timestamp: String(seconds()) })}`
      expect((await closed.http.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(404)
    }
  })
})
