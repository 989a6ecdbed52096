import { defineSettings, whole } from '#kit/model/setting.ts'

/**
 * How long a guardian may think better of it before an account is closed for good, and for how long a membership may stand still
 * within a year. The group is called after the first of them, under which values are stored.
 */
export const settings = defineSettings({
  group: 'closing',
  keys: {
    waitDays: whole({ unit: 'days', min: 1, max: 30, default: 15 }),
    pauseDays: whole({ unit: 'days', min: 0, max: 365, default: 180 }),
  },
})
