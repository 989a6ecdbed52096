import { defineSettings, whole } from '#kit/model/setting.ts'

/** For how long a consultant may promise a price. */
export const settings = defineSettings({
  group: 'link',
  keys: { mostDays: whole({ unit: 'days', min: 1, max: 365, default: 30, money: true }) },
})
