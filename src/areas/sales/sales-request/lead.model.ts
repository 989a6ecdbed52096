import * as z from 'zod'

/** How the lead of a number stands: told to whoever decides whether somebody else may have it. */
export const standingLead = z.strictObject({
  owner: z.string().nullable(),
  status: z.string(),
  level: z.string().nullable(),
  createdAt: z.string(),
  lastContactAt: z.string().nullable(),
  isMember: z.boolean(),
})
export type StandingLead = z.infer<typeof standingLead>
