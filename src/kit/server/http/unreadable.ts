import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CODES } from '#kit/model/contract.ts'
import { type RefusalKind, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { RETRY_SECONDS, sendRefusal } from './answer.ts'

type Unreadable = { readonly status: number; readonly kind: RefusalKind; readonly code: string }

const MALFORMED: Unreadable = { status: 400, kind: 'parameter', code: 'kit:request-invalid' }
const UNREADABLE: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: { status: 431, kind: 'parameter', code: 'kit:head-too-large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, kind: 'unavailable', code: 'kit:request-too-slow' },
}

/**
 * What Node refuses before there is a call, in the shape of every other answer. In the language of the settings: which one
 * was asked for nobody could read.
 */
export const refuseUnreadable =
  ({ env, texts, log }: Pick<App, 'env' | 'texts' | 'log'>) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const { status, kind, code } = UNREADABLE[error.code ?? ''] ?? MALFORMED
    log.debug({ status, code: error.code }, 'what came was no call')
    const msg = texts.refusal(env.DEFAULT_LOCALE, 'kit', `title-${kind}`, refuse(code))
    const body = JSON.stringify({ code: CODES[kind], msg, data: null })
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      ...(kind === 'unavailable' ? [`Retry-After: ${RETRY_SECONDS}`] : []),
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }

/** What the router cannot read comes by no hook: its answer is guarded here. */
export const refuseAddress = (app: App) => (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
  reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
  return sendRefusal(app, request, reply, 'kit', new Refused(refuse('kit:request-invalid'), 'parameter'))
}
