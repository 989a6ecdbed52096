import { createHmac } from 'node:crypto'
import { keptSecret } from '../kept-secret.ts'
import type { Source } from './event.ts'

export const keptInboxSecret = (dataDir: string): Promise<string> => keptSecret(dataDir, 'inbox-secret')

/** What is handed to a sender: knowing one source's secret tells nothing of the others'. */
export const secretOf = (inboxSecret: string, source: Source): string =>
  createHmac('sha256', inboxSecret).update(source).digest('hex')

/** `x-inkstone-signature`: hex HMAC-SHA256 of "timestamp.body" with the source's secret, over the bytes that travel. */
export const signatureOf = (sourceSecret: string, timestamp: string, body: Buffer | string): string =>
  createHmac('sha256', sourceSecret).update(`${timestamp}.`).update(body).digest('hex')
