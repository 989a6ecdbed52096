import * as z from 'zod'
import { PURPOSES } from '#engines/consent/model.ts'
import { CAUSES } from '#engines/entitlement/model.ts'

export const entryView = z.strictObject({
  id: z.string(),
  at: z.string(),
  /** Besides what was written down: the days the calendar took. */
  cause: z.enum([...CAUSES, 'PASSED']),
  lot: z.string(),
  source: z.string(),
  delta: z.int(),
  balanceAfter: z.int(),
  note: z.string(),
  staff: z.string().nullable(),
})
export type EntryView = z.infer<typeof entryView>

export const followUpView = z.strictObject({
  id: z.string(),
  at: z.string(),
  kind: z.string(),
  content: z.string(),
  nextAt: z.string().nullable(),
  /** By their ids: of the lead, where it was said to one. */
  picture: z.array(z.string()),
  staffId: z.string(),
  staff: z.string(),
})
export type FollowUpView = z.infer<typeof followUpView>

export const ownerChangeView = z.strictObject({
  id: z.string(),
  at: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  reason: z.string(),
  by: z.string().nullable(),
})
export type OwnerChangeView = z.infer<typeof ownerChangeView>

export const consentView = z.partialRecord(z.enum(PURPOSES), z.enum(['GIVEN', 'WITHDRAWN']))
export type ConsentView = z.infer<typeof consentView>
