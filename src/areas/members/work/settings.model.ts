import { defineSettings, whole } from '#kit/model/setting.ts'

/** What a looked-at work earns its pupil, and how many comments somebody looks at a second time. */
export const settings = defineSettings({
  group: 'work',
  keys: {
    rewardCoins: whole({ unit: 'coins', min: 0, max: 10_000, default: 5, money: true }),
    rewardFrom: whole({ unit: 'percent', min: 0, max: 100, default: 60 }),
    sampled: whole({ unit: 'percent', min: 0, max: 100, default: 5 }),
    phraseDays: whole({ unit: 'days', min: 0, max: 365, default: 30 }),
  },
})
