import * as z from 'zod'

/** Longer than any password may be: too long ones are refused by the rules, in words. */
const MAX_TYPED = 512

export const passwordChange = z.strictObject({
  oldPassword: z.string().min(1).max(MAX_TYPED),
  password: z.string().min(1).max(MAX_TYPED),
})

/** What the security profile in force asks of the caller's password. */
export const passwordRules = z.strictObject({
  min: z.int(),
  max: z.int(),
  classes: z.int(),
  remembered: z.int(),
  maxAgeDays: z.int().nullable(),
})
