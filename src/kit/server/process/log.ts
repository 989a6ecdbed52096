import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Env } from './env.ts'

/** Named like this, at any depth and also inside quoted JSON, a value is never written. */
const SECRET_NAMES = [
  'authtoken',
  'authorization',
  'cookie',
  'set-cookie',
  'access-token',
  'token',
  'ticket',
  'password',
  'oldPassword',
  'newPassword',
  'password_hash',
  'captcha',
  'verKey',
  'secret',
  'signature',
  'x-inkstone-signature',
  'connectionString',
].join('|')
const SECRET_VALUE = new RegExp(String.raw`("(?:${SECRET_NAMES})":\s*)(?:"(?:[^"\\]|\\.)*"|\d+)`, 'gi')
/** The same inside a string that is JSON itself, where each quote and backslash is escaped once more. */
const QUOTED_SECRET = new RegExp(
  String.raw`(\\"(?:${SECRET_NAMES})\\":\s*)(?:\\"(?:[^"\\]|\\\\(?:\\\\|\\"|[^"\\]))*\\"|\d+)`,
  'gi',
)
/** 32 random bytes as base64url: session tokens, tickets and signing keys, whatever they are called. */
const TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/g
const PHONE = /(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g
const PASSWORD_IN_URL = /(:\/\/[^:/@\s"]+:)[^@\s"]+@/g

/** Takes tokens, passwords and phone numbers out of a line: by name, and by shape where a name tells nothing. */
export const withoutSecrets = (line: string): string =>
  line
    .replace(SECRET_VALUE, '$1"***"')
    .replace(QUOTED_SECRET, '$1\\"***\\"')
    .replace(TOKEN, '***')
    .replace(PHONE, '$1****$2')
    .replace(PASSWORD_IN_URL, '$1***@')

/** Lines leave together: one write a line costs a busy server more than the line. An orderly end, or a crash of ours, writes the rest. */
const GATHERED_BYTES = 4_096
const GATHERED_MS = 100

/** JSON lines in UTC. Everything the server says about itself goes through here. */
export function openLog(level: Env['LOG_LEVEL'], destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      // The framework's own lines name the request whole; headers and addresses hold tokens.
      serializers: { req: routeOf, res: (reply: FastifyReply) => reply.statusCode, err: pino.stdSerializers.err },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: GATHERED_BYTES, periodicFlush: GATHERED_MS }),
  )
}

/** The template, never the address: an address may hold what a person typed. */
export const routeOf = (request: FastifyRequest): string => request.routeOptions?.url ?? 'unknown'

/** One line per call. Probes and files of the console speak only at level debug. */
export class CallLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' })
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const route = routeOf(request)
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      person: request.session?.actor.id ?? null,
    }
    if (error) reply.log.warn({ ...line, err: error }, 'the answer broke off')
    else if (route.startsWith('/api')) reply.log.info(line, 'call')
    else reply.log.debug(line, 'call')
  }
}
