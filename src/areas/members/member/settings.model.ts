import { defineSettings, whole } from '#kit/model/setting.ts'

/**
 * What one person may give members by hand in a calendar month. More needs an application (decision 012), and above the
 * second bounds finance agrees to that too.
 */
export const settings = defineSettings({
  group: 'gift',
  keys: {
    daysPerMonth: whole({
      unit: 'days',
      min: 0,
      max: 100_000,
      default: 30,
      money: true,
      formerly: 'GIFT_DAYS_PER_MONTH',
    }),
    coinsPerMonth: whole({
      unit: 'coins',
      min: 0,
      max: 10_000_000,
      default: 1_000,
      money: true,
      formerly: 'GIFT_COINS_PER_MONTH',
    }),
    couponsPerMonth: whole({
      unit: 'coupons',
      min: 0,
      max: 100_000,
      default: 20,
      money: true,
      formerly: 'GIFT_COUPONS_PER_MONTH',
    }),
    l2Days: whole({ unit: 'days', min: 0, max: 100_000, default: 90, money: true }),
    l2Coins: whole({ unit: 'coins', min: 0, max: 10_000_000, default: 5_000, money: true }),
  },
})
