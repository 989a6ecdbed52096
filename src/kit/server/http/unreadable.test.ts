import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'

/** An answer as it came over the wire. */
function read(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [line = '', ...headers] = head.split('\r\n')
  return { status: Number(line.split(' ')[1]), headers: headers.join('\n').toLowerCase(), ...JSON.parse(body) }
}

describe('what cannot be read as a call is answered in the shape of every other answer', () => {
  let instance: TestInstance
  let port: number
  beforeAll(async () => {
    instance = await openTestInstance({ env: { DEFAULT_LOCALE: 'en-US' } })
    port = Number(new URL(await instance.http.listen({ port: 0, host: '127.0.0.1' })).port)
  })

  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(bytes)
    return read(await text(socket))
  }
  const GUARDED = ['connection: close', 'cache-control: no-store', 'x-content-type-options: nosniff']

  test.each([
    ['a head that is too large', `x-long: ${'a'.repeat(20_000)}`, 431, 'The headers of the request are too large'],
    ['a head nobody understands', 'no colon', 400, 'The request is not valid'],
  ])('%s', async (_name, header, status, said) => {
    const answer = await send(`GET /api/common/settings HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
    expect(answer).toMatchObject({ status, code: 4000, msg: `Parameters not valid: ${said}`, data: null })
    for (const line of GUARDED) expect(answer.headers).toContain(line)
  })

  test('a method nobody knows', async () => {
    expect(await send('INK /api/common/settings HTTP/1.1\r\nHost: x\r\n\r\n')).toMatchObject({
      status: 400,
      code: 4000,
    })
  })

  test('a call that was sent too slowly, with when to come again', async () => {
    const socket = new PassThrough()
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    instance.http.server.emit('clientError', late, socket as never)
    const answer = read(await text(socket))
    expect(answer).toMatchObject({ status: 408, code: 5003, data: null, msg: expect.stringContaining('too slowly') })
    expect(answer.headers).toContain('retry-after: 5')
  })

  test.each([
    ['an address that is none', '/api/common/%zz'],
    ['a part of an address without end', `/api/orders/order/${'1'.repeat(4_300)}`],
  ])('%s', async (_name, url) => {
    const answer = await instance.http.inject({ url, headers: { 'accept-language': 'en-US' } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ code: 4000, msg: 'Parameters not valid: The request is not valid', data: null })
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
})
