import * as z from 'zod'
import { MAX_FEN } from '#kit/model/money.ts'

/** What everybody pays for a product now. */
export const priceNow = z.strictObject({ priceFen: z.int().min(0).max(MAX_FEN) })
export type PriceNow = z.infer<typeof priceNow>
