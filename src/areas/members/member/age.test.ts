import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reach } from '#areas/members/campaign/model.ts'
import { consentOf } from '#engines/message/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ask } from '#kit/server/change/question.ts'
import { campaignBody, marketingTemplate } from '../../../../tools/testing/campaigns.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { judgedWork } from '../../../../tools/testing/works.ts'
import type { Member } from './model.ts'

const PATH = '/members/member'
// One minute before October begins in Shanghai: who was born in September 2012 is fourteen in a minute.
const EVE = '2026-09-30T15:59:00Z'
const MONTH = '2012-09'
const READ = ['list', 'detail']

let instance: TestInstance
let clerk: Caller
let judge: Caller

beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date(EVE)) })
  const members = [...READ, 'create', 'update', 'recordConsent', 'reveal']
  clerk = await person(instance, { grants: { 'member-list': members, 'member-message': [...READ, 'create'] } })
  judge = await person(instance, {
    grants: { 'opus-list': [...READ, 'markExcellent'], 'video-opus': [...READ, 'markExcellent'] },
  })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

async function born(birthMonth: string | null): Promise<string> {
  const id = await enrol(instance)
  await instance.app.db.query.updateTable('member').set({ birth_month: birthMonth }).where('id', '=', id).execute()
  return id
}
const monthOf = async (id: string) =>
  (
    await instance.app.db.query
      .selectFrom('member')
      .select('birth_month')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).birth_month
const read = async (id: string) => (await clerk.get<Member>(`${PATH}/${id}`)).data
const said = (id: string, saidAs: 'GUARDIAN' | 'PUPIL', purposes: readonly string[], more: object = {}) =>
  clerk.post(`${PATH}/${id}/recordConsent`, {
    ...{ saidAs, saidBy: '陈某', consentAct: 'GIVEN', consentPurposes: purposes, consentWay: 'PAPER' },
    ...{
      textVersion: 'C2025-03',
      evidence: '授权书 17',
      proof: [],
      saidAt: instance.clock.now().toISOString(),
      ...more,
    },
  })
async function edit(id: string, birthMonth: string | null) {
  const { name, tags, version } = await read(id)
  return clerk.put(`${PATH}/${id}`, { name, tags, version, birthMonth })
}
async function told(type: string, data: object) {
  await sendEvent(instance, 'app', { id: randomUUID(), type, data: data as never })
  await instance.inbox.sweep()
}
const advertising = (memberId: string) => instance.app.db.write(tx => ask(instance.app, consentOf, { tx, memberId }))
const isExcellent = async (id: string) =>
  (await instance.app.db.query.selectFrom('work').select('is_excellent').where('id', '=', id).executeTakeFirstOrThrow())
    .is_excellent

describe('a birth month', () => {
  const NEW = {
    ...{ name: '单雨桐', phone: '13900008801', guardianName: '单静', source: 'APP', channel: 'OTHER' },
    ...{ ownerId: null, tags: [] },
  }

  test('is entered as people write it, read masked, and shown in full to whoever may and says why', async () => {
    const { data } = await clerk.post<{ id: string }>(PATH, { ...NEW, birthMonth: '2016年5月' })
    expect(await monthOf(data.id)).toBe('2016-05')
    expect(await read(data.id)).toMatchObject({ birthMonth: '****-**', consent: { ageGroup: 'UNDER_14' } })
    const shown = await clerk.post(`${PATH}/${data.id}/reveal`, { field: 'birthMonth', reason: '核对年龄' })
    expect(shown).toMatchObject({ data: { value: '2016-05' } })
    const { name, tags, version } = await read(data.id)
    expect(await clerk.put(`${PATH}/${data.id}`, { name, tags, version })).toMatchObject({ code: 0 })
    expect(await monthOf(data.id)).toBe('2016-05')
  })

  test.each(['2026-10', '2016-13', '2016-05-03', '2016', '五月'])('is none: %s is refused in words', async typed => {
    const refused = await clerk.post(PATH, { ...NEW, birthMonth: typed })
    expect(refused).toMatchObject({ code: 4005, data: { fields: { birthMonth: expect.stringContaining('2016-05') } } })
  })

  test('comes with a registration in the app, and a registration without one is taken too', async () => {
    const registered = { name: '王小墨', source: 'APP', channel: 'OTHER' }
    await told('member.registered', { ...registered, phone: '13900008802', birthMonth: '2015-03' })
    await told('member.registered', { ...registered, phone: '13900008803' })
    const found = instance.app.db.query.selectFrom('member').select(['phone', 'birth_month'])
    expect(await found.where('phone', 'in', ['13900008802', '13900008803']).orderBy('phone').execute()).toEqual([
      { phone: '13900008802', birth_month: '2015-03' },
      { phone: '13900008803', birth_month: null },
    ])
  })
})

