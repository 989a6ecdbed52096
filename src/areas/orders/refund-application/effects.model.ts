import * as z from 'zod'

/** What follows from a paid refund, each with its own tick. */
export const EFFECTS = ['ENTITLEMENT', 'COUPON', 'GOODS', 'COMMISSION', 'NOTICE'] as const
export type EffectName = (typeof EFFECTS)[number]
export const effect = z.strictObject({
  name: z.enum(EFFECTS),
  status: z.enum(['WAITING', 'DONE', 'FAILED']),
  outcome: z.record(z.string(), z.number()),
  error: z.string(),
  doneAt: z.string().nullable(),
})
export type RefundEffect = z.infer<typeof effect>
