import * as z from 'zod'
import { lines, reference } from '#kit/model/field.ts'

export const MAX_PIECES = 1_000_000

/** So many of a base product, with what it is called: kits are made of parts, and parcels carry them. */
export const part = z.strictObject({
  baseProductId: reference('base-product'),
  sku: z.string().max(30),
  name: z.string().max(100),
  quantity: z.int().min(0).max(MAX_PIECES),
})
export type NamedPart = z.infer<typeof part>

export const MAX_PARTS = 50
export const parts = () => lines(part, MAX_PARTS)

export const piecesOf = (given: readonly Pick<NamedPart, 'quantity'>[]): number =>
  given.reduce((sum, { quantity }) => sum + quantity, 0)
