import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { run } from '#kit/server/database/database.ts'
import { type Caller, insist, openTestInstance, person, type TestInstance } from '../../../tools/testing/instance.ts'
import { sendEvent } from '../../../tools/testing/live.ts'
import { eraseMember } from '../../areas/members/member/closing.server.ts'
import { PHONES, phoneAt } from '../../demo/builders.server.ts'
import { giveLeads } from '../lead/owning.server.ts'

let instance: TestInstance
let admin: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

let counter = 0
const fresh = () => {
  counter += 1
  return { phone: phoneAt(PHONES.test + 61_000 + counter), unionid: `union-${counter}`, nth: counter }
}
const query = (text: string, values: unknown[] = []) => run(instance.app.db.query, text, values)
async function tell(source: 'app' | 'official-account', type: string, data: Record<string, unknown>) {
  const { status } = await sendEvent(instance, source, { type, data })
  await instance.inbox.sweep()
  return status
}
const at = () => instance.clock.now().toISOString()
const from = { source: 'DOUYIN', channel: 'DOUYIN_LIVE' }
const reach = (phone: string, unionid: string) =>
  tell('app', 'registration.reached', { phone, step: 'CODE_SENT', ...from, unionid })
const register = (phone: string, unionid?: string) =>
  tell('app', 'member.registered', {
    phone,
    name: '林小满',
    source: 'APP',
    channel: 'STORE',
    ...(unionid && { unionid }),
  })

const memberOf = async (phone: string) =>
  (await query('select id, owner_id, source from member where phone = $1', [phone]))[0] ?? {}
const leadOf = async (phone: string) =>
  (await query('select id, member_id, owner_id, status, ended_at from lead where phone = $1', [phone]))[0] ?? {}
const told = async (memberId: unknown) =>
  (await admin.get<{ risks: { sameWechat: number } }>(`/members/member/${memberId}`)).data.risks.sameWechat

describe('a number somebody left', () => {
  test('becomes the member who registers under another one, with whoever has followed it', async () => {
    const [{ phone: left, unionid }, { phone: own }] = [fresh(), fresh()]
    const owner = await person(instance, { grants: { 'member-list': ['list', 'detail', 'own'] } })
    expect(await reach(left, unionid)).toBe(200)
    const { id: leadId } = await leadOf(left)
    await insist(() =>
      instance.app.db.write(tx =>
        giveLeads(ownChange(instance.app, tx, instance.clock.now(), 'test'), [String(leadId)], owner, 'ASSIGNED'),
      ),
    )
    await register(own, unionid)
    const member = await memberOf(own)
    expect(member).toMatchObject({ owner_id: owner.id, source: 'DOUYIN' })
    expect(await leadOf(left)).toMatchObject({ id: leadId, member_id: member.id, owner_id: owner.id, status: 'TRIAL' })
    expect(await query('select distinct member_id from lead_touch where lead_id = $1', [leadId])).toEqual([
      { member_id: member.id },
    ])
    expect(await query('select status from registration where lead_id = $1', [leadId])).toEqual([
      { status: 'REGISTERED' },
    ])
    expect(await told(member.id)).toBe(0)
  })

  test('that is the newcomer’s own comes before another one of the same WeChat, which is told of', async () => {
    const [{ phone: other, unionid }, { phone: own }] = [fresh(), fresh()]
    await reach(other, unionid)
    await reach(own, unionid)
    await register(own, unionid)
    const member = await memberOf(own)
    expect(await leadOf(own)).toMatchObject({ member_id: member.id })
    expect(await leadOf(other)).toMatchObject({ member_id: null, ended_at: null })
    expect(await told(member.id)).toBe(1)
  })

  test('under no WeChat, or somebody else’s, stays what it is', async () => {
    const [{ phone: left, unionid }, { phone: own }, { phone: third, unionid: another }] = [fresh(), fresh(), fresh()]
    await reach(left, unionid)
    await register(own)
    await register(third, another)
    expect(await leadOf(left)).toMatchObject({ member_id: null, ended_at: null })
  })

  test('of somebody who is a member already is followed as any other: it may be a brother or a sister', async () => {
    const [{ phone: own, unionid }, { phone: later }] = [fresh(), fresh()]
    await register(own, unionid)
    await reach(later, unionid)
    expect(await leadOf(later)).toMatchObject({ member_id: null, ended_at: null })
    expect(await told((await memberOf(own)).id)).toBe(1)
  })
})

