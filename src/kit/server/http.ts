import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type * as z from 'zod'
import { type Actor, can } from '#kit/model/actor.ts'
import { CODES, TOKEN_HEADER } from '#kit/model/contract.ts'
import { isLanguage, type Language } from '#kit/model/language.ts'
import { type Refusal, type RefusalKind, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from './app.ts'
import { record } from './audit.ts'
import { sqlState } from './database.ts'
import { CallLog } from './log.ts'
import { type Call, FileAnswer, type Route } from './route.ts'
import type { Session } from './session.ts'

const STATUS: Readonly<Record<RefusalKind, number>> = {
  parameter: 400,
  session: 200,
  permission: 403,
  'not-found': 404,
  validation: 422,
  rule: 200,
  conflict: 409,
  'too-many': 429,
  unavailable: 503,
}
/** Routes a person may use who must change the password first. */
const OPEN_BEFORE_CHANGE = new Set(['/auth/userInfo', '/logout', '/iam/ping', '/account/settings-password'])
/** What an open page calls on its own: nobody need be sitting before it, so an idle limit does not start anew. */
const UNATTENDED = new Set(['/iam/ping', '/iam/ticket', '/message/web/count'])

const BODY_LIMIT = 1_048_576
const UPLOAD_LIMIT = 20 * 1_048_576
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

declare module 'fastify' {
  interface FastifyRequest {
    session?: Session
    rawBytes?: Buffer
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

export function openHttp(log: App['log']): FastifyInstance {
  return fastify({
    loggerInstance: log,
    logController: new CallLog(),
    bodyLimit: BODY_LIMIT,
    // 200 ids of 19 digits and their commas stand in one path parameter (spec §7).
    routerOptions: { maxParamLength: 4_200, ignoreTrailingSlash: true },
    requestTimeout: 30_000,
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && UUID.test(given) ? given : randomUUID()
    },
  })
}

/** What browsers are told to forbid; put together once, not at every call as Fastify's own plugin does. */
const guarded = helmet({
  contentSecurityPolicy: {
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // antd writes its styles at run time; scripts stay strict.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      // 'self' covers the live channel too, which is on the same host; ws: would cover every host.
      connectSrc: ["'self'"],
      fontSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
      upgradeInsecureRequests: null,
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
})

/** Mounts every declared route; nothing else under /api answers. */
export async function mount(http: FastifyInstance, app: App, routes: readonly Route[]): Promise<void> {
  await http.register(multipart, { limits: { fileSize: UPLOAD_LIMIT, files: 1, fields: 5 } })
  keepRawBody(http)
  keepRawForm(http)
  // By callback: a promise for each hook of each call would cost more than the headers.
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
    guarded(request.raw, reply.raw, done as (error?: unknown) => void)
  })
  for (const route of routes) mountRoute(http, app, route)
  http.setNotFoundHandler((request, reply) => {
    reply.header('cache-control', 'no-store')
    if (request.url.startsWith('/api'))
      return sendRefusal(app, request, reply, 'kit', new Refused(refuse('kit:address-unknown'), 'not-found'))
    return reply.code(404).type('text/plain').send('Not found')
  })
  http.setErrorHandler((error, request, reply) => sendError(app, request, reply, error))
}

/** Signatures are checked over the bytes that came, not over what a parser made of them. */
function keepRawBody(http: FastifyInstance): void {
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    request.rawBytes = bytes
    if (bytes.length === 0) return done(null, undefined)
    try {
      done(null, JSON.parse(bytes.toString('utf8'), refuseUnsafe))
    } catch {
      done(new Refused(refuse('kit:body-not-json'), 'parameter') as unknown as Error)
    }
  })
}

/** Some providers send forms; only their bytes are taken, by routes that read a signature over them. */
function keepRawForm(http: FastifyInstance): void {
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      const isWanted = request.routeOptions.config.route?.body === 'raw'
      request.rawBytes = bytes
      if (isWanted) done(null, undefined)
      else done(new Refused(refuse('kit:body-not-json'), 'parameter') as unknown as Error)
    },
  )
}

