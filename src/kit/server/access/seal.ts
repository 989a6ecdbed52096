import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Env } from '../process/env.ts'

type Secret = Pick<Env, 'CODE_SECRET'>

const CIPHER = 'aes-256-gcm'
const [IV_BYTES, TAG_BYTES] = [12, 16]

/** Any instance opens what another sealed, for they share the secret; what was sealed for one use is opened for no other. */
const keyFor = ({ CODE_SECRET }: Secret, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', CODE_SECRET ?? '', '', use, 32))

export function seal(env: Secret, use: string, plain: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyFor(env, use), iv)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** What we sealed for this use; nothing for any other bytes. */
export function unseal(env: Secret, use: string, bytes: Buffer): Buffer | undefined {
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  const opening = createDecipheriv(CIPHER, keyFor(env, use), bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  opening.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([opening.update(bytes.subarray(IV_BYTES + TAG_BYTES)), opening.final()])
  } catch {
    return undefined
  }
}

export const sealText = (env: Secret, use: string, text: string): string =>
  seal(env, use, Buffer.from(text)).toString('base64url')

export function unsealText(env: Secret, use: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  // One text for one content: another way to write the same bytes would be another use.
  return bytes.toString('base64url') === sealed ? unseal(env, use, bytes)?.toString() : undefined
}

/** Of what is short a plain digest would tell everything. */
export const keyedDigest = (env: Secret, use: string, text: string): Buffer =>
  createHmac('sha256', keyFor(env, use)).update(text).digest()
