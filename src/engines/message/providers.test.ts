import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#kit/model/time.ts'
import { readEnv } from '#kit/server/process/env.ts'
import { freePort } from '../../../tools/testing/port.ts'
import { aliyun, faultOf } from './aliyun.server.ts'
import { isCarried, providerOf } from './providers.server.ts'
import { smtp } from './smtp.server.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const MESSAGE = {
  key: '42-1',
  address: 'parent@example.test',
  title: '发货提醒',
  text: '包裹已发出，单号 SF1',
  providerCode: 'SMS_1',
  values: { no: 'SF1' },
}

async function mailServer(options: ConstructorParameters<typeof SMTPServer>[0] = {}) {
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
    ...options,
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close(() => {}))
  const { port } = server.server.address() as AddressInfo
  return { received, url: `smtp://127.0.0.1:${port}` }
}

describe('a mail server', () => {
  test('receives the message, to one address, with its title and text', async () => {
    const { received, url } = await mailServer()
    expect(await smtp(url, 'Inkstone <console@example.test>').send(MESSAGE)).toMatchObject({ kind: 'taken' })
    expect(received).toHaveLength(1)
    const [head = '', body = ''] = (received[0] ?? '').split('\r\n\r\n')
    expect(head).toContain('To: parent@example.test')
    expect(head).toContain('X-Inkstone-Message: 42-1')
    expect(head).toContain(`Subject: =?UTF-8?B?${Buffer.from(MESSAGE.title).toString('base64')}?=`)
    expect(Buffer.from(body, 'base64').toString()).toContain(MESSAGE.text)
  })

  test('a second address hidden in the first gets nothing', async () => {
    const { received, url } = await mailServer()
    const outcome = await smtp(url, 'a@example.test').send({ ...MESSAGE, address: 'a@example.test, b@example.test' })
    expect(received.join()).not.toContain('b@example.test>')
    expect(outcome.kind).not.toBe('later')
  })

  test('an address it does not know is refused for good, a server that is busy is asked later', async () => {
    const answering = (responseCode: number) =>
      mailServer({ onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode })) })
    expect(await smtp((await answering(550)).url, 'a@example.test').send(MESSAGE)).toMatchObject({
      kind: 'refused',
      fault: 'BAD_ADDRESS',
    })
    expect((await smtp((await answering(451)).url, 'a@example.test').send(MESSAGE)).kind).toBe('later')
    expect((await smtp('smtp://127.0.0.1:1', 'a@example.test').send(MESSAGE)).kind).toBe('later')
  })

  test('one that is silent before it was given the message leaves it open too, and was asked once', async () => {
    let asked = 0
    const silent = createTcpServer(socket => {
      asked += 1
      socket.on('error', () => undefined)
    })
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    closing.push(() => silent.close())
    const { port } = silent.address() as AddressInfo
    expect((await smtp(`smtp://127.0.0.1:${port}`, 'a@example.test', 200).send(MESSAGE)).kind).toBe('unknown')
    expect(asked).toBe(1)
  })

  test('one that is silent after it was given the message leaves open whether it has it', async () => {
    let given = 0
    const { url } = await mailServer({
      onData(stream) {
        stream.resume()
        stream.on('end', () => (given += 1))
      },
    })
    expect((await smtp(url, 'a@example.test', 200).send(MESSAGE)).kind).toBe('unknown')
    expect(given).toBe(1)
  })
})

type Asked = { url: URL; headers: Record<string, string | string[] | undefined> }

