import * as z from 'zod'
import { pushTypes } from '#areas/account/preference/model.ts'

export const notificationChange = z.strictObject({ muted: pushTypes })
/** Offered are the kinds this person can get at all. */
export const notifications = notificationChange.extend({ offered: pushTypes })
export type Notifications = z.infer<typeof notifications>
