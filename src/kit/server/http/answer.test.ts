import { expect, test } from 'vitest'
import { cloneDatabase, openTestInstance } from '../../../../tools/testing/instance.ts'
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
