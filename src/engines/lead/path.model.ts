import * as z from 'zod'
import { GOT, TOUCHED_BY } from './model.ts'

/** What a touch is to whoever asks which one brought the member: the first of all, the last before the payment, the one that counts. */
const MARKS = ['FIRST', 'LAST', 'COUNTS'] as const

/** One step of the way from a number to a member, and to what that member paid. */
export const pathStep = z.strictObject({
  id: z.string(),
  at: z.string(),
  kind: z.enum(['CAME', 'AGAIN', 'OWNED', 'REGISTERED', 'CORRECTED', 'BOUGHT', 'REFUNDED']),
  cameBy: z.enum(TOUCHED_BY).nullable(),
  source: z.string().nullable(),
  channel: z.string().nullable(),
  consent: z.string().nullable(),
  /** What people know it by. */
  about: z.string().nullable(),
  /** However often it was told. */
  times: z.int(),
  owner: z.string().nullable(),
  got: z.enum(GOT).nullable(),
  by: z.string().nullable(),
  /** What was paid, or given back. */
  fen: z.int().nullable(),
  marks: z.array(z.enum(MARKS)),
})
export type PathStep = z.infer<typeof pathStep>
export type Mark = (typeof MARKS)[number]
