import { defineSettings, whole } from '#kit/model/setting.ts'

/**
 * The days in which what was hardly used is given back whole, how much "hardly" is, and from what sum or age on finance
 * decides too. A refund keeps those it was asked for under (`terms`).
 */
export const settings = defineSettings({
  group: 'refund',
  keys: {
    windowDays: whole({ unit: 'days', min: 0, max: 365, default: 7, money: true, formerly: 'REFUND_WINDOW_DAYS' }),
    windowUsedPercent: whole({
      unit: 'percent',
      min: 0,
      max: 100,
      default: 10,
      money: true,
      formerly: 'REFUND_WINDOW_USED_PERCENT',
    }),
    l2Fen: whole({ unit: 'fen', min: 0, max: 1_000_000_000, default: 100_000, money: true, formerly: 'REFUND_L2_FEN' }),
    l2Days: whole({ unit: 'days', min: 0, max: 3_650, default: 30, money: true, formerly: 'REFUND_L2_DAYS' }),
  },
})
