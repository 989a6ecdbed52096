import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FollowUpView } from '#areas/members/member/side.model.ts'
import { forgetNumber } from '#engines/lead/forgetting.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { proof } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { eraseMember } from '../../members/member/closing.server.ts'

const PATH = '/sales/salvage'
const GRANTS = {
  'sale-salvage': ['list', 'detail', 'claim', 'contact', 'followUp', 'giveBack'],
  'member-list': ['list', 'detail', 'own'],
}

let instance: TestInstance
let an: Caller & { orgId: string }
let bo: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  an = await person(instance, { grants: GRANTS, scope: 'SELF' })
  bo = await person(instance, { grants: GRANTS, scope: 'SELF' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = PHONES.test + 98_000
async function leadOfAn(): Promise<{ id: string; phone: string }> {
  counter += 1
  const phone = phoneAt(counter)
  const came = { name: null, source: 'APP', channel: 'STORE', consent: 'SELF', cameBy: 'FORM' as const }
  const owner = { id: an.id, orgId: an.orgId }
  const [arrived] = await instance.changing(change => arrive(change, [{ phone, key: phone, ...came, owner }]))
  return { id: String(arrived?.leadId), phone }
}
const pictures = (count: number, of = an.id) => Promise.all(Array.from({ length: count }, () => proof(instance, of)))
const say = (leadId: string, picture: string[], step = 'contact') =>
  an.post(`${PATH}/${leadId}/${step}`, { contactKind: 'CHAT', content: '看图', level: null, nextAt: null, picture })
const shown = async (path: string, who: Caller = an) => (await who.get<FollowUpView[]>(path)).data
/** Whether this person is given a link to it. */
const opens = async (who: Caller, id: string | undefined) =>
  (await who.post<{ url: string; small: string }>(`/common/file/${id}/link`, { size: 'small' })).code === 0
const filesOf = async (leadId: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from file where page = 'sale-salvage' and record_id = ${leadId}`.execute(instance.app.db.query)
  return rows.length
}
const keptOf = async (leadId: string) => {
  const { rows } = await sql<{ picture: string[] }>`
    select picture from follow_up where lead_id = ${leadId}`.execute(instance.app.db.query)
  return rows.flatMap(({ picture }) => picture)
}

describe('pictures with what was said to the person of a lead', () => {
  test('stand with each entry in the order they were sent, up to nine of them', async () => {
    const { id } = await leadOfAn()
    const [first, second] = [await pictures(9), await pictures(1)]
    expect(await say(id, first)).toMatchObject({ code: 0 })
    expect(await say(id, second, 'followUp')).toMatchObject({ code: 0 })
    expect((await shown(`${PATH}/${id}/contact`)).map(({ picture }) => picture)).toEqual([second, first])
    expect(await say(id, await pictures(10), 'followUp')).toMatchObject({ code: 4005 })
  })

  test('are one’s own: what another sent, or what stands with another lead, is refused', async () => {
    const [{ id }, { id: other }] = [await leadOfAn(), await leadOfAn()]
    const [mine] = await pictures(1)
    expect(await say(other, [String(mine)])).toMatchObject({ code: 0 })
    for (const stolen of [[String(mine)], await pictures(1, bo.id)])
      expect(await say(id, stolen)).toMatchObject({ data: { fields: { picture: expect.anything() } } })
    expect(await keptOf(id)).toEqual([])
  })

  test('can be opened by whoever may read what was said, and by nobody else', async () => {
    const { id } = await leadOfAn()
    const [picture] = await pictures(1)
    await say(id, [String(picture)])
    const boss = await person(instance, { grants: GRANTS, scope: 'ALL' })
    const stranger = await person(instance, { grants: { 'member-list': ['list', 'detail'] }, scope: 'ALL' })
    const reads = async (who: Caller) => (await who.get(`${PATH}/${id}/contact`)).code === 0
    for (const who of [boss, bo, stranger]) expect(await opens(who, picture)).toBe(await reads(who))
    expect([await opens(boss, picture), await opens(bo, picture), await opens(stranger, picture)]).toEqual([
      true,
      false,
      false,
    ])
    // Back in the pool, those who may claim it see what was said before.
    await sql`insert into lead_pool_member (pool_id, staff_id) select id, ${bo.id} from lead_pool where is_default`.execute(
      instance.app.db.query,
    )
    await an.post(`${PATH}/${id}/giveBack`, { returnReason: 'NO_NEED', toPoolId: null, note: '' })
    expect([await reads(bo), await opens(bo, picture)]).toEqual([true, true])
  })
})

const memberOf = async (phone: string): Promise<string> => {
  const data = { phone, name: '林小满', source: 'APP', channel: 'STORE' }
  await sendEvent(instance, 'app', { type: 'member.registered', data })
  await instance.inbox.sweep()
  const member = instance.app.db.query.selectFrom('member').select('id').where('phone', '=', phone)
  return (await member.executeTakeFirstOrThrow()).id
}

test('pictures stand with the member the lead became, for whoever sees that member and never saw the lead', async () => {
  const { id, phone } = await leadOfAn()
  const [picture] = await pictures(1)
  await say(id, [String(picture)])
  const teacher = await person(instance, { grants: { 'member-list': ['list', 'detail'] }, scope: 'ALL' })
  const other = await person(instance, { grants: { 'member-list': ['list', 'detail'] }, scope: 'SELF' })
  expect(await opens(teacher, picture)).toBe(false)
  await memberOf(phone)
  expect([await opens(teacher, picture), await opens(other, picture)]).toEqual([true, false])
})

describe('whoever is forgotten', () => {
  test('leaves no picture where a number was forgotten', async () => {
    const { id, phone } = await leadOfAn()
    await say(id, await pictures(2))
    expect([await filesOf(id), (await keptOf(id)).length]).toEqual([2, 2])
    await instance.changing(change => forgetNumber(change, phone))
    expect([await filesOf(id), (await keptOf(id)).length]).toEqual([0, 0])
  })

  test('leaves none where a member’s account is closed, whose lead it was', async () => {
    const { id, phone } = await leadOfAn()
    await say(id, await pictures(2))
    const memberId = await memberOf(phone)
    const [entry] = await shown(`/members/member/${memberId}/follow-up`)
    expect(entry?.picture).toHaveLength(2)
    await instance.changing(change => eraseMember(change, memberId))
    expect([await filesOf(id), (await keptOf(id)).length]).toEqual([0, 0])
  })
})