async function gateway(answer: (asked: Asked) => { status?: number; body: unknown } | undefined, timeoutMs = 10_000) {
  const asked: Asked[] = []
  const server: Server = createServer((request, response) => {
    const one = { url: new URL(request.url ?? '', 'http://gateway'), headers: request.headers }
    asked.push(one)
    const said = answer(one)
    if (said) response.writeHead(said.status ?? 200).end(JSON.stringify(said.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    asked,
    provider: aliyun({ clock: systemClock, url, keyId: 'ID', secret: 'SECRET', signName: '砚台' }, { timeoutMs }),
  }
}
const SMS = { ...MESSAGE, address: '13800138000' }

describe('a provider of text messages', () => {
  test('is given template, values and our key, under a signature', async () => {
    const { asked, provider } = await gateway(() => ({ body: { Code: 'OK', BizId: 'B1' } }))
    expect(await provider.send(SMS)).toEqual({ kind: 'taken', said: 'B1' })
    expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({
      PhoneNumbers: '13800138000',
      SignName: '砚台',
      TemplateCode: 'SMS_1',
      TemplateParam: '{"no":"SF1"}',
      OutId: '42-1',
    })
    expect(asked[0]?.headers.authorization).toMatch(
      /^ACS3-HMAC-SHA256 Credential=ID,SignedHeaders=host;x-acs-action;.*,Signature=[0-9a-f]{64}$/,
    )
  })

  test('its refusals are told apart, and none of them is taken for silence', async () => {
    const refusing = async (Code: string, status = 200) =>
      (await gateway(() => ({ status, body: { Code, Message: 'no' } }))).provider.send(SMS)
    expect(await refusing('isv.BUSINESS_LIMIT_CONTROL')).toMatchObject({ kind: 'refused', fault: 'LIMITED' })
    expect(await refusing('isv.MOBILE_NUMBER_ILLEGAL', 400)).toMatchObject({ kind: 'refused', fault: 'BAD_ADDRESS' })
    expect(await refusing('isv.AMOUNT_NOT_ENOUGH')).toMatchObject({ kind: 'refused', fault: 'ACCOUNT' })
    expect(await refusing('Throttling.User', 400)).toMatchObject({ kind: 'later' })
    expect(faultOf('never heard of')).toBe('REJECTED')
    const { asked, provider } = await gateway(() => ({ body: {} }))
    expect(await provider.send({ ...SMS, providerCode: null })).toMatchObject({ kind: 'refused', fault: 'TEMPLATE' })
    expect(asked).toHaveLength(0)
  })

  test('silence, a broken answer and a broken server leave open whether it was sent; nobody there means it was not', async () => {
    const silent = await gateway(() => undefined, 200)
    expect((await silent.provider.send(SMS)).kind).toBe('unknown')
    expect(silent.asked).toHaveLength(1)
    expect((await (await gateway(() => ({ status: 502, body: 'x' }))).provider.send(SMS)).kind).toBe('unknown')
    const nobody = aliyun({
      clock: systemClock,
      url: `http://127.0.0.1:${await freePort()}`,
      keyId: 'ID',
      secret: 'S',
      signName: 'N',
    })
    expect((await nobody.send(SMS)).kind).toBe('later')
  })

  test('is asked what became of an attempt, and answers for that one alone', async () => {
    const telling = async (SendStatus: number, ErrCode = '') => {
      const body = {
        Code: 'OK',
        SmsSendDetailDTOs: {
          SmsSendDetailDTO: [
            { OutId: '41-1', SendStatus: 3 },
            { OutId: '42-1', SendStatus, ErrCode },
          ],
        },
      }
      const { asked, provider } = await gateway(() => ({ body }))
      const report = await provider.report?.({ ...SMS, at: new Date('2026-03-09T16:30:00Z') })
      expect(asked[0]?.url.searchParams.get('SendDate')).toBe('20260310')
      return report
    }
    expect(await telling(1)).toBeUndefined()
    expect(await telling(3)).toMatchObject({ isDelivered: true })
    expect(await telling(2, 'MOBILE_NOT_ON_SERVICE')).toMatchObject({ isDelivered: false, fault: 'SWITCHED_OFF' })
  })
})

test('while no keys are set a simulator takes messages', async () => {
  const env = readEnv({ DATABASE_URL: 'postgres://nowhere/x' })
  for (const channel of ['SMS', 'EMAIL'] as const)
    expect((await providerOf({ env, clock: systemClock }, channel).send(SMS)).kind).toBe('taken')
  expect(isCarried({ env })).toBe(false)
})