describe('two members of one WeChat', () => {
  test('stay two, and the page of each says so', async () => {
    const [{ phone: one, unionid }, { phone: two }, { phone: third, unionid: another }] = [fresh(), fresh(), fresh()]
    await register(one, unionid)
    expect(await told((await memberOf(one)).id)).toBe(0)
    await register(two, unionid)
    await register(third, another)
    expect(await told((await memberOf(one)).id)).toBe(1)
    expect(await told((await memberOf(two)).id)).toBe(1)
    expect(await told((await memberOf(third)).id)).toBe(0)
  })

  test('leave what comes under it to the one it was first told of', async () => {
    const [{ phone: one, unionid }, { phone: two }, { nth }] = [fresh(), fresh(), fresh()]
    await register(one, unionid)
    await register(two, unionid)
    await account(`wxtwo${nth}0000`)
    await follow(`wxtwo${nth}0000`, `oTwo${nth}00000`, unionid)
    expect(await followers(`oTwo${nth}00000`)).toEqual([{ member_id: (await memberOf(one)).id, is_member: true }])
  })
})

const account = (appId: string) =>
  query(
    `insert into official_account (name, app_id, kind, channel, created_at) values ('砚台书写', $1, 'SERVICE', 'STORE', now())`,
    [appId],
  )
const follow = (appId: string, openid: string, unionid?: string) =>
  tell('official-account', 'official-account.subscribed', { appId, openid, at: at(), ...(unionid && { unionid }) })
const followers = (openid: string) =>
  query('select member_id, is_member from account_follower where openid = $1', [openid])

describe('who follows an account', () => {
  test('is the member of that WeChat, whichever is told first', async () => {
    const [{ phone: early, unionid: first, nth }, { phone: late, unionid: second }] = [fresh(), fresh()]
    const appId = `wxname${nth}0000`
    await account(appId)
    await register(early, first)
    expect(await follow(appId, 'oEarly00000', first)).toBe(200)
    await follow(appId, 'oLate000000', second)
    await follow(appId, 'oNobody0000')
    expect(await followers('oLate000000')).toEqual([{ member_id: null, is_member: false }])
    await register(late, second)
    expect(await followers('oEarly00000')).toEqual([{ member_id: (await memberOf(early)).id, is_member: true }])
    expect(await followers('oLate000000')).toEqual([{ member_id: (await memberOf(late)).id, is_member: true }])
    expect(await followers('oNobody0000')).toEqual([{ member_id: null, is_member: false }])
  })

  test('and left a number is the member who registers under it, or under another one of the same WeChat', async () => {
    const [{ phone: left, unionid, nth }, { phone: own }] = [fresh(), fresh()]
    const [appId, openid] = [`wxleft${nth}0000`, `oLeft${nth}0000`]
    await account(appId)
    await follow(appId, openid)
    await tell('official-account', 'official-account.number-left', { appId, openid, at: at(), phone: left, unionid })
    await register(own, unionid)
    const { id } = await memberOf(own)
    expect(await leadOf(left)).toMatchObject({ member_id: id })
    expect(await followers(openid)).toEqual([{ member_id: id, is_member: true }])
  })
})

describe('a chat contact', () => {
  const contact = async (unionid: string | null, channel: string | null, externalId: string) => {
    const { id } = await person(instance)
    await query(
      `insert into chat_contact (staff_id, external_id, unionid, channel, add_way, since, created_at) values ($1, $2, $3, $4, '1', now(), now())`,
      [id, externalId, unionid, channel],
    )
  }
  const owned = async (externalId: string) =>
    (await query('select member_id from chat_contact where external_id = $1', [externalId]))[0]?.member_id
  const claim = (phone: string, names: object) =>
    tell('app', 'voucher.registered', { phone, product: '体验课', at: at(), ...names })

  test('is the member’s who is recognised by its WeChat, or by a link that only this person came by', async () => {
    const [{ phone: one, unionid }, { phone: two, nth }] = [fresh(), fresh()]
    await contact(unionid, null, `wmName${nth}`)
    await contact(null, `only-${nth}`, `wmLink${nth}`)
    for (const more of ['a', 'b']) await contact(null, `many-${nth}`, `wmMany${nth}${more}`)
    await register(one)
    await register(two)
    await claim(one, { unionid })
    await claim(two, { state: `only-${nth}` })
    await claim(two, { state: `many-${nth}` })
    expect(await owned(`wmName${nth}`)).toBe((await memberOf(one)).id)
    expect(await owned(`wmLink${nth}`)).toBe((await memberOf(two)).id)
    expect([await owned(`wmMany${nth}a`), await owned(`wmMany${nth}b`)]).toEqual([null, null])
  })
})

test('of a member whose account is closed no name is left, and nobody is known by it', async () => {
  const [{ phone: left, unionid, nth }, { phone: own }] = [fresh(), fresh()]
  await account(`wxgone${nth}0000`)
  await follow(`wxgone${nth}0000`, `oGone${nth}0000`, unionid)
  await reach(left, unionid)
  await register(own, unionid)
  const { id } = await memberOf(own)
  await insist(() =>
    instance.app.db.write(tx => eraseMember(ownChange(instance.app, tx, instance.clock.now(), 'test'), String(id))),
  )
  for (const table of ['lead', 'account_follower', 'chat_contact'])
    expect(await query(`select unionid from ${table} where unionid = $1`, [unionid])).toEqual([])
  expect(await query('select member_id from member_identity where member_id = $1', [id])).toEqual([])
})
