import { createHmac } from 'node:crypto'
import { keptSecret } from '../process/kept-secret.ts'
import type { Source } from './event.ts'

export const keptInboxSecret = (dataDir: string): Promise<string> => keptSecret(dataDir, 'inbox-secret')

/** What is handed to a sender: knowing one source's secret tells nothing of the others'. */
export const secretOf = (inboxSecret: string, source: Source): string =>
  createHmac('sha256', inboxSecret).update(source).digest('hex')

/** `x-inkstone-signature`: hex HMAC-SHA256 of "timestamp.body" with the source's secret, over the bytes that travel. */
export const signatureOf = (sourceSecret: string, timestamp: string, body: Buffer | string): string =>
  createHmac('sha256', sourceSecret).update(`${timestamp}.`).update(body).digest('hex')

/** The same for the same content, in whatever order its names stand; keyed, because what it hides may be a phone number. */
export const fingerprintOf = (inboxSecret: string, content: unknown): string =>
  createHmac('sha256', inboxSecret).update(JSON.stringify(content, inOrder)).digest('hex')

const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
