import { defineSettings, whole } from '#kit/model/setting.ts'

/** What text messages to many cost, and from which cost on another person has to agree. */
export const settings = defineSettings({
  group: 'campaign',
  keys: {
    hundredFen: whole({ unit: 'fen', min: 0, max: 10_000, default: 450 }),
    approvalFen: whole({ unit: 'fen', min: 0, max: 10_000_000, default: 5_000, money: true }),
  },
})
