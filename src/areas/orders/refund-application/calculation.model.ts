import * as z from 'zod'
import { ID } from '#kit/model/field.ts'
import type { Terms } from './arithmetic.model.ts'

/** Goods that have not left when their money is asked back: they stay here, or leave all the same and are paid for. */
const unsentChoice = z.enum(['CANCEL', 'SEND'])
export type UnsentChoice = z.infer<typeof unsentChoice>
export const unsentLine = z.strictObject({ lineId: z.string().regex(ID), choice: unsentChoice })
export type UnsentLine = z.infer<typeof unsentLine>

/** The settings of the day a refund was asked for: a later change does not touch it. */
export const terms = z.strictObject({
  windowDays: z.int(),
  windowUsedPercent: z.int(),
  l2Fen: z.int(),
  l2Days: z.int(),
} satisfies Record<keyof Terms, z.ZodType>)

/** How much of one line should go back, and why. */
export const suggestedLine = z.strictObject({
  lineId: z.string(),
  name: z.string(),
  paidFen: z.int(),
  takenFen: z.int(),
  usedFen: z.int(),
  goodsFen: z.int(),
  suggestedFen: z.int(),
  inWindow: z.boolean(),
  /** Goods that have not left, and what becomes of them; nothing where there are none. */
  unsentPieces: z.int(),
  unsentFen: z.int(),
  unsent: unsentChoice.nullable(),
})
export type SuggestedLine = z.infer<typeof suggestedLine>

/** How much of it does, and which units of the member's rights go with it. */
export const calculatedLine = suggestedLine.extend({
  amountFen: z.int(),
  parts: z.array(
    z.strictObject({
      lotId: z.string(),
      kind: z.string(),
      name: z.string(),
      usedUnits: z.int(),
      totalUnits: z.int(),
      leftUnits: z.int(),
      units: z.int(),
      debt: z.int(),
    }),
  ),
})
export type CalculatedLine = z.infer<typeof calculatedLine>