describe('a pupil\u2019s own yes', () => {
  test('is refused in words the evening before the pupil is fourteen, and taken from that day on', async () => {
    const id = await born(MONTH)
    expect(await read(id)).toMatchObject({ consent: { ageGroup: 'UNDER_14' } })
    expect(await said(id, 'PUPIL', ['DISPLAY'])).toMatchObject({
      code: 4005,
      data: { fields: { saidAs: expect.stringContaining('ask the guardian') } },
    })
    instance.clock.forward(60_000)
    expect(await said(id, 'PUPIL', ['DISPLAY'])).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({
      consent: { ageGroup: 'FROM_14', missing: ['PICTURE', 'VOICE', 'VIDEO', 'MARKETING'] },
    })
  })

  test('said before that day is not taken down later either', async () => {
    const id = await born(MONTH)
    expect((await said(id, 'PUPIL', ['DISPLAY'], { saidAt: EVE })).code).toBe(4005)
  })

  test('is refused where nobody knows the age, however it comes, and a guardian\u2019s is taken', async () => {
    const id = await born(null)
    const spoken = { memberId: id, purposes: ['VOICE'], by: '陈某', textVersion: 'C2025-03' }
    await told('consent.given', { ...spoken, as: 'PUPIL' })
    expect((await said(id, 'PUPIL', ['VOICE'])).code).toBe(4005)
    expect((await read(id)).consent).toMatchObject({ ageGroup: 'UNKNOWN', missing: expect.arrayContaining(['VOICE']) })
    await told('consent.given', { ...spoken, as: 'GUARDIAN' })
    expect((await read(id)).consent.missing).not.toContain('VOICE')
  })

  test('comes by the app from fourteen on, and a child\u2019s own no counts at any age', async () => {
    const [old, young] = [await born('2010-01'), await born('2018-01')]
    await told('consent.given', { memberId: old, purposes: ['DISPLAY'], by: '陈某', as: 'PUPIL', textVersion: 'C1' })
    expect((await read(old)).consent.missing).not.toContain('DISPLAY')
    expect(await said(young, 'GUARDIAN', ['DISPLAY'])).toMatchObject({ code: 0 })
    instance.clock.forward(1_000)
    await told('consent.withdrawn', { memberId: young, purposes: ['DISPLAY'], by: '陈某', as: 'PUPIL' })
    expect((await read(young)).consent.missing).toContain('DISPLAY')
  })
})

