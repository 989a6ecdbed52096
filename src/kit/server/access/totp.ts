import { createHmac, timingSafeEqual } from 'node:crypto'

/** Codes by time (RFC 6238), as every authenticator app makes them: HMAC-SHA1, half minutes, six digits. */
const STEP_MS = 30_000
const DIGITS = 6
/** A telephone whose clock is a little off is still understood. */
const DRIFT = 1
/** The length of what SHA-1 gives, as RFC 4226 asks. */
export const SECRET_BYTES = 20

export const isTotp = (code: string): boolean => /^\d{6}$/.test(code)

const stepAt = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(at) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export const codeAt = (secret: Buffer, now: Date): string => codeOfStep(secret, stepAt(now))

/** The half minute a code belongs to, if that is about now and newer than the last one a code was taken of. */
export function stepOfCode(secret: Buffer, code: string, now: Date, last: number): number | undefined {
  if (!isTotp(code)) return undefined
  const current = stepAt(now)
  const near = Array.from({ length: 2 * DRIFT + 1 }, (_, at) => current - DRIFT + at)
  const matches = (step: number) => timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code))
  return near.filter(matches).find(step => step > last)
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** As a secret is typed in where no picture can be read (RFC 4648). */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** What the picture says: who made it, for whom, and how codes are made. */
export function keyUri(issuer: string, account: string, secret: Buffer): string {
  const asked = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_MS / 1_000),
  })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${asked}`
}
