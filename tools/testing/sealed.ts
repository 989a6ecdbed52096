import { createCipheriv, createHash, randomBytes } from 'node:crypto'

type Keys = { readonly receiver: string; readonly aesKey: string }
type Signing = { readonly token: string; readonly timestamp: string; readonly nonce?: string }

/** As the WeChat family seals: 16 random bytes, the length, the message, for whom; padded to 32; the vector is the key's first half. */
export function seal(message: string, { receiver, aesKey }: Keys): string {
  const key = Buffer.from(`${aesKey}=`, 'base64')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(message))
  const plain = Buffer.concat([randomBytes(16), length, Buffer.from(message), Buffer.from(receiver)])
  const padding = 32 - (plain.length % 32)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  return cipher.update(Buffer.concat([plain, Buffer.alloc(padding, padding)])).toString('base64')
}

/** What stands in the address beside a sealed message. */
export function signedQuery(sealed: string, { token, timestamp, nonce = 'n0nce' }: Signing): string {
  const signed = createHash('sha1').update([token, timestamp, nonce, sealed].sort().join('')).digest('hex')
  return `msg_signature=${signed}&timestamp=${timestamp}&nonce=${nonce}`
}
