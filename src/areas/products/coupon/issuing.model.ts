import * as z from 'zod'
import { reference } from '#kit/model/field.ts'

/** Members one call may issue to: its answer names each of them. */
export const MAX_ISSUED = 5_000
/** Members that may be chosen one by one. */
export const MAX_CHOSEN = 100

const value = z.string().min(1).max(100)
/** Members by what they have in common; each part that names something must fit. */
export const audience = z.strictObject({
  levels: z.array(z.enum(['TRIAL', 'MEMBER', 'EXPIRED'])).max(3),
  channels: z.array(value).max(50),
  tags: z.array(value).max(20),
  ownerIds: z.array(reference('staff')).max(100),
})
export type Audience = z.infer<typeof audience>

/** Chosen one by one, or by what they have in common. */
export const issueBody = z.union([
  z.strictObject({ memberIds: z.array(reference('member')).min(1).max(MAX_CHOSEN) }),
  z.strictObject({ audience }),
])

const person = z.strictObject({ id: z.string(), name: z.string(), phone: z.string() })
const why = z.enum(['LIMIT', 'USED_UP', 'MISSING', 'FROZEN'])
/** What became of each member: nobody is dropped silently. */
export const issued = z.strictObject({
  done: z.array(person),
  over: z.array(person.extend({ why })),
  failed: z.array(person.extend({ why })),
})
export type Issued = z.infer<typeof issued>
