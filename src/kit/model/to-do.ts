import * as z from 'zod'
import { workingHours } from './working-time.ts'

/** What waits for one person to take one step in one list. */
export const toDo = z.strictObject({
  screen: z.string(),
  /** Where the list shows exactly these rows. */
  path: z.string(),
  step: z.string(),
  title: z.string(),
  count: z.int().min(0),
  /** There are more than were looked at. */
  isMore: z.boolean(),
  /** Since when the oldest waits, and until when that was in order; nothing where nobody said so. */
  oldestAt: z.string().nullable(),
  dueAt: z.string().nullable(),
  /** Time counts only while whoever it waits for works. */
  hours: workingHours.optional(),
})
export type ToDo = z.infer<typeof toDo>
