import { defineSettings, whole } from '#kit/model/setting.ts'

/** What checking in earns, and how far back a missed day can be made up for. */
export const settings = defineSettings({
  group: 'checkIn',
  keys: {
    rewardEvery: whole({ unit: 'days', min: 1, max: 365, default: 7, money: true }),
    rewardCoins: whole({ unit: 'coins', min: 0, max: 10_000, default: 20, money: true }),
    makeUpWithin: whole({ unit: 'days', min: 1, max: 60, default: 7 }),
    makeUpsPerMonth: whole({ unit: 'days', min: 0, max: 31, default: 3 }),
  },
})
