import * as z from 'zod'
import { choice } from '#kit/model/field.ts'
import { HELD_TONES } from './model.ts'

/** A member's own copy of a coupon. */
export const held = z.strictObject({
  id: z.string(),
  couponId: z.string(),
  name: z.string(),
  status: choice(HELD_TONES),
  takenAt: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  orderId: z.string().nullable(),
  orderNo: z.string().nullable(),
})
export type Held = z.infer<typeof held>
