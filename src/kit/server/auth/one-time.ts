import { randomInt } from 'node:crypto'
import { hashPassword } from '../access/hash.ts'
import { rulesFor, whyNotPassword } from '../access/password.ts'

/** A password made up for somebody: shown once to whoever asked for it, kept as its hash, and good for nothing but its own change. */
export type OneTimePassword = { readonly password: string; readonly hash: string }

/** Hashing takes a core for a moment: made before the transaction that stores it. */
export async function makeOneTimePassword(): Promise<OneTimePassword> {
  const password = generatePassword()
  return { password, hash: await hashPassword(password) }
}

const GROUPS = 4
const GROUP_SIGNS = 5
const SMALL = 'abcdefghjkmnpqrstuvwxyz'
const DIGITS = '23456789'

/** Twenty signs nobody mistakes for others, about 98 bits: "k7mxq-…". Good under every profile. */
export function generatePassword(): string {
  const sign = () => {
    const all = SMALL + DIGITS
    return all[randomInt(all.length)] as string
  }
  for (;;) {
    const password = Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_SIGNS }, sign).join('')).join('-')
    if (!whyNotPassword(password, rulesFor('djbh', true), [])) return password
  }
}
