import { defineSettings, whole } from '#kit/model/setting.ts'

/** What a shared poster earns. */
export const settings = defineSettings({
  group: 'share',
  keys: { rewardCoins: whole({ unit: 'coins', min: 0, max: 10_000, default: 10, money: true }) },
})
