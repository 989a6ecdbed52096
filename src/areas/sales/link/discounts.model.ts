import * as z from 'zod'
import { MAX_FEN } from '#kit/model/money.ts'

const price = z.int().min(1).max(MAX_FEN)

/** For how many days a price can be locked. */
export const terms = z.strictObject({ mostDays: z.int().min(1) })
export type Terms = z.infer<typeof terms>

/** A discount somebody may still make a link with. */
export const usableDiscount = z.strictObject({
  id: z.string(),
  requestNo: z.string(),
  productId: z.string(),
  productName: z.string(),
  priceFen: price,
  usableUntil: z.string(),
})
export type UsableDiscount = z.infer<typeof usableDiscount>
