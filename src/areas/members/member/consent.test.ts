import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consentOf } from '#engines/message/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ask } from '#kit/server/change/question.ts'
import { enrol, proof } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { judgedWork } from '../../../../tools/testing/works.ts'
import { eraseMember } from './closing.server.ts'

const PATH = '/members/member'
let instance: TestInstance
let clerk: Caller
let judge: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  clerk = await person(instance, { grants: { 'member-list': ['list', 'detail', 'recordConsent'] } })
  judge = await person(instance, { grants: { 'opus-list': ['list', 'detail', 'markExcellent', 'unmarkExcellent'] } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const at = (ago: number) => new Date(instance.clock.now().getTime() - ago).toISOString()
const SHEET = {
  saidAs: 'GUARDIAN',
  saidBy: '陈家长',
  consentWay: 'PAPER',
  textVersion: 'C2025-03',
  evidence: '授权书 000017',
  proof: [] as string[],
}
const recorded = (memberId: string, said: object) =>
  clerk.post(`${PATH}/${memberId}/recordConsent`, {
    ...SHEET,
    consentAct: 'GIVEN',
    consentPurposes: ['MARKETING'],
    saidAt: at(60_000),
    ...said,
  })
async function told(type: string, data: object, source: 'app' | 'sms' = 'app') {
  const { status } = await sendEvent(instance, source, { id: randomUUID(), type, data: data as never })
  await instance.inbox.sweep()
  return status
}
const standing = async (memberId: string) =>
  (await clerk.get<Record<string, string>>(`${PATH}/${memberId}/consent`)).data
const advertising = (memberId: string) => instance.app.db.write(tx => ask(instance.app, consentOf, { tx, memberId }))
const phoneOf = async (id: string) =>
  (await instance.app.db.query.selectFrom('member').select('phone').where('id', '=', id).executeTakeFirstOrThrow())
    .phone

const judged = (memberId: string) => judgedWork(instance, { memberId, commenterId: judge.id })
const isExcellent = async (id: string) =>
  (await instance.app.db.query.selectFrom('work').select('is_excellent').where('id', '=', id).executeTakeFirstOrThrow())
    .is_excellent

describe('what a guardian agreed to', () => {
  test('stands for exactly the purposes that were named, with who said it, how, when and to which wording', async () => {
    const memberId = await enrol(instance)
    expect(await standing(memberId)).toEqual({})
    expect(await recorded(memberId, { consentPurposes: ['PICTURE', 'DISPLAY'] })).toMatchObject({ code: 0 })
    expect(await standing(memberId)).toEqual({ PICTURE: 'GIVEN', DISPLAY: 'GIVEN' })
    const { data } = await clerk.get<{ records: object[] }>(`${PATH}/${memberId}/consents`)
    const shown = {
      act: 'GIVEN',
      stands: true,
      way: 'PAPER',
      saidBy: '陈*',
      textVersion: 'C2025-03',
      staffId: clerk.id,
    }
    expect(data.records).toMatchObject([
      { ...shown, purpose: 'DISPLAY', evidence: '授权书 000017' },
      { ...shown, purpose: 'PICTURE' },
    ])
  })

  test('is shown by pictures of the signed sheet, to whoever sees the member and to nobody else, until the account is closed', async () => {
    const memberId = await enrol(instance)
    const [sheet, strange] = [await proof(instance, clerk.id), await proof(instance, judge.id)]
    expect(await recorded(memberId, { proof: [strange] })).toMatchObject({
      data: { fields: { proof: expect.anything() } },
    })
    expect(await standing(memberId)).toEqual({})
    expect(await recorded(memberId, { proof: [sheet], consentPurposes: ['PICTURE', 'VOICE'] })).toMatchObject({
      code: 0,
    })
    const { records } = (await clerk.get<{ records: { proof: string[] }[] }>(`${PATH}/${memberId}/consents`)).data
    expect(records.map(one => one.proof)).toEqual([[sheet], [sheet]])
    const opens = async (who: Caller) => (await who.post(`/common/file/${sheet}/link`, { size: 'small' })).code === 0
    expect([await opens(clerk), await opens(judge)]).toEqual([true, false])
    await instance.changing(change => eraseMember(change, memberId))
    const kept = instance.app.db.query.selectFrom('consent').select('proof').where('member_id', '=', memberId)
    expect((await kept.execute()).flatMap(one => one.proof)).toEqual([])
    expect(await opens(clerk)).toBe(false)
  })

  test('comes by the signed event of the app, and a word that arrives late does not outweigh a later one', async () => {
    const memberId = await enrol(instance)
    const said = { memberId, purposes: ['VOICE', 'MARKETING'], by: '陈家长' }
    expect(await told('consent.withdrawn', { ...said, at: at(1_000) })).toBe(200)
    expect(await told('consent.given', { ...said, textVersion: 'C2025-03', at: at(90_000) })).toBe(200)
    expect(await standing(memberId)).toEqual({ VOICE: 'WITHDRAWN', MARKETING: 'WITHDRAWN' })
    await told('consent.given', { ...said, purposes: ['VOICE'], textVersion: 'C2025-03' })
    expect(await standing(memberId)).toEqual({ VOICE: 'GIVEN', MARKETING: 'WITHDRAWN' })
  })

  test.each([
    ['no purpose', { consentPurposes: [] }, 'Choose at least one purpose'],
    ['a purpose nobody knows', { consentPurposes: ['EVERYTHING'] }, ''],
    ['no wording', { textVersion: null }, 'Consent needs the wording that was agreed to'],
    ['a time to come', { saidAt: '2999-01-01T00:00:00Z' }, ''],
    ['no evidence', { evidence: ' ' }, ''],
  ])('is not recorded with %s, and nothing is half written', async (_, wrong, why) => {
    const memberId = await enrol(instance)
    const refused = await recorded(memberId, { consentPurposes: ['PICTURE', 'VOICE'], ...wrong })
    expect(refused.code).not.toBe(0)
    expect(refused.msg).toContain(why)
    expect(await standing(memberId)).toEqual({})
  })
})

describe('advertising', () => {
  test('is wanted by nobody who was not asked, by who agreed, and no more by who took it back', async () => {
    const memberId = await enrol(instance)
    expect(await advertising(memberId)).toBe('NONE')
    await recorded(memberId, {})
    expect(await advertising(memberId)).toBe('GIVEN')
    await recorded(memberId, { consentAct: 'WITHDRAWN', saidAt: at(30_000) })
    expect(await advertising(memberId)).toBe('OPTED_OUT')
  })

  test('ends with an answer that says so, until the guardian agrees again', async () => {
    const memberId = await enrol(instance)
    await recorded(memberId, {})
    const phone = await phoneOf(memberId)
    expect(await told('sms.replied', { phone, text: '好的谢谢' }, 'sms')).toBe(200)
    expect(await advertising(memberId)).toBe('GIVEN')
    await told('sms.replied', { phone, text: ' r ' }, 'sms')
    expect(await advertising(memberId)).toBe('OPTED_OUT')
    expect(await standing(memberId)).toEqual({ MARKETING: 'WITHDRAWN' })
    instance.clock.forward(60_000)
    await recorded(memberId, { saidAt: instance.clock.now().toISOString() })
    expect(await advertising(memberId)).toBe('GIVEN')
  })
})

describe('a work', () => {
  test('is marked excellent only where the guardian agreed to have works shown, and no longer once that is taken back', async () => {
    const memberId = await enrol(instance)
    const work = await judged(memberId)
    const mark = () => judge.post(`/members/work/${work}/markExcellent`)
    expect(await mark()).toMatchObject({ code: 4006, msg: expect.stringContaining('nobody has agreed to show') })
    await recorded(memberId, { consentPurposes: ['DISPLAY'] })
    expect(await mark()).toMatchObject({ code: 0 })
    expect(await isExcellent(work)).toBe(true)
    await recorded(memberId, { consentPurposes: ['DISPLAY'], consentAct: 'WITHDRAWN', saidAt: at(1_000) })
    expect(await isExcellent(work)).toBe(false)
    expect((await mark()).code).toBe(4006)
  })

  test('of two who mark it and withdraw consent at the same moment, none leaves it shown without consent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const memberId = await enrol(instance)
      const work = await judged(memberId)
      await recorded(memberId, { consentPurposes: ['DISPLAY'] })
      await Promise.all([
        judge.post(`/members/work/${work}/markExcellent`),
        recorded(memberId, { consentPurposes: ['DISPLAY'], consentAct: 'WITHDRAWN', saidAt: at(0) }),
      ])
      expect(await isExcellent(work)).toBe(false)
    }
  })
})
