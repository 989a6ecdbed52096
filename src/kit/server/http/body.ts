import type { FastifyInstance } from 'fastify'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { readJson, UnsafeJson } from './json.ts'
import type { Route } from './route.ts'

const KILOBYTE = 1_024
/** How much may be sent by whom: nobody in particular, who signs what they send, and people whose right was asked first. */
export const BODY_LIMITS = { open: 16 * KILOBYTE, signed: 256 * KILOBYTE, person: KILOBYTE * KILOBYTE } as const

export const bodyLimitOf = (route: Pick<Route, 'access' | 'body'>): number => {
  if (route.access !== 'public') return BODY_LIMITS.person
  return route.body === 'raw' ? BODY_LIMITS.signed : BODY_LIMITS.open
}

declare module 'fastify' {
  interface FastifyRequest {
    rawBytes?: Buffer
  }
}

/** JSON is read for every route but those that look at a signature first: these get the bytes, and read them afterwards. */
export function readBodies(http: FastifyInstance): void {
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (request.routeOptions.config.route?.body === 'raw') {
      request.rawBytes = bytes
      return done(null, undefined)
    }
    try {
      done(null, bytesToJson(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
  // Some providers send forms; only their bytes are taken, by routes that read a signature over them. Pages have forms of their own.
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      const route = request.routeOptions.config.route
      request.rawBytes = bytes
      if (route?.body === 'raw') done(null, undefined)
      else if (route?.answer === 'page') done(null, formIn(bytes))
      else done(notJson())
    },
  )
  // And some platforms XML: no route is given what it says, whoever reads a signature over its bytes reads it afterwards.
  http.addContentTypeParser(['text/xml', 'application/xml'], { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    request.rawBytes = bytes
    done(request.routeOptions.config.route?.body === 'raw' ? null : notJson(), undefined)
  })
}

/** What was entered into a form, each field as text. Of a name that stands there twice the last one counts, as everywhere on the web. */
const formIn = (bytes: Buffer): Record<string, string> => ({
  ...Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))),
})

/** What the bytes of a body say; nothing when there are none. */
export function bytesToJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return readJson(bytes)
  } catch (error) {
    throw error instanceof UnsafeJson && error.refusal ? new Refused(error.refusal, 'parameter') : notJson()
  }
}

export const notJson = () => new Refused(refuse('kit:body-not-json'), 'parameter')

/** Says how much would have been taken; beside the field it was meant for, if there is one. */
export function tooLarge(maxBytes: number, field?: string): Refused {
  const refusal = refuse('kit:body-too-large', { max: sizeText(maxBytes) })
  return field === undefined ? new Refused(refusal, 'parameter') : onField(field, refusal)
}

const sizeText = (bytes: number): string =>
  bytes >= KILOBYTE * KILOBYTE ? `${bytes / KILOBYTE / KILOBYTE} MB` : `${bytes / KILOBYTE} KB`
