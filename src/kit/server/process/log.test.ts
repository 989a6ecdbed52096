import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caller, openTestInstance, person } from '../../../../tools/testing/instance.ts'
import { openLog, withoutSecrets } from './log.ts'

const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE'

describe('what a log line never holds', () => {
  test('a password, whatever characters it is made of and however deep it stands', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(3), (password, depth) => {
        const secret = `<<${password}>>`
        let body: unknown = { oldPassword: secret, password: secret, kept: 'kept' }
        for (let level = 0; level < depth; level += 1) body = { body: [body] }
        const line = withoutSecrets(JSON.stringify({ direct: body, quoted: JSON.stringify(body) }))
        expect(line).not.toContain('<<')
        const read = JSON.parse(line)
        expect(JSON.stringify(read)).toContain('"kept"')
        expect(JSON.stringify(JSON.parse(read.quoted))).toContain('***')
      }),
    )
  })

  test('a token without a name', () => {
    expect(withoutSecrets(`{"msg":"/ws/websocket/1/${TOKEN} refused"}`)).toBe('{"msg":"/ws/websocket/1/*** refused"}')
  })

  test('a whole phone number', () => {
    expect(withoutSecrets('{"msg":"Key (phone)=(13800138000) already exists"}')).toBe(
      '{"msg":"Key (phone)=(138****8000) already exists"}',
    )
  })

  test('the password of a database address', () => {
    expect(withoutSecrets('{"msg":"postgres://ink:s3cret@127.0.0.1/x"}')).toBe(
      '{"msg":"postgres://ink:***@127.0.0.1/x"}',
    )
  })

  test('order numbers, request ids and instants stay as they are', () => {
    const line =
      '{"time":"2026-11-15T02:03:04.005Z","requestId":"9f1c2a34-0d0e-4c7b-9a53-138001380001","orderNo":"202611150000000042","ms":1731600000000}'
    expect(withoutSecrets(line)).toBe(line)
  })
})

describe('the log of calls', () => {
  test('each call leaves one line with its template, and never its address', async () => {
    const instance = await openTestInstance()
    const someone = await person(instance, { grants: { 'order-list': ['list', 'detail'] } })
    instance.logged.length = 0
    await someone.get('/orders/order/4711?name=hidden')
    await caller(instance).get('/nowhere/13800138000')
    const lines = instance.logged.map(line => JSON.parse(line))
    expect(lines.map(({ method, route, status, person }) => ({ method, route, status, person }))).toEqual([
      { method: 'GET', route: '/api/orders/order/:id', status: 400, person: someone.id },
      { method: 'GET', route: 'unknown', status: 404, person: null },
    ])
    expect(instance.logged.join('')).not.toMatch(/4711|hidden|13800138000/)
    expect(lines[0]).toMatchObject({ level: 'info', msg: 'call', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(lines[0].time).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
  })

  test('whatever a part of the server logs goes through the same sieve', () => {
    const lines: string[] = []
    const log = openLog('info', { write: line => void lines.push(line) })
    log.child({ token: TOKEN }).info({ body: { password: 'hidden', phone: '13800138000' } }, `opened by ${TOKEN}`)
    log.error({ err: new Error('Key (phone)=(13800138000) exists') }, 'failed')
    expect(lines.join('')).not.toMatch(/hidden|13800138000|abcdefghij/)
    expect(lines.join('')).toContain('138****8000')
  })

  test('line breaks that a person sends stay inside one line', () => {
    const lines: string[] = []
    openLog('info', { write: line => void lines.push(line) }).info({ name: 'a\r\nforged\u001b[31m' }, 'call')
    expect(lines).toHaveLength(1)
    for (const sign of ['\r', '\n', '\u001b']) expect(lines[0]?.trimEnd()).not.toContain(sign)
  })
})
