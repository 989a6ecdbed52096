import { createDecipheriv, createHash } from 'node:crypto'
import * as z from 'zod'
import { requireSigned, unreadable } from './told.server.ts'

/** By which the WeChat family signs and seals what it tells: for whom it is, the word both sides know, and the key. */
export type SealKeys = { readonly receiver: string; readonly token: string; readonly aesKey: string }

/** `msg_signature`: hex SHA-1 of token, time, nonce and the sealed message, sorted and joined. */
export const sealSignature = (token: string, timestamp: string, nonce: string, sealed: string): string =>
  createHash('sha1').update([token, timestamp, nonce, sealed].sort().join('')).digest('hex')

const text = z.string().max(500)
/** In the address beside every message; a greeting brings what is to be opened and said back. */
export const sealQuery = z.strictObject({
  msg_signature: text,
  timestamp: text,
  nonce: text,
  echostr: text.optional(),
  signature: text.optional(),
  openid: text.optional(),
  encrypt_type: text.optional(),
})
export type SealQuery = z.infer<typeof sealQuery>

const RANDOM = 16
const LENGTH = 4
/** Messages are filled up to a multiple of this, and the last byte says by how many. */
const BLOCK = 32

/**
 * Opens a sealed message: AES-256-CBC under the key, whose first half is the vector too. In it stand 16 random bytes, the
 * length, the message, and for whom it is; padded to 32.
 */
export function openSealed(aesKey: string, receiver: string, sealed: string): string {
  const key = Buffer.from(`${aesKey}=`, 'base64')
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  let plain: Buffer
  try {
    plain = Buffer.concat([decipher.update(sealed, 'base64'), decipher.final()])
  } catch {
    throw unreadable()
  }
  const padding = plain.at(-1) ?? 0
  const end = plain.length - padding
  if (padding < 1 || padding > BLOCK || end < RANDOM + LENGTH) throw unreadable()
  const from = RANDOM + LENGTH
  const to = from + plain.readUInt32BE(RANDOM)
  if (to > end || plain.toString('utf8', to, end) !== receiver) throw unreadable()
  return plain.toString('utf8', from, to)
}

/** What was sealed for us by whoever knows the token; anything else is refused before it is opened. */
export function openSigned({ receiver, token, aesKey }: SealKeys, query: SealQuery, sealed: string): string {
  requireSigned(query.msg_signature, sealSignature(token, query.timestamp, query.nonce, sealed))
  return openSealed(aesKey, receiver, sealed)
}