/** A key that would reach an object's prototype, and text the database cannot hold. */
function refuseUnsafe(key: string, value: unknown): unknown {
  if (key === '__proto__' || !isStorable(key)) throw new SyntaxError('forbidden key')
  if (typeof value === 'string' && !isStorable(value)) throw new SyntaxError('forbidden text')
  return value
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function mountRoute(http: FastifyInstance, app: App, route: Route): void {
  if (route.access === undefined) throw new Error(`${route.method} ${route.path} declares no access`)
  http.route({
    method: route.method,
    url: `/api${route.path}`,
    config: { route },
    // Before the body is read: a caller without the right has no effect and costs little.
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return admit(app, route, request, reply)
    },
    handler: async (request, reply) => {
      const call = callOf(app, request, reply)
      const input = readInput(route, request)
      const answer = await route.handle(call, input)
      if (answer instanceof FileAnswer) return sendFile(app, call, reply, answer)
      if (app.checkAnswers && route.answer !== 'file') route.answer.parse(answer ?? null)
      return reply.send({ code: CODES.ok, msg: 'ok', data: answer ?? null })
    },
  })
}

async function admit(app: App, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (route.access === 'public') return
  const token = request.headers[TOKEN_HEADER]
  if (typeof token !== 'string' || !/^[\w-]{43}$/.test(token)) return sendUnauthorised(app, request, reply)
  const session = await app.sessions.find(token)
  if (!session) throw new Refused(refuse('kit:session-ended'), 'session')
  request.session = session
  if (session.mustChangePassword && !OPEN_BEFORE_CHANGE.has(route.path))
    throw new Refused(refuse('kit:password-must-change'), 'permission')
  if (route.access !== 'session' && !can(session.actor, route.access.page, route.access.action)) {
    const call = callOf(app, request, reply)
    await record(app.db.query, call, { page: route.access.page, action: route.access.action, code: CODES.permission })
    throw new Refused(refuse('kit:permission-missing'), 'permission')
  }
  if (app.env.SECURITY_PROFILE === 'default' || !UNATTENDED.has(route.path)) await app.sessions.touch(session)
  const fresh = await app.sessions.rotate(session, token)
  if (fresh) reply.header(TOKEN_HEADER, fresh)
}

function readInput(route: Route, request: FastifyRequest): { params: unknown; query: unknown; body: unknown } {
  return {
    params: parsed(route.params, request.params, 'parameter'),
    query: route.query === 'list' ? undefined : parsed(route.query, request.query, 'parameter'),
    body: typeof route.body === 'string' ? undefined : parsed(route.body, request.body ?? {}, 'validation'),
  }
}

/** Strict: an unknown key is refused, not dropped. Each problem stands beside its field. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, kind: 'parameter' | 'validation'): z.infer<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const fields: Record<string, Refusal> = {}
  for (const issue of result.error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    for (const name of names) fields[name] ??= refusalOf(issue)
  }
  throw new Refused(refuse('kit:input-invalid', { names: Object.keys(fields).join(', ') }), kind, { fields })
}

/** What a schema finds wrong with a value, said as a refusal. The issue must carry the value (`reportInput`). */
export function refusalOf(issue: z.core.$ZodIssue): Refusal {
  if (issue.code === 'unrecognized_keys') return refuse('kit:field-unknown')
  if (isEmpty(issue.input)) return refuse('kit:field-missing')
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string'
        ? refuse('kit:field-too-short', { min: Number(issue.minimum) })
        : refuse('kit:field-too-small', { min: Number(issue.minimum) })
    case 'too_big':
      return issue.origin === 'string'
        ? refuse('kit:field-too-long', { max: Number(issue.maximum) })
        : refuse('kit:field-too-big', { max: Number(issue.maximum) })
    case 'invalid_value':
      return refuse('kit:field-no-choice')
    case 'invalid_type':
      return refuse(
        issue.expected === 'int' || issue.expected === 'number' ? 'kit:field-no-number' : 'kit:field-invalid',
      )
    case 'invalid_format':
      return refuse(issue.format === 'date' ? 'kit:field-no-day' : 'kit:field-invalid')
    default:
      return refuse('kit:field-invalid')
  }
}

/** Nothing but spaces says as little as nothing. */
const isEmpty = (input: unknown): boolean =>
  input === undefined || input === null || (typeof input === 'string' && input.trim() === '')

