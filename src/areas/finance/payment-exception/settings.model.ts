import { defineSettings, whole } from '#kit/model/setting.ts'

/** Money that fits nothing goes back the way it came when nobody has decided on it within these days. */
export const settings = defineSettings({
  group: 'stray',
  keys: {
    returnDays: whole({ unit: 'days', min: 1, max: 365, default: 7, money: true, formerly: 'STRAY_RETURN_DAYS' }),
  },
})
