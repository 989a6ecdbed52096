import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, sendEvent } from '../../../../tools/testing/live.ts'
import { BODY_LIMITS, bodyLimitOf } from './body.ts'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

const post = (path: string, payload: string, headers: Record<string, string> = {}) =>
  instance.http.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'content-type': 'application/json', 'accept-language': 'en-US', ...headers },
    payload,
  })
const array = (bytes: number) => `[${'0,'.repeat(bytes / 2 - 2)}0]`

describe('what nobody in particular may send', () => {
  const saidOn = (page: string) => /<h1>(.*)<\/h1><p>(.*)<\/p>/.exec(page)?.slice(1).join(': ')

  test('a megabyte to any open call is refused as too large, with the limit named', async () => {
    const open = instance.routes.filter(({ method, access }) => method === 'POST' && access === 'public')
    expect(open.length).toBeGreaterThan(5)
    for (const route of open) {
      const limit = route.body === 'raw' ? '256 KB' : '16 KB'
      const answer = await post(route.path.replace(':source', 'app'), array(1_048_576))
      const [title, detail] = ['Parameters not valid', `The content is too large. At most ${limit} can be sent.`]
      // A page says it in words.
      const said = route.answer === 'page' ? { code: 4000, msg: saidOn(answer.body) } : answer.json()
      expect({ call: route.path, status: answer.statusCode, ...said }).toMatchObject({
        call: route.path,
        status: 400,
        code: 4000,
        msg: `${title}: ${detail}`,
      })
    }
  })

  test('an address that does not exist takes no more than an open call', async () => {
    expect((await post('/no/such/call', array(20_000))).json()).toMatchObject({ code: 4000 })
    expect((await post('/no/such/call', array(10_000))).json()).toMatchObject({ code: 4004 })
  })

  test('twenty of them at once do not keep anybody waiting', async () => {
    const begun = performance.now()
    const flood = Array.from({ length: 20 }, () => post('/auth/login', array(1_048_576)))
    expect((await instance.http.inject({ url: '/health' })).statusCode).toBe(200)
    await Promise.all(flood)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

describe('what is signed', () => {
  test('is not looked into before the signature is right', async () => {
    for (const body of ['{"id":', array(100_000), '{"id":"1","id":"2"}'])
      expect((await post('/open/v1/app/events', body)).json()).toMatchObject({ code: 4003 })
  })

  test('is read as strictly as everything else once it is', async () => {
    for (const text of ['{"id":', '{"id":"1","id":"2"}', '{"id":"\\u0000"}', '"\\ud800"'])
      expect(await sendEvent(instance, 'app', { type: '', data: {} }, { text })).toMatchObject({ code: 4000 })
  })
})

describe('what a person may send', () => {
  test('is a megabyte, and its right is asked before it is read', async () => {
    const nobody = await post('/common/attachMore', '{', { authtoken: 'x'.repeat(43) })
    expect(nobody.json()).toMatchObject({ code: 4001 })
    const me = await person(instance)
    const large = await post('/common/attachMore', array(1_048_578), { authtoken: me.token })
    expect(large.json()).toMatchObject({ code: 4000, msg: expect.stringContaining('At most 1 MB') })
    expect(bodyLimitOf({ access: 'session', body: 'raw' })).toBe(BODY_LIMITS.person)
  })

  test('is told when it holds too much, or is too deep, and not that it is no JSON', async () => {
    const me = await person(instance)
    const said = async (body: string) =>
      (await post('/common/attachMore', body, { authtoken: me.token })).json() as { code: number; msg: string }
    expect(await said(array(50_000))).toMatchObject({ code: 4000, msg: expect.stringContaining('10,000 values') })
    expect(await said('['.repeat(40) + ']'.repeat(40))).toMatchObject({ msg: expect.stringContaining('32 levels') })
    expect(await said('{"a":')).toMatchObject({ msg: expect.stringContaining('not valid JSON') })
    expect(await said('{"a":1,"a":2}')).toMatchObject({ msg: expect.stringContaining('“a” twice') })
    expect(await said('["\\u0000"]')).toMatchObject({ msg: expect.stringContaining('cannot be kept') })
  })

  test.each([
    ['a list', '[]', 'application/json'],
    ['a number', '1', 'application/json'],
    ['words', 'amount=1', 'text/plain'],
  ])(
    'that is %s where fields are taken is refused as a whole, and not for a field without a name',
    async (_, body, type) => {
      const me = await person(instance)
      const answer = await post('/common/file/links', body, { authtoken: me.token, 'content-type': type })
      expect(answer.json()).toMatchObject({
        code: 4000,
        msg: expect.stringContaining('The request is not valid'),
        data: null,
      })
    },
  )

  test('names a field once', async () => {
    const me = await person(instance)
    const answer = await post('/common/file/links', '{"ids":[],"ids":[]}', { authtoken: me.token })
    expect(answer.json()).toMatchObject({ code: 4000, msg: expect.stringContaining('“ids” twice') })
  })
})

describe('addresses and headers', () => {
  test('an address of more than eight thousand signs is refused', async () => {
    expect(await caller(instance).get(`/common/settings?x=${'a'.repeat(8_200)}`)).toMatchObject({
      status: 400,
      code: 4000,
      msg: 'Parameters not valid: The request is not valid',
    })
  })

  test('a head of more than sixteen kilobytes is refused as soon as it is too long', async () => {
    const [host = '', port] = (await listen(instance)).split(':')
    const head = (bytes: number) => `GET /api/common/settings HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(bytes)}`
    const answerTo = async (sent: string) => {
      const socket = connect(Number(port), host)
      socket.on('error', () => {})
      socket.write(sent)
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return String(answer).split('\r\n')[0]
    }
    expect(await answerTo(`${head(15_000)}\r\n\r\n`)).toBe('HTTP/1.1 200 OK')
    // Not ended: nobody waits for the rest.
    expect(await answerTo(head(17_000))).toBe('HTTP/1.1 431 Request Header Fields Too Large')
  })
})
