import { defineSettings, whole } from '#kit/model/setting.ts'

/** How long a guardian may think better of it before an account is closed for good. */
export const settings = defineSettings({
  group: 'closing',
  keys: { waitDays: whole({ unit: 'days', min: 1, max: 30, default: 15 }) },
})
