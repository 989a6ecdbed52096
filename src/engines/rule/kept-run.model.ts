import * as z from 'zod'

const RUN_RESULTS = ['DECIDED', 'FELL_BACK'] as const

/** One run of an event's chain, as its record tells of it. */
export const keptRun = z.strictObject({
  id: z.string(),
  /** Of the chain that decided; none for the one that was shipped. */
  edition: z.int(),
  result: z.enum(RUN_RESULTS),
  /** As JSON. */
  outcome: z.string(),
  ms: z.int(),
  fault: z.string().nullable(),
  createdAt: z.string(),
})
export type KeptRun = z.infer<typeof keptRun>
