import { defineSettings, whole } from '#kit/model/setting.ts'

/** How long somebody who has paid on a platform may wait for the course. */
export const settings = defineSettings({
  group: 'platformOrder',
  keys: { claimWithin: whole({ unit: 'days', min: 1, max: 30, default: 1 }) },
})
