import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PathStep } from '#engines/lead/path.model.ts'
import { arrive } from '#engines/lead/server.ts'
import { announce } from '#kit/server/change/announce.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Member } from './model.ts'
import { memberPaid } from './paying.server.ts'

const PATH = '/members/member'
const clock = stoppedClock(new Date('2026-11-10T04:00:00Z'))

let instance: TestInstance
let manager: Caller & { orgId: string }
let clerk: Caller & { orgId: string }
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  const reads = ['list', 'detail', 'create', 'update', 'own']
  manager = await person(instance, {
    grants: { 'member-list': [...reads, 'correctOrigin'] },
    scope: 'ALL',
    name: '主管甲',
  })
  clerk = await person(instance, { grants: { 'member-list': reads }, scope: 'ALL' })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

let counter = PHONES.test + 1_300_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}
const form = (phone: string, key: string, owner: { id: string; orgId: string } | null = null) =>
  instance.changing(change =>
    arrive(change, [
      {
        ...{ phone, name: null, source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_FORM', consent: 'FORM', cameBy: 'FORM' },
        ...{ key, owner, about: '一年级控笔' },
      },
    ]),
  )
async function register(phone: string): Promise<string> {
  await sendEvent(instance, 'app', {
    type: 'member.registered',
    data: { phone, name: '李小墨', source: 'APP', channel: 'STORE' },
  })
  await instance.inbox.sweep()
  const found = instance.app.db.query.selectFrom('member').select('id').where('phone', '=', phone)
  return (await found.executeTakeFirstOrThrow()).id
}
const read = async (id: string) => (await manager.get<Member>(`${PATH}/${id}`)).data
const pathOf = async (id: string) => (await manager.get<PathStep[]>(`${PATH}/${id}/lead-path`)).data
const correct = (by: Caller, id: string, body: object) => by.post(`${PATH}/${id}/correctOrigin`, body)
const TO = { source: 'REFERRAL', channel: 'REFERRAL', reason: '家长说是老学员介绍的' }

describe('where a member came from', () => {
  test('is where the number came from, also where somebody adds the member by hand and enters something else', async () => {
    const phone = newPhone()
    await form(phone, 'form:1')
    const entered = {
      name: '王小楷',
      phone,
      source: 'APP',
      channel: 'STORE',
      guardianName: null,
      ownerId: null,
      tags: [],
    }
    const { data } = await clerk.post<{ id: string }>(PATH, { ...entered, birthMonth: null })
    expect(await read(data.id)).toMatchObject({ source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_FORM' })
    // With the note it came by, and the lead it was.
    expect(await pathOf(data.id)).toMatchObject([
      { kind: 'CAME', about: '一年级控笔' },
      { kind: 'OWNED' },
      { kind: 'REGISTERED', channel: 'XIAOHONGSHU_FORM' },
    ])
  })

  test('is told further to whoever was a member before: each thing the number comes by stands on the path, and the origin stays', async () => {
    const phone = newPhone()
    const id = await register(phone)
    clock.forward(3_600_000)
    await form(phone, 'form:2')
    expect(await read(id)).toMatchObject({ source: 'APP', channel: 'STORE' })
    expect((await pathOf(id)).map(({ kind, about }) => [kind, about])).toEqual([
      ['REGISTERED', null],
      ['AGAIN', '一年级控笔'],
    ])
  })

  test('is entered over by nobody', async () => {
    const id = await register(newPhone())
    const { name, tags, version } = await read(id)
    const written = { name, tags, version, guardianName: null }
    expect(await clerk.put(`${PATH}/${id}`, { ...written, source: 'REFERRAL' })).toMatchObject({ code: 4005 })
    expect(await clerk.put(`${PATH}/${id}`, written)).toMatchObject({ code: 0 })
    expect(await correct(clerk, id, TO)).toMatchObject({ code: 4003 })
    expect(await read(id)).toMatchObject({ source: 'APP' })
  })
})

describe('an origin that is corrected', () => {
  test('needs a reason and is another than before; who did it and why stands in the history and on the path', async () => {
    const id = await register(newPhone())
    expect(await correct(manager, id, { ...TO, reason: '' })).toMatchObject({ code: 4005 })
    expect(await correct(manager, id, { ...TO, source: 'APP', channel: 'STORE' })).toMatchObject({ code: 4006 })
    expect(await correct(manager, id, TO)).toMatchObject({ code: 0 })
    const { data } = await manager.get<{ records: { action: string; reason: string }[] }>(`${PATH}/${id}/timeline`)
    expect(JSON.stringify(data)).toContain(TO.reason)
    expect(await pathOf(id)).toMatchObject([
      { kind: 'REGISTERED', source: 'APP', channel: 'STORE', by: null },
      { kind: 'CORRECTED', source: 'REFERRAL', channel: 'REFERRAL', by: '主管甲' },
    ])
  })

  test('is what every number counts by: the member, the lead it was, whose that was, and what was paid', async () => {
    const phone = newPhone()
    await form(phone, 'form:3', { id: clerk.id, orgId: clerk.orgId })
    const id = await register(phone)
    const seller = await person(instance, {
      grants: { 'sale-salvage': ['list', 'detail', 'markIntent'] },
      scope: 'ALL',
    })
    const { rows: found } = await sql<{ id: string }>`select id from lead where member_id = ${id}`.execute(
      instance.app.db.query,
    )
    expect(await seller.post(`/sales/salvage/${found[0]?.id}/markIntent`, { level: 'A' })).toMatchObject({ code: 0 })
    await instance.changing(change => announce(change, memberPaid, { memberId: id, paidFen: 99_00 }))
    expect(await read(id)).toMatchObject({ creditedSource: 'XIAOHONGSHU', creditedChannel: 'XIAOHONGSHU_FORM' })
    expect(await correct(manager, id, TO)).toMatchObject({ code: 0 })
    const now = { source: 'REFERRAL', channel: 'REFERRAL' }
    expect(await read(id)).toMatchObject({ ...now, creditedSource: 'REFERRAL', creditedChannel: 'REFERRAL' })
    const { rows } = await sql`
      select l.source, l.channel from lead l where l.member_id = ${id}
      union all select o.source, o.channel from lead_owner o join lead l on l.id = o.lead_id where l.member_id = ${id}
      union all select j.source, j.channel from lead_judgement j join lead l on l.id = j.lead_id where l.member_id = ${id}`.execute(
      instance.app.db.query,
    )
    expect(rows).toEqual([now, now, now])
    // What is told late changes nothing but itself.
    await form(phone, 'form:4')
    expect(await read(id)).toMatchObject({ creditedChannel: 'REFERRAL' })
    const counts = (await pathOf(id)).filter(({ marks }) => marks.includes('COUNTS'))
    expect(counts.map(({ kind }) => kind)).toEqual(['CORRECTED'])
  })

  test('before the first payment counts for that payment', async () => {
    const phone = newPhone()
    await form(phone, 'form:5')
    const id = await register(phone)
    expect(await correct(manager, id, TO)).toMatchObject({ code: 0 })
    await instance.changing(change => announce(change, memberPaid, { memberId: id, paidFen: 99_00 }))
    expect(await read(id)).toMatchObject({ creditedSource: 'REFERRAL', creditedChannel: 'REFERRAL' })
  })
})
