import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { brought, settle } from '../../../../tools/testing/partners.ts'
import { countAuthors } from './counting.server.ts'
import type { Author } from './model.ts'

const PATH = '/channel/author'

let instance: TestInstance
let [keeper, other]: (Caller & { orgId: string })[] = []
beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date('2026-05-02T02:00:00Z')) })
  const grants = {
    author: ['list', 'detail', 'create', 'update'],
    appChannel: ['list', 'detail', 'create', 'update'],
    'sale-schoolTeacher': ['create'],
  }
  keeper = await person(instance, { grants })
  other = await person(instance, { grants })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const BODY = {
  ...{ name: '墨小白', platform: 'BILIBILI', account: 'moxiaobai', followers: 12_000, postFen: 90_000, note: '' },
  ...{ company: '白墨工作室', channel: 'WECHAT_SHOP', contactName: '白小姐' },
  ...{ contactPhone: '138 0013 8009', contactEmail: null },
}
const add = (more: object = {}) => (keeper as Caller).post<{ id: string }>(PATH, { ...BODY, ...more })
const found = async (id: string) => (await (keeper as Caller).get<Author>(`${PATH}/${id}`)).data

describe('a creator', () => {
  test('is paid as a partner that is made with it, whose phone is shown masked', async () => {
    const made = await add()
    expect(made).toMatchObject({ code: 0 })
    const { partnerId } = await found(made.data.id)
    const { data } = await (keeper as Caller).get(`/channel/app-channel/${partnerId}`)
    expect(data).toMatchObject({ company: '白墨工作室', channel: 'WECHAT_SHOP', contactPhone: '138****8009' })
  })

  test('is reached by a phone of which it is kept who entered it last', async () => {
    const { data } = await add({ account: 'reached', channel: 'DOUYIN_LIVE' })
    const { partnerId } = await found(data.id)
    const by = async () => {
      const partner = instance.app.db.query.selectFrom('partner').select(['contact_by', 'contact_phone', 'version'])
      return partner.where('id', '=', partnerId).executeTakeFirstOrThrow()
    }
    const edit = async (more: object) => {
      const body = {
        name: '墨小白',
        company: '白墨工作室',
        platform: 'WEB',
        packageName: null,
        contactName: null,
        note: '',
      }
      const { version } = await by()
      return (other as Caller).put(`/channel/app-channel/${partnerId}`, { ...body, ...more, version })
    }
    expect(await by()).toMatchObject({ contact_by: keeper?.id, contact_phone: '13800138009' })
    expect(await edit({})).toMatchObject({ code: 0 })
    expect(await by()).toMatchObject({ contact_by: keeper?.id, contact_phone: '13800138009' })
    expect(await edit({ contactPhone: '138 0013 8010' })).toMatchObject({ code: 0 })
    expect(await by()).toMatchObject({ contact_by: other?.id, contact_phone: '13800138010' })
    expect(await edit({ contactPhone: null })).toMatchObject({ code: 0 })
    expect(await by()).toMatchObject({ contact_by: null, contact_phone: null })
  })

  test('has a channel nobody else is paid for, and an account once', async () => {
    expect(await add({ account: 'another' })).toMatchObject({ code: 4005 })
    expect(await add({ channel: 'REFERRAL' })).toMatchObject({ code: 4005 })
    expect(await add({ channel: 'REFERRAL', account: 'third', contactPhone: '123' })).toMatchObject({ code: 4005 })
    const { rows } = await instance.app.db.read.pool.query(`select from partner where channel = 'REFERRAL'`)
    expect(rows).toHaveLength(0)
  })

  test('is settled by the same prices and statements, and its figures are those of its orders', async () => {
    const { id } = (await add({ channel: 'SCHOOL', account: 'settled' })).data
    const { partnerId } = await found(id)
    const { query } = instance.app.db
    await query.updateTable('partner').set({ created_at: '2026-01-01T00:00:00Z' }).where('id', '=', partnerId).execute()
    await query
      .insertInto('settlement_price')
      .values({
        kind: 'SHARE',
        status: 'APPROVED',
        ...{ partner_id: partnerId, share_permille: 100, valid_from: '2026-01-01', freeze_days: 0, reason: '测试' },
        ...{ applicant_id: keeper?.id ?? '', l1_by: other?.id ?? '' },
        ended_at: '2026-01-01T00:00:00Z',
      })
      .execute()
    const seller = keeper as Caller & { orgId: string }
    await brought(instance, { channel: 'SCHOOL', day: '2026-04-05', paidFen: 20_000, seller })
    await brought(instance, { channel: 'SCHOOL', day: '2026-04-06', paidFen: 30_000, seller })
    await settle(instance, partnerId, '2026-04')
    const { app } = instance
    await insist(() => app.db.write(tx => countAuthors(ownChange(app, tx, app.clock.now(), 'test'))))
    expect(await found(id)).toMatchObject({ registered: 2, paidOrders: 2, paidFen: 50_000, commissionFen: 5_000 })
  })
})

describe('a channel', () => {
  const teacher = (channel: string) =>
    (keeper as Caller).post('/sales/school-teacher', {
      ...{ name: '王老师', phone: null, school: '测试小学', grade: null, className: null },
      ...{ hasLeft: false, channel, link: null, note: '' },
    })
  const partner = (channel: string) =>
    (keeper as Caller).post('/channel/app-channel', {
      ...{ name: '一家应用', company: '一家公司', channel, platform: 'WEB', packageName: null },
      ...{ contactName: null, contactPhone: null, contactEmail: null, note: '' },
    })

  test('of a school teacher is no partner’s and no creator’s, and one of a partner is no teacher’s', async () => {
    expect(await teacher('REFERRAL')).toMatchObject({ code: 0 })
    const ofTeacher = { channel: expect.stringContaining('school teacher') }
    expect(await partner('REFERRAL')).toMatchObject({ code: 4005, data: { fields: ofTeacher } })
    const byAuthor = await add({ channel: 'REFERRAL', account: 'of-a-teacher' })
    expect(byAuthor).toMatchObject({ code: 4005, data: { fields: ofTeacher } })
    expect(await partner('STORE')).toMatchObject({ code: 0 })
    const ofPartner = { channel: expect.stringContaining('partner') }
    expect(await teacher('STORE')).toMatchObject({ code: 4005, data: { fields: ofPartner } })
  })

  test('that both take at once is one’s alone', async () => {
    const { app } = instance
    const { id, orgId } = keeper as Caller & { orgId: string }
    const created_at = app.clock.now()
    const taken = (channel: string) =>
      Promise.allSettled([
        app.db.write(tx =>
          tx
            .insertInto('partner')
            .values({ name: channel, company: '公司', channel, platform: 'WEB', created_at })
            .execute(),
        ),
        app.db.write(tx =>
          tx
            .insertInto('school_teacher')
            .values({ name: '王老师', school: '测试小学', channel, owner_id: id, org_id: orgId, created_at })
            .execute(),
        ),
      ])
    const ends = await Promise.all(Array.from({ length: 8 }, (_, nth) => taken(`BOTH_${nth}`)))
    for (const pair of ends) {
      const refused = pair.flatMap(end => (end.status === 'rejected' ? [String(end.reason)] : []))
      expect(refused).toEqual([expect.stringContaining('for a partner and for a school teacher')])
    }
  })
})
