import * as z from 'zod'
import { FACT_KINDS, PLAIN_KINDS } from '#engines/rule/fact.model.ts'

/** A fact an event hands in, as people call it. */
export const fact = z.strictObject({
  name: z.string(),
  title: z.string(),
  kind: z.enum(FACT_KINDS),
  /** Of a list: what is known of each of its items. */
  fields: z.array(z.strictObject({ name: z.string(), title: z.string(), kind: z.enum(PLAIN_KINDS) })),
})
export type ToldFact = z.infer<typeof fact>
