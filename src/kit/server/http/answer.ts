import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CODES } from '#kit/model/contract.ts'
import { isLanguage, LANGUAGES, type Language } from '#kit/model/language.ts'
import { type Refusal, type RefusalKind, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { isDatabaseAway, LOCK_NOT_AVAILABLE, QUERY_CANCELLED, sqlState } from '../database/database.ts'
import { Overloaded } from '../database/lanes.ts'
import { diskFull, isDiskFull } from '../storage/aside.ts'
import { dispositionOf, encodeName } from '../storage/disposition.ts'
import { StorageAway } from '../storage/store.ts'
import { tooLarge } from './body.ts'
import { html, PAGE_POLICY, pageOf } from './page.ts'
import { type FileAnswer, PageAnswer } from './route.ts'

const STATUS: Readonly<Record<RefusalKind, number>> = {
  parameter: 400,
  session: 200,
  permission: 403,
  'not-found': 404,
  validation: 422,
  rule: 200,
  'second-step': 200,
  conflict: 409,
  'too-many': 429,
  unavailable: 503,
}
/** Refused there, nobody's session has ended. */
const SIGN_IN: ReadonlySet<string> = new Set(['/api/auth/login', '/api/auth/2step-code'])
/** Where nobody said when to come back: what is busy or away for a moment. */
export const RETRY_SECONDS = 5

/** The language the page is in decides; then the person's own; then the setting. */
export function languageOf(app: App, request: FastifyRequest): Language {
  const asked = request.headers['accept-language']?.split(',')[0]?.trim()
  if (isLanguage(asked)) return asked
  const wished = isPage(request) ? wishedLanguage(request.headers['accept-language']) : undefined
  return wished ?? request.session?.language ?? app.env.DEFAULT_LOCALE
}

/** What a browser of any country asks for: the first that we speak, in whatever way. */
export function wishedLanguage(header = ''): Language | undefined {
  for (const wish of header.toLowerCase().split(',')) {
    const tag = wish.split(';')[0]?.trim() ?? ''
    if (/^zh-(hant|hk|mo|tw)/.test(tag)) return 'zh-TW'
    const found = LANGUAGES.find(one => one !== 'zh-TW' && one.slice(0, 2) === tag.split('-')[0])
    if (found) return found
  }
}

const isPage = (request: FastifyRequest): boolean => request.routeOptions.config?.route?.answer === 'page'

export const sendPage = (reply: FastifyReply, { html: text, status }: PageAnswer): FastifyReply =>
  reply.code(status).header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(text)

export function sendFile(
  app: App,
  call: Call,
  reply: FastifyReply,
  { name, type, content, inline, part }: FileAnswer,
): FastifyReply {
  if (part) reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${part.of}`)
  return reply
    .header('filename', encodeName(name))
    .header('code', String(CODES.ok))
    .header('msg', encodeURIComponent(app.texts.text(call.language, 'kit', 'done')))
    .header('content-disposition', dispositionOf({ name, type }, inline))
    .type(type)
    .send(content instanceof Readable ? content : content)
}

export function sendUnauthorised(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
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
  const isLogin = SIGN_IN.has(request.routeOptions.url ?? '')
  const title = isLogin && isAboutSignIn(refused) ? 'title-sign-in' : `title-${refused.kind}`
  const said = (refusal: Refusal) => app.texts.refusal(language, texts, title, refusal)
  const fields =
    refused.fields &&
    Object.fromEntries(Object.entries(refused.fields).map(([name, refusal]) => [name, detailOf(said(refusal))]))
  if (refused.kind === 'too-many' || refused.kind === 'unavailable')
    reply.header('retry-after', String(refused.retrySeconds ?? RETRY_SECONDS))
  if (isPage(request)) return sendPlain(reply, language, STATUS[refused.kind], said(refused.refusal))
  return reply.code(STATUS[refused.kind]).send({
    code: CODES[refused.kind],
    msg: said(refused.refusal),
    data:
      fields || refused.detail !== undefined
        ? {
            fields: fields ?? {},
            current: refused.detail ?? null,
            ...(refused.instead === undefined ? {} : { instead: refused.instead }),
          }
        : null,
    ...(isLogin ? { result: { isLogin: true } } : {}),
  })
}

/** "Title: detail", as a page of two sentences. */
function sendPlain(reply: FastifyReply, language: Language, status: number, msg: string): FastifyReply {
  const title = msg.slice(0, msg.indexOf(': '))
  return sendPage(
    reply,
    new PageAnswer(pageOf(language, title, html`<h1>${title}</h1><p>${detailOf(msg)}</p>`), status),
  )
}

/** A wrong password or code, not a request nobody could read. */
const isAboutSignIn = ({ kind }: Refused): boolean => kind === 'rule' || kind === 'validation'

const detailOf = (msg: string): string => msg.slice(msg.indexOf(': ') + 2)

export function sendError(app: App, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const texts = request.routeOptions.config?.route?.texts ?? 'kit'
  if (error instanceof Refused) return sendRefusal(app, request, reply, texts, error)
  const known = knownError(error, request.routeOptions.bodyLimit)
  if (known) {
    // Who asked is told what to do; which question it was concerns whoever runs the console.
    if (sqlState(error) === QUERY_CANCELLED) request.log.warn({ err: error }, 'a statement took too long')
    return sendRefusal(app, request, reply, texts, known)
  }
  request.log.error({ err: error, incident: request.id }, 'a call failed')
  const language = languageOf(app, request)
  const msg = `${app.texts.text(language, 'kit', 'title-error')}: ${app.texts.text(language, 'kit', 'incident', { number: request.id })}`
  if (isPage(request)) return sendPlain(reply, language, 500, msg)
  return reply.code(500).send({ code: CODES.error, msg, data: { incident: request.id } })
}

/** What the framework or the database refuses, said as our own refusals. */
function knownError(error: unknown, bodyLimit: number): Refused | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if (isDiskFull(error) || sqlState(error) === '53100') return diskFull()
  if (error instanceof StorageAway) return new Refused(refuse('kit/server/file:storage-away'), 'unavailable')
  const status = 'statusCode' in error ? Number(error.statusCode) : 0
  if (status === 413) return tooLarge(bodyLimit)
  if (status === 415) return new Refused(refuse('kit:body-not-json'), 'parameter')
  if (status >= 400 && status < 500) return new Refused(refuse('kit:request-invalid'), 'parameter')
  // A zero byte in an address, which no text column holds.
  if (sqlState(error) === '22021') return new Refused(refuse('kit:request-invalid'), 'parameter')
  if (isDatabaseAway(error)) return new Refused(refuse('kit:database-away'), 'unavailable')
  if (sqlState(error) === QUERY_CANCELLED) return new Refused(refuse('kit:took-too-long'), 'unavailable')
  const isBusy = error instanceof Overloaded || sqlState(error) === LOCK_NOT_AVAILABLE
  return isBusy ? new Refused(refuse('kit:record-busy'), 'unavailable') : undefined
}
