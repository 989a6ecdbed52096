import { defineSettings, whole } from '#kit/model/setting.ts'

/** How far back what somebody came by counts for the first payment (decision 085). */
export const settings = defineSettings({
  group: 'attribution',
  keys: { lookBackDays: whole({ unit: 'days', min: 1, max: 730, default: 90 }) },
})
