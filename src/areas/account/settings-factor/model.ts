import * as z from 'zod'

/** Longer than any password may be: a wrong one is refused as wrong. */
const password = z.string().min(1).max(512)
/** Six digits, or a recovery code, however it was typed. */
const code = z.string().trim().min(1).max(50)

/** How the caller's second factor stands. */
export const factorState = z.strictObject({
  since: z.string().nullable(),
  codesLeft: z.int(),
  /** Since when none opens anything because the console was restored; until new ones are made. */
  codesVoidAt: z.string().nullable(),
  /** The roles of the caller that ask for one: while there are any, it is not turned off. */
  demandedBy: z.array(z.string()),
  /** By the security profile of this console: then it is not turned off either, whatever the roles say. */
  isAskedOfAll: z.boolean(),
})
export type FactorState = z.infer<typeof factorState>

/** Nothing is asked of whoever has just signed in to set it up; the password of whoever has none, and a code of whoever has. */
export const beginBody = z.strictObject({ password: password.optional(), code: code.optional() })
export const proof = z.strictObject({ password, code })
export const confirmation = z.strictObject({ code })

/** Told once: as text for the hand, and as the address in the picture, whose rows are dark as 1. */
export const begunFactor = z.strictObject({ secret: z.string(), uri: z.string(), squares: z.array(z.string()) })
export type BegunFactor = z.infer<typeof begunFactor>
/** Told once, kept as digests. */
export const recoveryCodes = z.strictObject({ codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof recoveryCodes>
