import * as z from 'zod'
import { CAME_BY, GOT } from './model.ts'

/** One step of the way from a number to a member. */
export const pathStep = z.strictObject({
  id: z.string(),
  at: z.string(),
  kind: z.enum(['CAME', 'AGAIN', 'OWNED', 'REGISTERED', 'BOUGHT']),
  cameBy: z.enum(CAME_BY).nullable(),
  source: z.string().nullable(),
  channel: z.string().nullable(),
  consent: z.string().nullable(),
  /** However often it was told. */
  times: z.int(),
  owner: z.string().nullable(),
  got: z.enum(GOT).nullable(),
  by: z.string().nullable(),
})
export type PathStep = z.infer<typeof pathStep>
