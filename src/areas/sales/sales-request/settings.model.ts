import { defineSettings, whole } from '#kit/model/setting.ts'

/** How much may be taken off a price before finance agrees too, and for how long a discount that was agreed to can be used. */
export const settings = defineSettings({
  group: 'sales-request',
  keys: {
    l2Percent: whole({ unit: 'percent', min: 0, max: 100, default: 15, money: true }),
    discountDays: whole({ unit: 'days', min: 1, max: 90, default: 14 }),
  },
})
