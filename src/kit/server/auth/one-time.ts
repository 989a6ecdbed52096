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
/** Nobody mistakes one of these for another. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Random signs in groups, as they are read out and typed: "k7mxq-…". */
export function grouped(groups: number, groupSigns: number): string {
  const sign = () => SIGNS[randomInt(SIGNS.length)] as string
  return Array.from({ length: groups }, () => Array.from({ length: groupSigns }, sign).join('')).join('-')
}

/** Twenty signs, about 98 bits. Good under every profile. */
export function generatePassword(): string {
  for (;;) {
    const password = grouped(GROUPS, GROUP_SIGNS)
    if (!whyNotPassword(password, rulesFor('djbh', true), [])) return password
  }
}
