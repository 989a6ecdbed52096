import { defineSettings, whole } from '#kit/model/setting.ts'

/** How much a teacher at a school may be given in a year: nothing, unless the business decides otherwise. */
export const settings = defineSettings({
  group: 'school-teacher',
  keys: { yearFen: whole({ unit: 'fen', min: 0, max: 1_000_000, default: 0, money: true }) },
})
