import * as z from 'zod'
import { CODES, PAGE_SIZES, TOKEN_HEADER } from '#kit/model/contract.ts'
import { bare, type FieldMeta } from '#kit/model/field.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { Declared } from '../declared.ts'
import { FileAnswer, type Route, route } from '../http/route.ts'

type Json = Record<string, unknown>

/** The document of all declared calls (OpenAPI 3.1): what is not in it does not answer. */
function openApi(routes: readonly Route[], catalogue: Declared): object {
  const paths: Record<string, Json> = {}
  for (const declared of routes) {
    const path = `/api${declared.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [declared.method.toLowerCase()]: operationOf(declared, catalogue) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Inkstone',
      version: '1',
      description:
        'Answers are {code, msg, data}; code 0 is success. A list is asked with current, size, sort, query and its filters.',
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: TOKEN_HEADER } },
      schemas: { Refusal: refusalSchema },
    },
  }
}

/** The document, as it stands for the calls that are mounted with it. */
export const openApiRoute = (routes: readonly Route[], catalogue: Declared): Route =>
  route({
    method: 'GET',
    path: '/openapi.json',
    access: 'session',
    answer: 'file',
    summary: 'This document.',
    handle: async () =>
      new FileAnswer('openapi.json', 'application/json', Buffer.from(JSON.stringify(openApi(routes, catalogue))), true),
  })

const refusalSchema: Json = {
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: {
    code: { enum: Object.values(CODES).filter(code => code !== CODES.ok) },
    msg: { type: 'string', description: '"title: detail", in the language of accept-language' },
    data: { description: 'What is wrong with which field, or what stands there now', type: ['object', 'null'] },
  },
}

function operationOf(declared: Route, catalogue: Declared): Json {
  const { method, path, access, summary, texts, body } = declared
  return {
    operationId: `${method} ${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    summary,
    tags: [texts],
    security: access === 'public' ? [] : [{ token: [] }],
    ...(typeof access === 'string' ? {} : { 'x-permission': access }),
    parameters: [
      ...parametersOf('path', declared.params),
      ...(declared.query === 'list'
        ? listParameters(resourceOf(declared, catalogue))
        : parametersOf('query', declared.query)),
    ],
    ...(method === 'POST' || method === 'PUT' ? { requestBody: { required: true, content: bodyOf(body) } } : {}),
    responses: {
      200: { description: 'Success, or a refusal by a rule (code is not 0)', content: answerOf(declared) },
      default: {
        description: 'A refusal',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    },
  }
}

function bodyOf(body: Route['body']): Json {
  if (body === 'raw') return { 'application/json': { schema: {} } }
  if (body !== 'file') return { 'application/json': { schema: schemaOf(body, 'input') } }
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file } } } }
}

function answerOf({ answer }: Route): Json {
  if (answer === 'file') return { 'application/octet-stream': {} }
  if (answer === 'elsewhere') return { 'text/plain': {} }
  if (answer === 'page') return { 'text/html': {} }
  const { orFile, ...data } = schemaOf(answer, 'output')
  const properties = { code: { const: CODES.ok }, msg: { type: 'string' }, data }
  const json = { schema: { type: 'object', required: ['code', 'msg', 'data'], properties } }
  return { 'application/json': json, ...(typeof orFile === 'string' ? { [orFile]: {} } : {}) }
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }))
}

function resourceOf({ method, path, texts }: Route, catalogue: Declared): Resource {
  const resource =
    catalogue.slices.find(slice => slice.name === texts)?.resource ??
    catalogue.children.find(child => child.resource.screen.name === texts)?.resource
  if (!resource) throw new Error(`${method} ${path} takes the parameters of a list, but ${texts} declares no resource`)
  return resource
}

const RANGED: ReadonlySet<FieldMeta['kind']> = new Set(['instant', 'day', 'money', 'number'])

function listParameters(resource: Resource): Json[] {
  const parameter = (name: string, schema: Json, description: string) => ({
    name,
    in: 'query',
    required: false,
    schema,
    description,
  })
  const { filters, sort, search } = resource.list
  return [
    parameter('current', { type: 'integer', minimum: 1 }, 'Page, from 1'),
    parameter('size', { enum: PAGE_SIZES }, 'Rows on a page'),
    parameter(
      'sort',
      { enum: ['id', ...sort].flatMap(field => [`${field}:asc`, `${field}:desc`]) },
      'id:desc unless told',
    ),
    ...(search.length === 0
      ? []
      : [parameter('query', { type: 'string', maxLength: 100 }, `Beginning of ${search.join(', ')}`)]),
    ...filters.flatMap(field =>
      filterParameters(resource, field).map(([name, schema, description]) => parameter(name, schema, description)),
    ),
  ]
}

function filterParameters(resource: Resource, field: string): [name: string, schema: Json, description: string][] {
  const { kind } = metaOf(resource, field)
  if (RANGED.has(kind)) {
    const schema = kind === 'instant' || kind === 'day' ? { type: 'string', format: 'date' } : { type: 'integer' }
    return [
      [`${field}Begin`, schema, 'From here, included'],
      [`${field}End`, schema, 'Up to here, included'],
    ]
  }
  const value = schemaOf(bare(resource.record.shape[field] as z.ZodType), 'input')
  if (kind === 'text' || kind === 'code') return [[field, { type: 'string' }, 'Beginning of the value']]
  return [[field, { type: 'array', items: value, maxItems: 100 }, 'Any of these, repeated']]
}

/** Our notes on a field become an extension of the document's own kind. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      const { field, ...rest } = jsonSchema as Json & { field?: FieldMeta }
      if (!field) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
      Object.assign(jsonSchema, rest, { 'x-kind': field.kind })
    },
  })
  return json as Json
}