export function callOf(app: App, request: FastifyRequest, reply: FastifyReply): Call {
  const session = request.session
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    actor: (session?.actor ?? null) as Actor,
    sessionId: (session?.id ?? null) as string,
    now: app.clock.now(),
    requestId: request.id,
    language: languageOf(app, request),
    address: request.ip,
    device: header('user-agent') ?? '',
    search: request.query as Call['search'],
    header,
    raw: {
      bytes: () => request.rawBytes ?? Buffer.alloc(0),
      async file(maxBytes) {
        const part = await request.file({ limits: { fileSize: maxBytes } })
        if (!part) throw new Refused(refuse('kit:file-missing'), 'validation')
        return { name: part.filename, type: part.mimetype, bytes: await part.toBuffer() }
      },
    },
    answerHeader: (name, value) => void reply.header(name, value),
  }
}

/** The language the page is in decides; then the person's own; then the setting. */
export function languageOf(app: App, request: FastifyRequest): Language {
  const asked = request.headers['accept-language']?.split(',')[0]?.trim()
  if (isLanguage(asked)) return asked
  return request.session?.language ?? app.env.DEFAULT_LOCALE
}

function sendFile(
  app: App,
  call: Call,
  reply: FastifyReply,
  { name, type, content, inline }: FileAnswer,
): FastifyReply {
  // RFC 8187 allows fewer characters than encodeURIComponent leaves.
  const encoded = encodeURIComponent(name).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16)}`)
  return reply
    .header('filename', encoded)
    .header('code', String(CODES.ok))
    .header('msg', encodeURIComponent(app.texts.text(call.language, 'kit', 'done')))
    .header('content-disposition', `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`)
    .type(type)
    .send(content instanceof Readable ? content : content)
}

function sendUnauthorised(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(app, request)
  const msg = `${app.texts.text(language, 'kit', 'unauthorised')}: ${app.texts.text(language, 'kit', 'unauthorised-detail')}`
  return reply.code(401).send({ code: CODES.session, msg, data: null, result: { isLogin: false } })
}

export function sendRefusal(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  texts: string,
  refused: Refused,
): FastifyReply {
  const language = languageOf(app, request)
  const said = (refusal: Refusal) => app.texts.refusal(language, texts, `title-${refused.kind}`, refusal)
  const fields =
    refused.fields &&
    Object.fromEntries(Object.entries(refused.fields).map(([name, refusal]) => [name, detailOf(said(refusal))]))
  const isLogin = request.routeOptions.url === '/api/auth/login'
  return reply.code(STATUS[refused.kind]).send({
    code: CODES[refused.kind],
    msg: said(refused.refusal),
    data: fields || refused.detail !== undefined ? { fields: fields ?? {}, current: refused.detail ?? null } : null,
    ...(isLogin ? { result: { isLogin: true } } : {}),
  })
}

const detailOf = (msg: string): string => msg.slice(msg.indexOf(': ') + 2)

const DATABASE_AWAY = /^(08|57P0|53)/

function sendError(app: App, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const texts = request.routeOptions.config?.route?.texts ?? 'kit'
  if (error instanceof Refused) return sendRefusal(app, request, reply, texts, error)
  const known = knownError(error)
  if (known) return sendRefusal(app, request, reply, texts, known)
  request.log.error({ err: error, incident: request.id }, 'a call failed')
  const language = languageOf(app, request)
  const msg = `${app.texts.text(language, 'kit', 'title-error')}: ${app.texts.text(language, 'kit', 'incident', { number: request.id })}`
  return reply.code(500).send({ code: CODES.error, msg, data: { incident: request.id } })
}

/** What the framework or the database refuses, said as our own refusals. */
function knownError(error: unknown): Refused | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const status = 'statusCode' in error ? Number(error.statusCode) : 0
  if (status === 413) return new Refused(refuse('kit:body-too-large'), 'parameter')
  if (status === 415) return new Refused(refuse('kit:body-not-json'), 'parameter')
  if (status >= 400 && status < 500) return new Refused(refuse('kit:request-invalid'), 'parameter')
  // A zero byte in an address, which no text column holds.
  if (sqlState(error) === '22021') return new Refused(refuse('kit:request-invalid'), 'parameter')
  const message = error instanceof Error ? error.message : ''
  const away =
    DATABASE_AWAY.test(sqlState(error)) ||
    /ECONNREFUSED|Connection terminated|timeout exceeded when trying to connect/.test(message)
  return away ? new Refused(refuse('kit:database-away'), 'unavailable') : undefined
}
