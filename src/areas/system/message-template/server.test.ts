import { beforeAll, describe, expect, test } from 'vitest'
import { parcelSent } from '#areas/logistics/tracking/parcel-sent.model.ts'
import { send } from '#engines/message/server.ts'
import type { PublishedEdition } from '#kit/model/edition.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { keepShippedTemplates } from './shipped.server.ts'

const PATH = '/system/message-template'
const NAME = { name: 'name', kind: 'TEXT', sample: '小明' }
const WORDS = { title: '开课提醒', body: '{name}同学，今晚开课', variables: [NAME], providerCode: null }

let instance: TestInstance
let writer: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  await instance.house.stop()
  writer = await person(instance, {
    grants: {
      'message-template': ['list', 'detail', 'create', 'update', 'delete', 'drafts', 'publish', 'restore', 'test'],
    },
  })
  await keepShippedTemplates(instance.app, instance.clock.now())
})

type Row = { id: string; version: number; steps: Record<string, { msg: string } | null> }
const create = (code: string, more: object = {}) =>
  writer.post<{ id: string }>(PATH, { code, channel: 'SMS', kind: 'NOTICE', ...WORDS, ...more })
const read = async (id: string) => (await writer.get<Row>(`${PATH}/${id}`)).data
const publish = async (id: string) => writer.post(`${PATH}/${id}/publish`, { version: (await read(id)).version })
const shipped = async () => {
  const { id } = await instance.app.db.query
    .selectFrom('message_template')
    .select('id')
    .where('code', '=', parcelSent.code)
    .executeTakeFirstOrThrow()
  return id
}
const sentTo = (staffId: string) =>
  instance.app.db.query
    .selectFrom('message')
    .select(['title', 'body', 'channel', 'is_test', 'phone', 'email', 'template_id', 'kind', 'status'])
    .where('staff_id', '=', staffId)
    .orderBy('id', 'desc')
    .executeTakeFirst()

describe('a message template', () => {
  test('uses no variable that is not declared, and says which one beside the text', async () => {
    expect(await create('TRY-UNKNOWN', { body: '{nobody}' })).toMatchObject({
      code: 4005,
      data: { fields: { body: 'The text uses the variable "nobody", which is not declared' } },
    })
    expect(await create('TRY-TWICE', { variables: [NAME, NAME] })).toMatchObject({
      code: 4005,
      data: { fields: { variables: 'The variable "name" is declared twice' } },
    })
  })

  test('of advertising is not published before it says how to opt out', async () => {
    const { data } = await create('TRY-OFFER', { kind: 'MARKETING' })
    expect((await read(data.id)).steps.publish?.msg).toContain('opt out')
    expect((await publish(data.id)).code).toBe(4006)
    const { version } = await read(data.id)
    await writer.put(`${PATH}/${data.id}`, { ...WORDS, body: '{name}，八折。拒收请回复R', version })
    expect((await publish(data.id)).code).toBe(0)
  })

  test('that the console fills by itself keeps its variables, and cannot be deleted', async () => {
    const id = await shipped()
    const { version } = await read(id)
    const changed = { title: '发货', body: '{name}', variables: [NAME], providerCode: null, version }
    expect((await writer.put(`${PATH}/${id}`, changed)).code).toBe(0)
    expect(await publish(id)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('does not fill the variable "name"'),
    })
    expect((await writer.remove(`${PATH}/${id}`)).msg).toContain('cannot be deleted')
  })

  test('is sent as it is published, and each edition tells which messages have its words', async () => {
    const id = await shipped()
    await placeOrder(instance)
    const member = await instance.app.db.query.selectFrom('member').select('id').executeTakeFirstOrThrow()
    const tell = (about: string) =>
      instance.app.db.write(tx =>
        send(ownChange(instance.app, tx, instance.clock.now(), 'test'), parcelSent, {
          to: { memberId: member.id, address: '13800138000' },
          values: { goods: '字帖', trackingNo: 'SF42' },
          about,
        }),
      )
    await tell('first')
    const { version } = await read(id)
    const variables = Object.entries(parcelSent.holes).map(([name, hole]) => ({ name, ...hole }))
    const body = '{goods}在路上了，单号 {trackingNo}'
    await writer.put(`${PATH}/${id}`, { title: '发货通知', body, variables, providerCode: 'SMS_9', version })
    expect((await publish(id)).code).toBe(0)
    await tell('second')
    const said = await instance.app.db.query.selectFrom('message').select(['about', 'body']).orderBy('id').execute()
    expect(said.filter(({ about }) => about === 'first' || about === 'second').map(({ body: text }) => text)).toEqual([
      '您的字帖已发出，快递单号 SF42，请留意查收。如有疑问请联系您的课程顾问。',
      '字帖在路上了，单号 SF42',
    ])
    const { data } = await writer.get<PublishedEdition[]>(`${PATH}/${id}/editions`)
    expect(data.map(({ edition, uses }) => [edition, uses[0]?.count])).toEqual([
      [2, 1],
      [1, 1],
    ])
  })

  test('is tried by whoever writes it, with its samples, on nobody but that person', async () => {
    const { data } = await create('TRY-MAIL', { channel: 'EMAIL', kind: 'MARKETING' })
    expect(await writer.post(`${PATH}/${data.id}/test`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('e-mail'),
    })
    await instance.app.db.query
      .updateTable('staff')
      .set({ email: 'lin@example.test' })
      .where('id', '=', writer.id)
      .execute()
    expect((await writer.post<object>(`${PATH}/${data.id}/test`)).data).toEqual({ to: 'email' })
    expect(await sentTo(writer.id)).toMatchObject({
      ...{ channel: 'EMAIL', is_test: true, email: 'lin@example.test', phone: null, status: 'SENDING' },
      body: '小明同学，今晚开课',
      template_id: data.id,
    })
  })

  test('people do not share a code, and what was sent keeps its template', async () => {
    await create('TRY-SAME')
    expect(await create('TRY-SAME')).toMatchObject({ code: 4005, data: { fields: { code: expect.any(String) } } })
    const { data } = await create('TRY-WEB', { channel: 'WEB' })
    await writer.post(`${PATH}/${data.id}/test`)
    expect((await writer.remove(`${PATH}/${data.id}`)).msg).toContain('Messages were sent with this template')
  })

  test('shipped ones are added once, whoever starts, and stay as people changed them', async () => {
    const before = await read(await shipped())
    await Promise.all([1, 2].map(() => keepShippedTemplates(instance.app, instance.clock.now())))
    expect(await read(await shipped())).toEqual(before)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
