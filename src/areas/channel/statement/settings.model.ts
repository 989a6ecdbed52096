import { defineSettings, whole } from '#kit/model/setting.ts'

/** For how long a partner may look at its statement by a link. */
export const settings = defineSettings({
  group: 'statement',
  keys: { linkDays: whole({ unit: 'days', min: 1, max: 60, default: 14 }) },
})
