import * as z from 'zod'
import { ID, lines } from '#kit/model/field.ts'

/** So many of a base product, with what it is called: kits are made of parts, and parcels carry them. */
export const part = z.strictObject({
  baseProductId: z.string().regex(ID),
  sku: z.string().max(30),
  name: z.string().max(100),
  quantity: z.int().min(0).max(1_000_000),
})
export type NamedPart = z.infer<typeof part>

export const MAX_PARTS = 50
export const parts = () => lines(part, MAX_PARTS)

export const piecesOf = (given: readonly Pick<NamedPart, 'quantity'>[]): number =>
  given.reduce((sum, { quantity }) => sum + quantity, 0)
