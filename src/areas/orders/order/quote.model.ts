import * as z from 'zod'

/** Somewhere goods of this member went before. The browser sees it masked, and names it by the order it stood in. */
const knownReceiver = z.strictObject({
  orderId: z.string(),
  name: z.string(),
  phone: z.string(),
  address: z.string(),
})

export type KnownReceiver = z.infer<typeof knownReceiver>

/** What an order taken by hand would come to, for the eye: it is calculated again when it is placed. */
export const quote = z.strictObject({
  lines: z.array(z.strictObject({ productId: z.string(), quantity: z.int(), listFen: z.int(), amountFen: z.int() })),
  listFen: z.int(),
  /** What the products cost today, before the coupon. */
  priceFen: z.int(),
  couponFen: z.int(),
  /** Why the coupon does not apply, in words. */
  couponRefusal: z.string().nullable(),
  dueFen: z.int(),
  hasGoods: z.boolean(),
  receivers: z.array(knownReceiver),
})
export type Quote = z.infer<typeof quote>

/** "12x2,15x1": products with how many of each, as they stand in an address. */
export const PRODUCTS = /^\d{1,18}x\d{1,3}(,\d{1,18}x\d{1,3}){0,9}$/
