import * as z from 'zod'
import { audienceFields, pastedNumbers } from '#engines/audience/model.ts'
import { reference } from '#kit/model/field.ts'

/** Members one call may issue to: its answer names each of them. */
export const MAX_ISSUED = 5_000
/** Members that may be chosen one by one. */
export const MAX_CHOSEN = 100

/** Members as everywhere: by what they have in common, or by their numbers. */
export const audience = z.strictObject({ ...audienceFields, ...pastedNumbers })

/** How many of them would get one now, and what keeps the others from it. */
export const reachBody = z.strictObject({ ...audience.shape, couponId: reference('coupon') })
export const reach = z.strictObject({
  ...{ members: z.int(), repeated: z.int(), invalid: z.int(), strangers: z.int() },
  ...{ toIssue: z.int(), limit: z.int(), usedUp: z.int() },
})
export type Reach = z.infer<typeof reach>

/** Chosen one by one, or as an audience. */
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
