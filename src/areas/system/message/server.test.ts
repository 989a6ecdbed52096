import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Channel, defineMessage, type Kind } from '#engines/message/model.ts'
import { consentOf, type Receiver, send } from '#engines/message/server.ts'
import type { App } from '#kit/server/app.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import { secretOf, signatureOf } from '#kit/server/live/inbox-secret.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import type { Message } from './model.ts'

const PATH = '/system/message'
const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

type Answer = { status?: number; body: unknown } | 'silence' | 'hang-up'

/** A provider of text messages that answers so; `sent` counts what it was asked to send. */
async function gateway() {
  const sent: URLSearchParams[] = []
  const state: { answer: Answer; report: object[] } = { answer: { body: { Code: 'OK', BizId: 'B' } }, report: [] }
  const server = createServer((request, response) => {
    if (request.headers['x-acs-action'] === 'QuerySendDetails')
      return response.end(JSON.stringify({ Code: 'OK', SmsSendDetailDTOs: { SmsSendDetailDTO: state.report } }))
    sent.push(new URL(request.url ?? '', 'http://x').searchParams)
    if (state.answer === 'hang-up') return request.socket.destroy()
    if (state.answer !== 'silence')
      response.writeHead(state.answer.status ?? 200).end(JSON.stringify(state.answer.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { sent, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function mailbox() {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', chunk => (text += String(chunk)))
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close(() => {}))
  return { received, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

const messageOf = (channel: Channel, kind: Kind) =>
  defineMessage({
    code: `TEST-${channel}-${kind}`,
    channel,
    kind,
    title: '提醒',
    body: '您好 {name}，单号 {no}。拒收请回复R',
    holes: { name: { kind: 'TEXT', sample: '小明' }, no: { kind: 'TEXT', sample: 'SF1' } },
  })

const clock = stoppedClock(new Date('2026-03-10T10:00:00+08:00'))
let instance: TestInstance
let sms: Awaited<ReturnType<typeof gateway>>
let mail: Awaited<ReturnType<typeof mailbox>>
let keeper: Caller
let memberId: string
let count = 0
beforeAll(async () => {
  ;[sms, mail] = [await gateway(), await mailbox()]
  instance = await openTestInstance({
    clock,
    env: {
      ...{ SMS_URL: sms.url, SMS_KEY_ID: 'ID', SMS_SECRET: 'SECRET', SMS_SIGN_NAME: '砚台' },
      ...{ SMTP_URL: mail.url, MAIL_FROM: 'console@example.test' },
    },
  })
  await instance.house.stop()
  keeper = await desk()
  memberId = await member()
  await provide('SMS', 'NOTICE')
})

/** Somebody at the list now: the clock goes on for days, and sessions do not. */
const desk = () => person(instance, { grants: { message: ['list', 'detail', 'retry', 'ask', 'reveal'] } })

async function member() {
  count += 1
  const made = await instance.app.db.query
    .insertInto('member')
    .values({ name: '家长', phone: `1380013${String(8_000 + count)}`, source: 'APP', owner_id: null, org_id: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** The provider of text messages sends none but templates it knows. */
async function provide(channel: Channel, kind: Kind) {
  const { code, title, body } = messageOf(channel, kind)
  const { db } = instance.app
  const words = { title, body, provider_code: 'SMS_1' }
  const { id } = await db.query
    .insertInto('message_template')
    .values({ ...words, code, channel, kind, edition: 1, status: 'PUBLISHED' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const by = { drafted_by: keeper.id, drafted_at: clock.now(), published_by: keeper.id, published_at: clock.now() }
  const told = { title, body, variables: [], providerCode: 'SMS_1' }
  await db.query
    .insertInto('message_template_edition')
    .values({ template_id: id, edition: 1, state: 'PUBLISHED', base: 0, body: JSON.stringify(told), ...by })
    .execute()
}

type Told = { channel?: Channel; kind?: Kind; to?: Receiver; about?: string; no?: string; app?: App }

async function tell({ channel = 'SMS', kind = 'NOTICE', to, about, no = 'SF1', app = instance.app }: Told = {}) {
  count += 1
  const name = about ?? `about-${count}`
  await app.db.write(tx =>
    send(ownChange(app, tx, clock.now(), 'test'), messageOf(channel, kind), {
      to: to ?? { memberId, address: '13800138000' },
      values: { name: '小明', no },
      about: name,
    }),
  )
  return read(name)
}
const read = async (about: string) =>
  instance.app.db.query.selectFrom('message').selectAll().where('about', '=', about).executeTakeFirstOrThrow()
const run = () => instance.outbox.run()
const why = async (id: string) => (await (await desk()).get<Message>(`${PATH}/${id}`)).data.why

describe('a text message', () => {
  test('is handed over once, waits for its report, and is delivered when the provider says so', async () => {
    const { id, about } = await tell()
    await tell({ about })
    await run()
    expect(sms.sent.filter(asked => asked.get('OutId') === `${id}-1`)).toHaveLength(1)
    expect(await read(about)).toMatchObject({
      status: 'SENDING',
      result: 'B',
      body: '您好 小明，单号 SF1。拒收请回复R',
    })
    expect(await why(id)).toBe('Handed to the provider at 2026-03-10 10:00; waiting for its delivery report.')
    sms.state.report = [{ OutId: `${id}-1`, SendStatus: 3 }]
    expect((await (await desk()).post(`${PATH}/${id}/ask`)).code).toBe(0)
    await run()
    expect(await read(about)).toMatchObject({ status: 'DELIVERED', cause: null })
    expect(sms.sent.filter(asked => asked.get('OutId')?.startsWith(`${id}-`))).toHaveLength(1)
  })

  test.each([
    ['hangs up after it was asked', 'hang-up'],
    ['breaks while it answers', { status: 502, body: 'x' }],
  ] as const)('whose provider %s is unknown, and never sent again by itself or by anybody', async (_how, given) => {
    sms.state.answer = given
    const { id, about } = await tell()
    await run()
    sms.state.answer = { body: { Code: 'OK', BizId: 'B' } }
    for (let hours = 0; hours < 48; hours += 6) {
      clock.forward(6 * 3_600_000)
      await run()
    }
    expect(await read(about)).toMatchObject({ status: 'UNKNOWN', cause: 'NO_ANSWER' })
    expect(await why(id)).toContain('it may have been sent')
    expect((await (await desk()).post(`${PATH}/${id}/retry`)).code).toBe(4006)
    expect(sms.sent.filter(asked => asked.get('OutId')?.startsWith(`${id}-`))).toHaveLength(1)
  })

  test('whose server died while it was handed over is unknown to the next one, which does not send it', async () => {
    const { id, about } = await tell()
    const claimed = new Date(clock.now().getTime() - 5 * 60_000)
    await instance.app.db.query.updateTable('message').set({ claimed_at: claimed }).where('id', '=', id).execute()
    await run()
    const lost = await read(about)
    expect(lost).toMatchObject({ status: 'UNKNOWN' })
    expect(new Date(lost.sent_at ?? 0)).toEqual(claimed)
    expect(sms.sent.filter(asked => asked.get('OutId')?.startsWith(`${id}-`))).toHaveLength(0)
  })

  test('that was refused says why in words, and can be sent again under a new key', async () => {
    sms.state.answer = { body: { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发分钟级流控Permits:1' } }
    const { id, about } = await tell()
    await run()
    sms.state.answer = { body: { Code: 'OK', BizId: 'B2' } }
    expect(await read(about)).toMatchObject({ status: 'FAILED', cause: 'LIMITED' })
    expect(await why(id)).toMatch(/^The provider limits how often messages are sent \(isv\.BUSINESS_LIMIT_CONTROL/)
    expect((await (await desk()).post(`${PATH}/${id}/retry`)).code).toBe(0)
    await run()
    expect(await read(about)).toMatchObject({ status: 'SENDING', attempt: 2, cause: null })
    expect(sms.sent.at(-1)?.get('OutId')).toBe(`${id}-2`)
  })

  test('whose provider repeats the number in its answer or its report shows it to nobody', async () => {
    sms.state.answer = { body: { Code: 'isv.MOBILE_NUMBER_ILLEGAL', Message: '13800138000 invalid' } }
    const { about } = await tell()
    await run()
    sms.state.answer = { body: { Code: 'OK', BizId: 'B' } }
    const { result } = await read(about)
    expect(result).toContain('invalid')
    expect(result).not.toContain('13800138000')
  })

  test('whose receiver left no number is not sent, and says so', async () => {
    const { id, status } = await tell({ to: { memberId, address: null } })
    expect(status).toBe('WITHHELD')
    expect(await why(id)).toBe('Not sent: there are no contact details of the recipient.')
  })
})

describe('reports of the provider', () => {
  async function report(data: object, secret = secretOf('only-for-tests-0123456789', 'sms')) {
    count += 1
    const payload = JSON.stringify({ id: `report-${count}`, type: 'sms.reported', data })
    const stamp = String(clock.now().getTime())
    const answered = await instance.http.inject({
      method: 'POST',
      url: '/api/open/v1/sms/events',
      headers: {
        'content-type': 'application/json',
        'x-inkstone-timestamp': stamp,
        'x-inkstone-signature': signatureOf(secret, stamp, payload),
      },
      payload,
    })
    await instance.inbox.sweep()
    return answered.statusCode
  }

  test('settle what was unknown, by their signature alone', async () => {
    sms.state.answer = 'hang-up'
    const { id, about } = await tell()
    await run()
    sms.state.answer = { body: { Code: 'OK', BizId: 'B' } }
    expect(await report({ key: `${id}-1`, delivered: true }, 'somebody-else')).toBe(403)
    expect(await read(about)).toMatchObject({ status: 'UNKNOWN' })
    expect(await report({ key: `${id}-1`, delivered: false, fault: 'SWITCHED_OFF', said: 'POWEROFF' })).toBe(200)
    expect(await read(about)).toMatchObject({ status: 'FAILED', cause: 'SWITCHED_OFF', result: 'POWEROFF' })
    // Told twice, and told otherwise afterwards: what has ended stays.
    await report({ key: `${id}-1`, delivered: true })
    expect(await read(about)).toMatchObject({ status: 'FAILED' })
  })

  test('bring no orders and no money: whoever carries messages does nothing else', async () => {
    const payload = JSON.stringify({ id: 'x', type: 'order.paid', data: {} })
    const stamp = String(clock.now().getTime())
    const signature = signatureOf(secretOf('only-for-tests-0123456789', 'sms'), stamp, payload)
    const { statusCode } = await instance.http.inject({
      method: 'POST',
      url: '/api/open/v1/sms/events',
      headers: { 'content-type': 'application/json', 'x-inkstone-timestamp': stamp, 'x-inkstone-signature': signature },
      payload,
    })
    expect(statusCode).toBe(422)
  })
})

describe('mail', () => {
  test('is received by a mail server, and nobody can be asked about it', async () => {
    const { id, about } = await tell({ channel: 'EMAIL', to: { staffId: keeper.id, address: 'lin@example.test' } })
    await run()
    expect(await read(about)).toMatchObject({ status: 'DELIVERED' })
    expect(mail.received.filter(text => text.includes(`X-Inkstone-Message: ${id}-1`))).toHaveLength(1)
    const { data } = await (await desk()).get<Message>(`${PATH}/${id}`)
    expect(data).toMatchObject({ email: 'l***@example.test', phone: null })
    expect(data.why).toContain('spam folder')
  })
})

describe('a code', () => {
  test('is stored nowhere: neither in its row, nor in the outbox, nor in the log', async () => {
    const { about } = await tell({ kind: 'CODE', no: '839271' })
    const everywhere = async () =>
      JSON.stringify([
        await instance.app.db.query.selectFrom('message').selectAll().execute(),
        await instance.app.db.query.selectFrom('outbox').selectAll().execute(),
        await instance.app.db.query.selectFrom('operation_log').selectAll().execute(),
      ])
    expect(await everywhere()).not.toContain('839271')
    await run()
    expect(await everywhere()).not.toContain('839271')
    expect(await read(about)).toMatchObject({ body: '', filled: null, sealed: null })
    expect((await read(about)).digest).toMatch(/^[0-9a-f]{64}$/)
  })

  test('that comes too late is kept by nobody', async () => {
    const { about } = await tell({ kind: 'CODE' })
    clock.forward(11 * 60_000)
    await run()
    expect(await read(about)).toMatchObject({ status: 'FAILED', cause: 'TOO_LATE', sealed: null })
  })

  test('leaves at night, and is not sent again when it failed', async () => {
    clock.set('2026-03-20T23:30:00+08:00')
    const { id, about } = await tell({ kind: 'CODE' })
    await run()
    // The provider knows no template for it.
    expect(await read(about)).toMatchObject({ status: 'FAILED', cause: 'TEMPLATE' })
    expect(await why(id)).toBe('The code did not arrive: Template not approved. The recipient can request a new one.')
    expect(await (await desk()).post(`${PATH}/${id}/retry`)).toMatchObject({ code: 4006 })
  })
})

test('a code waits behind no advertising, and a notice neither: each kind leaves by a lane of its own', async () => {
  const kinds = ['CODE', 'NOTICE', 'MARKETING'] as const
  const told: string[] = []
  for (const kind of kinds) {
    const { id } = await tell({ kind, ...(kind === 'MARKETING' ? { app: agreeing() } : {}) })
    told.push(id)
  }
  const lanes = await instance.app.db.query
    .selectFrom('outbox')
    .select('kind')
    .distinct()
    .where('key', 'in', told)
    .where('kind', 'like', 'message%')
    .execute()
  expect(lanes).toHaveLength(kinds.length)
  await run()
})

const agreeing = (): App => {
  const others = instance.app.answers.filter(({ to }) => to !== consentOf.name)
  return { ...instance.app, answers: [...others, answer(consentOf, async () => 'GIVEN')] }
}

describe('advertising', () => {
  test('is not sent to anybody who has not agreed, and nobody has yet', async () => {
    const { status, cause } = await tell({ kind: 'MARKETING' })
    expect([status, cause]).toEqual(['WITHHELD', 'NO_CONSENT'])
  })

  test('waits through the quiet hours, comes once in seven days, and asks for consent again when it leaves', async () => {
    clock.set('2026-03-20T22:00:00+08:00')
    const app = agreeing()
    const to = { memberId: await member(), address: '13800138001' }
    const late = await tell({ kind: 'MARKETING', to, app })
    expect(late).toMatchObject({ status: 'SCHEDULED', cause: 'QUIET_HOURS' })
    expect(await why(late.id)).toBe('It is waiting for the end of the quiet hours and leaves after 2026-03-21 08:00.')
    expect(await tell({ kind: 'MARKETING', to, app })).toMatchObject({ status: 'WITHHELD', cause: 'LATELY' })
    await run()
    expect(await read(late.about)).toMatchObject({ status: 'SCHEDULED' })
    clock.set('2026-03-21T08:00:00+08:00')
    // The console itself knows of no consent: what was agreed to when it was written holds no more.
    await run()
    expect(await read(late.about)).toMatchObject({ status: 'WITHHELD', cause: 'NO_CONSENT' })
  })

  test('once in seven days counts from when the last one left, not from when it was written', async () => {
    clock.set('2026-03-22T11:00:00+08:00')
    const to = { memberId: await member(), address: '13800138003' }
    const { id } = await tell({ kind: 'MARKETING', to, app: agreeing() })
    const [written, left] = [new Date('2026-03-14T22:00:00+08:00'), new Date('2026-03-16T08:00:00+08:00')]
    await instance.app.db.query
      .updateTable('message')
      .set({ status: 'DELIVERED', cause: null, created_at: written, state_since: written, sent_at: left })
      .where('id', '=', id)
      .execute()
    expect(await tell({ kind: 'MARKETING', to, app: agreeing() })).toMatchObject({
      status: 'WITHHELD',
      cause: 'LATELY',
    })
  })

  test('two at the same moment are one', async () => {
    clock.set('2026-03-22T12:00:00+08:00')
    const to = { memberId: await member(), address: '13800138002' }
    const both = await Promise.all([1, 2].map(() => tell({ kind: 'MARKETING', to, app: agreeing() })))
    expect(both.map(({ status }) => status).sort()).toEqual(['SENDING', 'WITHHELD'])
  })
})

describe('a message in the console', () => {
  test('is unread until its reader says otherwise, is nobody else’s, and counts nothing in the badge of refunds', async () => {
    const reader = await person(instance, { grants: { 'dy-code': ['list'] } })
    const total = async () => (await reader.get<{ total: number }>('/message/web/count')).data.total
    const before = await total()
    const { id, about } = await tell({ channel: 'WEB', to: { staffId: reader.id, address: null } })
    expect((await reader.get<{ id: string }[]>(`${PATH}/own`)).data).toMatchObject([{ id, title: '提醒' }])
    expect(await total()).toBe(before)
    await (await desk()).post(`${PATH}/own/${id}/read`)
    expect(await read(about)).toMatchObject({ status: 'UNREAD' })
    await reader.post(`${PATH}/own/${id}/read`)
    expect(await read(about)).toMatchObject({ status: 'READ' })
    expect((await reader.get<object[]>(`${PATH}/own`)).data).toEqual([])
  })
})

test('after all this, what must always be true of messages is', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})
