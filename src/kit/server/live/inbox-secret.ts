import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source } from './event.ts'

/** The secret kept in the data folder, made on first use; readable by the server's own user alone. */
export async function keptInboxSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'inbox-secret')
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept !== '') return kept
  await mkdir(dataDir, { recursive: true })
  const own = `${path}.${randomUUID()}`
  await writeFile(own, randomBytes(32).toString('hex'), { mode: 0o600 })
  // Linked and not renamed: of instances that start together, one decides and the others read.
  await link(own, path).catch(() => {})
  await rm(own)
  return readFile(path, 'utf8')
}

/** What is handed to a sender: knowing one source's secret tells nothing of the others'. */
export const secretOf = (inboxSecret: string, source: Source): string =>
  createHmac('sha256', inboxSecret).update(source).digest('hex')

/** `x-inkstone-signature`: hex HMAC-SHA256 of "timestamp.body" with the source's secret, over the bytes that travel. */
export const signatureOf = (sourceSecret: string, timestamp: string, body: Buffer | string): string =>
  createHmac('sha256', sourceSecret).update(`${timestamp}.`).update(body).digest('hex')
