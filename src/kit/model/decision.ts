import * as z from 'zod'
import type { Tone } from './field.ts'

const TONES = ['idle', 'busy', 'attention', 'done', 'failed', 'special'] as const satisfies readonly Tone[]

/** For how long people are told. */
export const DECIDED_DAYS = 7

/** What somebody else decided on what a person asked for. */
export const decision = z.strictObject({
  /** Of the line in the operation log. */
  id: z.string(),
  screen: z.string(),
  /** What the screen is called, what the record is called there, and what became of it. */
  what: z.string(),
  name: z.string(),
  state: z.string(),
  tone: z.enum(TONES),
  /** Nobody's name where the console did it itself. */
  by: z.string(),
  at: z.string(),
  reason: z.string().nullable(),
  /** Where the record is shown; nothing for who may list it and not open it. */
  path: z.string().nullable(),
})
export type Decision = z.infer<typeof decision>

/** Decisions before one that was told, and from where the next ones go on; nothing where these are the last. */
export const earlierDecisions = z.strictObject({ records: z.array(decision), before: z.string().nullable() })
export type EarlierDecisions = z.infer<typeof earlierDecisions>
