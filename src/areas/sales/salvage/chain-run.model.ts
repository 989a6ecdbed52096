import * as z from 'zod'

/** What a chain can decide about a lead: to whom it goes, whose turn it is in a department, that the rules decide, or nobody. */
export const CHOICES = ['GIVE', 'DEAL', 'RULES', 'POOL'] as const

/** One time a chain decided about a lead. */
export const chainRun = z.strictObject({
  id: z.string(),
  at: z.string(),
  /** Of the chain that decided; none for the one that was shipped. */
  edition: z.int(),
  chose: z.enum(CHOICES),
  /** The account or the department it names. */
  to: z.string().nullable(),
  /** Why the chain in force could not decide, and the shipped one did. */
  fault: z.string().nullable(),
})
export type ChainRun = z.infer<typeof chainRun>
