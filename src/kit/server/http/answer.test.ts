import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { cloneDatabase, openTestInstance, person } from '../../../../tools/testing/instance.ts'
import { listen } from '../../../../tools/testing/live.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'

test('what the browser may load is exactly this', async () => {
  const instance = await openTestInstance()
  const { headers } = await instance.http.inject({ url: '/api/common/settings' })
  expect(String(headers['content-security-policy']).split(';').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'self'",
    "font-src 'self' data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "object-src 'none'",
    "script-src 'self'",
    "script-src-attr 'none'",
    "style-src 'self' 'unsafe-inline'",
  ])
})

test('whoever is told "too many" or "not now" is told when to come back', async () => {
  const database = await cloneDatabase()
  const instance = await openTestInstance({ url: database.url, env: { CAPTCHA: 'off' } })
  const { account } = await employ(instance)
  await Promise.all(Array.from({ length: 5 }, () => signIn(instance, account, { password: 'wrong' })))
  instance.clock.forward(60_000)
  expect(await signIn(instance, account)).toMatchObject({ status: 429, headers: { 'retry-after': '900' } })
  instance.clock.forward(60_000)
  expect(await signIn(instance, account)).toMatchObject({ status: 429, headers: { 'retry-after': '840' } })
  await database.drop()
  expect(await signIn(instance, account)).toMatchObject({ status: 503, code: 5003, headers: { 'retry-after': '5' } })
})

test('whoever asks for what takes the database too long is told to come back or ask for less, and the log says what it was', async () => {
  const instance = await openTestInstance()
  const boss = await person(instance, { grants: { 'order-list': ['list'] } })
  const tooLong = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  vi.spyOn(instance.app.db.read, 'rows').mockRejectedValue(tooLong)
  expect(await boss.get('/orders/order')).toMatchObject({
    status: 503,
    msg: 'Temporarily unavailable: The database took too long and stopped. Try again shortly, or ask for less.',
    headers: { 'retry-after': '5' },
  })
  expect(instance.logged.some(line => line.includes('a statement took too long'))).toBe(true)
})

test('whoever comes while the console ends is told to come again, in the words of everybody else', async () => {
  const instance = await openTestInstance()
  const [, port] = (await listen(instance)).split(':')
  const socket = connect(Number(port), '127.0.0.1')
  const head = ['host: x', 'content-type: application/json', 'accept-language: en-US'].join('\r\n')
  socket.write(`POST /api/auth/login?verKey=x HTTP/1.1\r\n${head}\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`)
  // Told to go on, it is under way: such a call is waited for, and what follows it on the same line is a newcomer.
  expect(String((await once(socket, 'data'))[0])).toContain('100 Continue')
  socket.pause()
  const ended = instance.http.close()
  await delay(100)
  socket.write(`{}GET /api/auth/captcha HTTP/1.1\r\n${head}\r\n\r\n`)
  const answers = await text(socket)
  await ended
  const [, last = ''] = answers.split(/(?=HTTP\/1\.1)/)
  expect(last).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*The console is restarting/i)
})
