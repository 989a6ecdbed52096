import * as z from 'zod'
import type { Tone } from './field.ts'

const TONES = ['idle', 'busy', 'attention', 'done', 'failed', 'special'] as const satisfies readonly Tone[]

/** A record that fits what somebody typed, as its own list would show it in short. */
export const found = z.strictObject({
  screen: z.string(),
  id: z.string(),
  /** The number or the name people know it by. */
  title: z.string(),
  /** What else people tell it by: the person with a masked number, the product, the amount. */
  facts: z.array(z.string()),
  state: z.strictObject({ text: z.string(), tone: z.enum(TONES) }).nullable(),
  /** It is called exactly so. */
  isExact: z.boolean(),
  /** Where it is shown. */
  path: z.string(),
})
export type Found = z.infer<typeof found>