describe('of a child under fourteen without the guardian\u2019s consent', () => {
  const mark = (work: string, screen = 'work') => judge.post(`/members/${screen}/${work}/markExcellent`)

  test.each([
    ['a page', 'work', {}, ['DISPLAY']],
    ['a photograph of how it sits', 'work', { kind: 'POSTURE' }, ['DISPLAY', 'PICTURE']],
    ['a film', 'video-work', { medium: 'VIDEO' }, ['DISPLAY', 'VIDEO']],
  ] as const)(
    '%s is not shown, until each that is needed is agreed to, and not once one is taken back',
    async (_, screen, what, needed) => {
      const memberId = await born('2018-01')
      const work = await judgedWork(instance, { memberId, commenterId: judge.id, ...what })
      for (const purpose of needed) {
        expect(await mark(work, screen)).toMatchObject({ code: 4006, msg: expect.stringContaining('record it under') })
        expect(await isExcellent(work)).toBe(false)
        await said(memberId, 'GUARDIAN', [purpose])
      }
      expect(await mark(work, screen)).toMatchObject({ code: 0 })
      instance.clock.forward(1_000)
      await said(memberId, 'GUARDIAN', [needed.at(-1) as string], { consentAct: 'WITHDRAWN' })
      expect(await isExcellent(work)).toBe(false)
    },
  )

  test('no advertising is sent, neither one message nor a campaign', async () => {
    const [young, own, unknown] = [await born('2018-01'), await born('2010-01'), await born(null)]
    for (const id of [young, unknown]) await said(id, 'PUPIL', ['MARKETING'])
    await said(own, 'PUPIL', ['MARKETING'])
    expect([await advertising(young), await advertising(own), await advertising(unknown)]).toEqual([
      'NONE',
      'GIVEN',
      'NONE',
    ])
    const template = await marketingTemplate(instance, clerk)
    const phones = await instance.app.db.query
      .selectFrom('member')
      .select('phone')
      .where('id', 'in', [young, own, unknown])
      .execute()
    const { name: _name, ...asked } = campaignBody(
      template,
      phones.map(({ phone }) => phone as string),
    )
    const { data } = await clerk.post<Reach>('/members/campaign/reach', asked)
    expect(data).toMatchObject({ members: 3, toSend: 1, noConsent: 2 })
  })
})

describe('a birth month that is corrected', () => {
  test('ends what rested on a pupil\u2019s own yes that came too early by it, and nothing a guardian agreed to', async () => {
    const memberId = await born('2010-01')
    await said(memberId, 'PUPIL', ['DISPLAY', 'MARKETING'])
    await said(memberId, 'GUARDIAN', ['PICTURE'])
    const [page, sitting] = [
      await judgedWork(instance, { memberId, commenterId: judge.id }),
      await judgedWork(instance, { memberId, commenterId: judge.id, kind: 'POSTURE' }),
    ]
    for (const work of [page, sitting])
      expect(await judge.post(`/members/work/${work}/markExcellent`)).toMatchObject({ code: 0 })
    expect(await edit(memberId, '2011-01')).toMatchObject({ code: 0 })
    expect([await isExcellent(page), await advertising(memberId)]).toEqual([true, 'GIVEN'])
    expect(await edit(memberId, '2016-01')).toMatchObject({ code: 0 })
    expect([await isExcellent(page), await isExcellent(sitting)]).toEqual([false, false])
    expect(await advertising(memberId)).toBe('OPTED_OUT')
    expect((await read(memberId)).consent).toEqual({
      ageGroup: 'UNDER_14',
      missing: ['VOICE', 'VIDEO', 'DISPLAY', 'MARKETING'],
    })
  })

  test('to none counts as under fourteen', async () => {
    const memberId = await born('2010-01')
    await said(memberId, 'PUPIL', ['MARKETING'])
    expect(await edit(memberId, null)).toMatchObject({ code: 0 })
    expect(await advertising(memberId)).toBe('OPTED_OUT')
  })
})

test('doctor finds what is shown of a child under fourteen on its own yes alone', async () => {
  const memberId = await born('2010-01')
  await said(memberId, 'PUPIL', ['DISPLAY'])
  const work = await judgedWork(instance, { memberId, commenterId: judge.id })
  await judge.post(`/members/work/${work}/markExcellent`)
  const set = (month: string) =>
    instance.app.db.query.updateTable('member').set({ birth_month: month }).where('id', '=', memberId).execute()
  await set('2018-01')
  const broken = await findBroken(instance.app.db, instance.catalogue)
  expect(broken.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'no yes of a pupil stands who was not fourteen when it was said, as far as anybody knows',
      expect.stringContaining('no work is shown without consent'),
    ]),
  )
  await set('2010-01')
})
