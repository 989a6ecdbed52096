import { timingSafeEqual } from 'node:crypto'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { Source } from './event.ts'
import { secretOf, signatureOf } from './inbox-secret.ts'

/** What was signed earlier or later than this is a replay or a wrong clock. */
const MAX_AGE_MS = 300_000

/** The signature takes the place of a session: whoever knows the source's secret speaks for it. */
export function requireSignature(app: App, call: Call, source: Source, signed: Buffer | string): void {
  const timestamp = call.header('x-inkstone-timestamp') ?? ''
  const given = Buffer.from(call.header('x-inkstone-signature') ?? '', 'hex')
  const right = Buffer.from(signatureOf(secretOf(app.env.INBOX_SECRET ?? '', source), timestamp, signed), 'hex')
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Refused(refuse('signature-wrong'), 'permission')
  // Ten digits are seconds, thirteen are milliseconds.
  const sentAt = /^\d{10}$/.test(timestamp)
    ? Number(timestamp) * 1_000
    : /^\d{13}$/.test(timestamp)
      ? Number(timestamp)
      : Number.NaN
  if (!(Math.abs(call.now.getTime() - sentAt) <= MAX_AGE_MS)) throw new Refused(refuse('timestamp-wrong'), 'permission')
}
