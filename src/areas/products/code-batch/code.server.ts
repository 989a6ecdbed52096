import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** Without 0, O, 1 and I. A power of two many, so that no character is likelier than another. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** 100 bits, of which the last 20 are shown in lists. */
const LENGTH = 20
const GROUP = 4
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

export const newCode = (): string => Array.from(randomBytes(LENGTH), byte => ALPHABET[byte % ALPHABET.length]).join('')

export const lastFour = (code: string): string => code.slice(-GROUP)

/** "ABCD-EFGH-…", as it is printed. */
export const grouped = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')

/** What somebody typed, scanned or pasted: any case, width and separators. */
export function parseCode(typed: string): string | undefined {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
  return CODE.test(code) ? code : undefined
}

export type CodeKeys = {
  /** By which a code is found. */
  hash(code: string): Buffer
  /** Codes as they are kept until their file has arrived; opened only for the batch they were sealed for. */
  seal(codes: readonly string[], batchId: string): Buffer
  open(sealed: Buffer, batchId: string): string[]
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Two keys of one secret: what finds a code cannot open it. */
export function codeKeys({ CODE_SECRET }: { readonly CODE_SECRET?: string | undefined }): CodeKeys {
  if (!CODE_SECRET) throw new Error('codes need CODE_SECRET')
  const keyFor = (use: string) => createHmac('sha256', CODE_SECRET).update(use).digest()
  const [finding, sealing] = [keyFor('find'), keyFor('seal')]
  return {
    hash: code => createHmac('sha256', finding).update(code).digest(),
    seal(codes, batchId) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, sealing, nonce).setAAD(Buffer.from(batchId))
      const text = Buffer.concat([cipher.update(codes.join(' '), 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    open(sealed, batchId) {
      const text = NONCE_BYTES + TAG_BYTES
      const decipher = createDecipheriv(CIPHER, sealing, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(batchId))
        .setAuthTag(sealed.subarray(NONCE_BYTES, text))
      const codes = Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()])
      return codes.toString('utf8').split(' ')
    },
  }
}
