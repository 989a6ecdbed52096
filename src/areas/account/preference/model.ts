import * as z from 'zod'
import { NOTIFYING_PUSHES } from '#kit/model/contract.ts'

export const pushTypes = z.array(z.literal([...NOTIFYING_PUSHES])).max(NOTIFYING_PUSHES.length)

/** Display choices a person carries from machine to machine: theme, density, columns, shortcuts. Pages name their own keys. */
export const preference = z
  .object({ mutedPushes: pushTypes.optional(), mailDecisions: z.boolean().optional() })
  .catchall(z.unknown())
export type Preference = z.infer<typeof preference>
