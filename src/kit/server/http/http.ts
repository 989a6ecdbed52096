import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type * as z from 'zod'
import { type Actor, can } from '#kit/model/actor.ts'
import { CODES, TOKEN_HEADER } from '#kit/model/contract.ts'
import { type Refusal, Refused, refuse, refusedFields } from '#kit/model/refusal.ts'
import type { Session } from '../access/session.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { metaAt, refusalOf } from '../change/field-refusal.ts'
import { CallLog } from '../process/log.ts'
import { addressOf } from './address.ts'
import { languageOf, sendError, sendFile, sendPage, sendRefusal, sendUnauthorised } from './answer.ts'
import { BODY_LIMITS, bodyLimitOf, readBodies } from './body.ts'
import { receiveFile } from './incoming.ts'
import { FileAnswer, PageAnswer, RedirectAnswer, type Route } from './route.ts'
import { refuseAddress, refuseUnreadable } from './unreadable.ts'

/** Routes a person may use who must change the password first. */
const OPEN_BEFORE_CHANGE = new Set([
  '/auth/userInfo',
  '/logout',
  '/iam/ping',
  '/account/settings-password',
  // Whoever looks as a role does when the password grows old: it cannot be changed before.
  '/auth/preview/end',
])
/** And who must set up a second factor first. */
const OPEN_BEFORE_FACTOR = new Set([
  '/auth/userInfo',
  '/logout',
  '/iam/ping',
  '/account/settings-factor',
  '/account/settings-factor/begin',
  '/account/settings-factor/confirm',
])
/** What somebody may do who looks at the console as a role does: stay, leave, and look as oneself again. */
const OPEN_IN_PREVIEW = new Set(['/logout', '/iam/ping', '/iam/ticket', '/auth/preview/end'])
/** What an open page calls on its own: nobody need be sitting before it, so an idle limit does not start anew. */
const UNATTENDED = new Set(['/iam/ping', '/iam/ticket', '/message/web/count'])

const MAX_ADDRESS = 8_192
const HEAD_MS = 10_000
const BODY_MS = 30_000
const STALLED_MS = 60_000
const UPLOAD_LIMIT = 20 * 1_048_576
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

declare module 'fastify' {
  interface FastifyRequest {
    session?: Session
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

export function openHttp(app: App): FastifyInstance {
  const { log, env } = app
  return fastify({
    clientErrorHandler: refuseUnreadable(app),
    frameworkErrors: refuseAddress(app),
    // Only of these machines is it believed for whom they ask; with none, the socket's own address is the caller's.
    trustProxy: env.TRUSTED_PROXIES.length > 0 ? env.TRUSTED_PROXIES : false,
    // Whoever comes while it ends is answered as anybody else (mount).
    return503OnClosing: false,
    loggerInstance: log,
    logController: new CallLog(),
    bodyLimit: BODY_LIMITS.open,
    // 200 ids of 19 digits and their commas stand in one path parameter (spec §7).
    routerOptions: { maxParamLength: 4_200, ignoreTrailingSlash: true },
    // A caller who sends slowly is cut off: after this long without all of the head, and of the body.
    http: { headersTimeout: HEAD_MS, connectionsCheckingInterval: 1_000 },
    requestTimeout: BODY_MS,
    // And one who takes nothing of an answer for this long, whatever it is; sockets of the live channel have a sweep of their own.
    connectionTimeout: STALLED_MS,
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && UUID.test(given) ? given : randomUUID()
    },
  })
}

/** What browsers are told to forbid; put together once, not at every call as Fastify's own plugin does. */
const guardedWith = (pictures: readonly string[]) =>
  helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // antd writes its styles at run time; scripts stay strict.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...pictures],
        mediaSrc: ["'self'", ...pictures],
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
  readBodies(http)
  const guarded = guardedWith(app.files.site === undefined ? [] : [app.files.site])
  let isEnding = false
  http.addHook('preClose', async () => {
    isEnding = true
  })
  // By callback: a promise for each hook of each call would cost more than the headers.
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('permissions-policy', 'camera=(), microphone=(self), geolocation=()')
    const refusal = isEnding
      ? new Refused(refuse('kit:restarting'), 'unavailable')
      : request.url.length > MAX_ADDRESS
        ? new Refused(refuse('kit:request-invalid'), 'parameter')
        : undefined
    guarded(request.raw, reply.raw, failed => done(refusal ?? (failed as Error | undefined)))
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

function mountRoute(http: FastifyInstance, app: App, route: Route): void {
  if (route.access === undefined) throw new Error(`${route.method} ${route.path} declares no access`)
  http.route({
    method: route.method,
    url: `/api${route.path}`,
    config: { route },
    // Probes ask for the head of what is open to all; no page asks for that of a call.
    exposeHeadRoute: route.access === 'public',
    bodyLimit: bodyLimitOf(route),
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
      if (answer instanceof PageAnswer) return sendPage(reply, answer)
      if (answer instanceof RedirectAnswer) return reply.redirect(answer.to, 302)
      if (app.checkAnswers && typeof route.answer !== 'string') route.answer.parse(answer ?? null)
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
  const undone = whatComesFirst(session, route.path)
  if (undone) throw new Refused(undone, 'permission')
  const { preview } = session.actor
  if (preview && !isOpenInPreview(route))
    throw new Refused(refuse('kit:preview-reads-only', { role: preview.name }), 'permission')
  if (route.access !== 'session' && !can(session.actor, route.access.page, route.access.action)) {
    const call = callOf(app, request, reply)
    await record(app.db.query, call, { page: route.access.page, action: route.access.action, code: CODES.permission })
    throw new Refused(refuse('kit:permission-missing'), 'permission')
  }
  if (app.env.SECURITY_PROFILE === 'default' || !UNATTENDED.has(route.path)) await app.sessions.touch(session)
  const fresh = await app.sessions.rotate(session, token)
  if (fresh) reply.header(TOKEN_HEADER, fresh)
}

/** A password of one's own comes first, then the second factor, then everything else. */
function whatComesFirst({ mustChangePassword, mustEnrol }: Session, path: string): Refusal | undefined {
  if (mustChangePassword) return OPEN_BEFORE_CHANGE.has(path) ? undefined : refuse('kit:password-must-change')
  if (mustEnrol && !OPEN_BEFORE_FACTOR.has(path)) return refuse('kit:factor-must-enrol')
}

/** What is exported leaves the console, and is logged as its person's: that is no looking either. */
const isOpenInPreview = ({ method, path, access, reads }: Route): boolean =>
  method === 'GET'
    ? reads !== false && (typeof access !== 'object' || access.action !== 'export')
    : (reads ?? OPEN_IN_PREVIEW.has(path))

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
    for (const name of names) fields[name] ??= refusalOf(issue, metaAt(schema, issue.path))
  }
  // It is of another shape altogether: no field is at fault.
  const isAnother = ({ code, path }: z.core.$ZodIssue) => path.length === 0 && code.startsWith('invalid_')
  if (result.error.issues.every(isAnother)) throw new Refused(refuse('kit:request-invalid'), 'parameter')
  throw refusedFields(fields, kind)
}

function callOf(app: App, request: FastifyRequest, reply: FastifyReply): Call {
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
    address: addressOf(request),
    device: header('user-agent') ?? '',
    search: request.query as Call['search'],
    header,
    raw: {
      bytes: () => request.rawBytes ?? Buffer.alloc(0),
      file: maxBytes => receiveFile(app, request, maxBytes, app.clock.now()),
    },
    answerHeader: (name, value) => void reply.header(name, value),
  }
}
