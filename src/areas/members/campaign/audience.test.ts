import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inCommonOf } from '#engines/audience/model.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { campaignBody, marketingTemplate, memberWho } from '../../../../tools/testing/campaigns.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { LIST_SAID, sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { handIn } from '../../../../tools/testing/works.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Campaign, Reach } from './model.ts'
import type { CampaignNumber } from './numbers/model.ts'

const PATH = '/members/campaign'

let instance: TestInstance
let author: Caller
let templateId: string
beforeAll(async () => {
  instance = await openTestInstance({ isSending: false })
  author = await person(instance, { grants: { 'member-message': ['list', 'detail', 'create'] } })
  templateId = await marketingTemplate(instance, author)
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const update = (id: string, set: object) =>
  instance.app.db.query.updateTable('member').set(set).where('id', '=', id).execute()
const reach = async (phones: readonly string[], more: object = {}) => {
  const { name: _name, ...asked } = campaignBody(templateId, phones, more)
  const answer = await author.post<Reach>(`${PATH}/reach`, asked)
  expect(answer).toMatchObject({ code: 0 })
  return answer.data
}

describe('an audience by what members hold and do', () => {
  /** Only those of this owner: what others enrolled is nobody's business here. */
  let ownerId: string
  let orgId: string
  beforeAll(async () => {
    const owner = await person(instance, { grants: { 'member-list': ['own'] } })
    ownerId = owner.id
    orgId = owner.orgId
  })
  const named = async (parts: object) =>
    (await reach([], { audienceBy: 'FILTER', ...inCommonOf({ ...parts, ofOwnerId: ownerId }) })).members
  const today = () => dayOf(instance.clock.now())
  const ago = (days: number) => new Date(instance.clock.now().getTime() - days * 86_400_000)
  const member = async (set: object = {}) => {
    const id = await enrol(instance, { ownerId, orgId })
    if (Object.keys(set).length > 0) await update(id, set)
    return id
  }

  test('is counted by teacher, days left, last check-in, last work, works handed in, day of registration and what was agreed to', async () => {
    const teacher = await person(instance, { grants: { 'member-list': ['teach'] } })
    const ending = await member({ teacher_id: teacher.id })
    await buy(instance, ending, await offer(instance, [grantOf('MEMBER_DAYS', 8)]))
    const quiet = await member({ last_check_in_at: ago(3) })
    const busy = await member({ last_check_in_at: ago(1), created_at: ago(40) })
    await handIn(instance, busy)
    await handIn(instance, busy)
    const { id: agreed } = await memberWho(instance, 'GIVEN')
    const { id: left } = await memberWho(instance, 'WITHDRAWN')
    for (const id of [agreed, left]) await update(id, { owner_id: ownerId, org_id: orgId, last_check_in_at: ago(1) })
    expect([ending, quiet, busy, agreed, left]).toHaveLength(5)
    const counted: readonly (readonly [object, number])[] = [
      [{}, 5],
      [{ ofTeacherId: teacher.id }, 1],
      [{ endsWithin: 7 }, 1],
      [{ endsWithin: 6 }, 0],
      // Whoever never checked in has not for any number of days.
      [{ noCheckInDays: 3 }, 2],
      [{ noCheckInDays: 4 }, 1],
      [{ noWorkDays: 1 }, 4],
      [{ worksFrom: 2 }, 1],
      [{ worksFrom: 3 }, 0],
      [{ worksTo: 1 }, 4],
      [{ worksFrom: 0, worksTo: 2 }, 5],
      [{ registeredTo: addDays(today(), -30) }, 1],
      [{ registeredFrom: addDays(today(), -30) }, 4],
      [{ agreed: 'GIVEN' }, 1],
      [{ agreed: 'WITHDRAWN' }, 1],
      [{ agreed: 'NONE' }, 3],
      // All that is named must fit.
      [{ agreed: 'NONE', noCheckInDays: 3 }, 2],
    ]
    for (const [parts, members] of counted) expect([parts, await named(parts)]).toEqual([parts, members])
  })

  test('is counted by a course package somebody still holds, and kept as it was asked for with those it was made of', async () => {
    const editor = await person(instance, { grants: { 'product-package': ['list', 'detail', 'create', 'publish'] } })
    const lessons = [{ title: '横', day: 1, material: '', homework: '' }]
    const course = { name: '控笔', stage: 'CONTROL', days: 30, lessons }
    const { data: made } = await editor.post<{ id: string }>('/products/course-package', course)
    const address = `/products/course-package/${made.id}`
    const { version } = (await editor.get<{ version: number }>(address)).data
    expect(await editor.post(`${address}/publish`, { version })).toMatchObject({ code: 0 })
    const holder = await member()
    const product = await offer(instance, [grantOf('COURSE', 1, 1_000, { packageId: made.id, validDays: 30 })])
    await buy(instance, holder, product)
    const ended = await member()
    await buy(instance, ended, product)
    await instance.app.db.query
      .updateTable('entitlement_lot')
      .set({ expires_on: addDays(today(), -1) })
      .where('member_id', '=', ended)
      .execute()
    expect(await named({ packageId: made.id })).toBe(1)
    const parts = inCommonOf({ packageId: made.id, worksTo: 9, ofOwnerId: ownerId })
    const written = await author.post<{ id: string }>(
      PATH,
      campaignBody(templateId, [], { audienceBy: 'FILTER', ...parts }),
    )
    expect(written).toMatchObject({ code: 0 })
    const { data } = await author.get<Campaign>(`${PATH}/${written.data.id}`)
    expect(data).toMatchObject({ ...parts, members: 1 })
    const numbers = await author.get<{ records: CampaignNumber[] }>(`${PATH}/${written.data.id}/numbers`)
    expect(numbers.data.records.map(({ memberId }) => memberId)).toEqual([holder])
  })
})

describe('a number that came by a list', () => {
  const HEAD = ['手机号', '称呼', '来源', '渠道', '联系依据', '归属人账号']
  /** Somebody who registered by a number of a list of which this was said. */
  async function registered(said: object, nth: number) {
    const clerk = await person(instance, { grants: { 'member-salePhone': ['list', 'detail', 'import'] } })
    const phone = phoneAt(PHONES.test + 72_000 + nth)
    const file = Buffer.from([HEAD, [phone, '', '', 'SCHOOL', '学校报名', '']].map(cells => cells.join(',')).join('\n'))
    const path = '/members/number-import/import'
    const { data } = await sendFile(instance, clerk, path, file, `list-${nth}.csv`)
    expect(await clerk.post(`${path}/${data.id}/check`, { mapping: data.mapping, said })).toMatchObject({ code: 0 })
    await settled(clerk, path, data.id)
    await clerk.post(`${path}/${data.id}/run`)
    expect(await settled(clerk, path, data.id)).toMatchObject({ doneRows: 1 })
    const told = { phone, name: '林小满', source: 'APP', channel: 'STORE' }
    await sendEvent(instance, 'app', { id: `registers-${phone}`, type: 'member.registered', data: told })
    await instance.inbox.sweep()
    return phone
  }

  test('without consent to advertising is left out for that, counted apart, until its guardian agrees', async () => {
    const phone = await registered(LIST_SAID, 1)
    expect(await reach([phone])).toMatchObject({ members: 1, toSend: 0, listNotAgreed: 1, noConsent: 0 })
    const { data } = await author.post<{ id: string }>(PATH, campaignBody(templateId, [phone]))
    const numbers = await author.get<{ records: CampaignNumber[] }>(`${PATH}/${data.id}/numbers`)
    expect(numbers.data.records).toMatchObject([{ status: 'WITHHELD', cause: 'LIST_NOT_AGREED' }])
    const found = instance.app.db.query.selectFrom('member').select('id').where('phone', '=', phone)
    const { id: memberId } = await found.executeTakeFirstOrThrow()
    const at = instance.clock.now().toISOString()
    const said = { memberId, purposes: ['MARKETING'], textVersion: 'v1', by: '妈妈', at }
    await sendEvent(instance, 'app', { type: 'consent.given', data: said })
    await instance.inbox.sweep()
    expect(await reach([phone])).toMatchObject({ toSend: 1, listNotAgreed: 0 })
  })

  test('whose list shows that people agreed is none of those: only its guardian is still to be asked', async () => {
    const phone = await registered({ ...LIST_SAID, marketing: 'AGREED', evidence: '报名表' }, 2)
    expect(await reach([phone])).toMatchObject({ toSend: 0, listNotAgreed: 0, noConsent: 1 })
  })
})
