import * as z from 'zod'
import { pushTypes } from '#areas/account/preference/model.ts'

export const notificationChange = z.strictObject({
  muted: pushTypes,
  /** Left out, it stays as it is. */
  mailDecisions: z.boolean().optional(),
})
/** Offered are the kinds this person can get at all; mail comes to who wants it. */
export const notifications = z.strictObject({ muted: pushTypes, offered: pushTypes, mailDecisions: z.boolean() })
export type Notifications = z.infer<typeof notifications>
