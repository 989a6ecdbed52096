import * as z from 'zod'
import { version } from '#kit/model/field.ts'
import { LANGUAGES } from '#kit/model/language.ts'

export const GENDERS = ['F', 'M', 'UK'] as const
export const MAX_AVATAR_BYTES = 102_400
/** A data URL writes three bytes as four signs, after a short head. */
const MAX_AVATAR_TEXT = Math.ceil(MAX_AVATAR_BYTES / 3) * 4 + 40

/** What people change about themselves. The phone number stays as it is when its masked form comes back. */
export const profileChange = z.strictObject({
  name: z.string().trim().min(1).max(50),
  gender: z.enum(GENDERS),
  phone: z.string().trim().max(30).nullable(),
  email: z.email().max(100).nullable(),
  avatar: z.string().max(MAX_AVATAR_TEXT).nullable(),
  language: z.enum(LANGUAGES).nullable(),
  version: version(),
})
export type ProfileChange = z.infer<typeof profileChange>

export const profile = profileChange.extend({ account: z.string(), org: z.string(), roles: z.array(z.string()) })
export type Profile = z.infer<typeof profile>
