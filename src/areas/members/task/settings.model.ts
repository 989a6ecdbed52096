import { defineSettings, whole } from '#kit/model/setting.ts'
import { MAX_COINS } from './model.ts'

/** How much one task may promise a member. */
export const settings = defineSettings({
  group: 'task',
  keys: { mostCoins: whole({ unit: 'coins', min: 0, max: MAX_COINS, default: 50, money: true }) },
})
