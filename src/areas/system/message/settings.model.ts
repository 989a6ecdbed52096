import { defineSettings, whole } from '#kit/model/setting.ts'

/** What binds advertising: the hours at which nobody is disturbed, and how often one person hears of it. */
export const settings = defineSettings({
  group: 'message',
  keys: {
    quietFrom: whole({ unit: 'hour', min: 0, max: 23, default: 21 }),
    quietUntil: whole({ unit: 'hour', min: 0, max: 23, default: 8 }),
    marketingDays: whole({ unit: 'days', min: 1, max: 365, default: 7 }),
  },
})
