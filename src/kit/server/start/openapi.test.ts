import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

type Parameter = { name: string; in: string; required: boolean; schema: Record<string, unknown> }
type Operation = {
  parameters: Parameter[]
  security: unknown[]
  requestBody?: { content: object }
  responses: Record<string, { content: Record<string, { schema?: unknown }> }>
}
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }

let instance: TestInstance
let reader: Caller
let document: Document

beforeAll(async () => {
  instance = await openTestInstance()
  reader = await person(instance)
  document = JSON.parse((await reader.get('/openapi.json')).body)
})

describe('the document of calls', () => {
  test('describes every call that is mounted and no other', () => {
    const mounted = instance.routes
      .map(({ method, path }) => `${method} /api${path.replace(/:(\w+)/g, '{$1}')}`)
      .toSorted()
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(document.openapi).toBe('3.1.0')
    expect(described.toSorted()).toEqual(mounted)
  })

  test('is for people with a session', async () => {
    expect((await instance.http.inject({ url: '/api/openapi.json' })).statusCode).toBe(401)
  })

  test('says which calls need no session', () => {
    const open = instance.routes.filter(({ access }) => access === 'public').map(({ path }) => path)
    const described = Object.values(document.paths)
      .flatMap(methods => Object.values(methods))
      .filter(({ security }) => security.length === 0)
    expect(described).toHaveLength(open.length)
  })

  test('names the parameters of a list: pages, order, search and each filter', () => {
    const { parameters } = document.paths['/api/orders/order']!.get!
    const names = parameters.map(({ name }) => name)
    expect(names.slice(0, 6)).toEqual(['current', 'size', 'sort', 'query', 'payState', 'refundState'])
    expect(names).toEqual(
      expect.arrayContaining(['createdAtBegin', 'createdAtEnd', 'amountFenBegin', 'amountFenEnd', 'memberId']),
    )
    expect(parameters.find(({ name }) => name === 'payState')?.schema).toMatchObject({
      items: { enum: ['UNPAID', 'EXAMINING', 'PAID', 'CLOSED'] },
    })
    expect(parameters.find(({ name }) => name === 'sort')?.schema).toMatchObject({
      enum: expect.arrayContaining(['id:desc', 'amountFen:asc']),
    })
    expect(names).toEqual(document.paths['/api/orders/order/download']!.get!.parameters.map(({ name }) => name))
  })

  test('tells a file from an answer, and an export as either', () => {
    const content = (path: string) => Object.keys(document.paths[path]!.get!.responses[200]!.content)
    expect(content('/api/common/file/{id}')).toEqual(['application/octet-stream'])
    expect(content('/api/orders/order/download')).toEqual([
      'application/json',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
    expect(Object.keys(document.paths['/api/common/upload']!.post!.requestBody!.content)).toEqual([
      'multipart/form-data',
    ])
  })

  test('refuses unknown keys in a body, as the calls do, and carries no note of ours in another’s words', () => {
    const body = document.paths['/api/orders/refund-application']!.post!.requestBody!.content as Record<
      string,
      { schema: Record<string, unknown> }
    >
    expect(body['application/json']!.schema).toMatchObject({
      additionalProperties: false,
      required: [
        'orderId',
        'amountFen',
        'deviation',
        'reason',
        'route',
        'payee',
        'payeeName',
        'payeeAccount',
        'note',
        'unsent',
      ],
    })
    expect(JSON.stringify(document)).not.toContain('"field":{"kind"')
    expect(JSON.stringify(document)).toContain('"x-kind":"money"')
  })
})
