import * as z from 'zod'
import { choice, flag, id, number, optional, reference as ref, text, version } from '#kit/model/field.ts'
import { LEVELS } from './levels.model.ts'

const MAX_MEMBERS = 500
/** Ninety days. */
export const MOST_HOURS = 2_160

/** Who may claim from a pool, how much, and when it takes back what nobody follows. */
export const poolBody = z.strictObject({
  name: text(50),
  isOpen: flag(),
  claimsADay: number(1, 1_000),
  /** So many leads nobody has somebody may open on a day. */
  viewsADay: number(1, 100_000),
  capacity: number(1, 100_000),
  sparesTrial: flag(),
  /** What one holds of these levels does not count either. */
  uncountedLevels: z.array(choice(LEVELS)).max(Object.keys(LEVELS).length),
  coolDownDays: number(0, 365),
  embargoHours: number(0, 720),
  noContactDays: optional(number(1, 365)),
  /** Of leads of these levels, where those days differ. */
  noContactDaysA: optional(number(1, 365)),
  noContactDaysB: optional(number(1, 365)),
  noContactDaysC: optional(number(1, 365)),
  noContactDaysD: optional(number(1, 365)),
  noDealDays: optional(number(1, 365)),
  needsBoth: flag(),
  sparedLevels: z.array(choice(LEVELS)).max(Object.keys(LEVELS).length),
  warnDays: number(0, 30),
  /** Where what is taken back by these rules goes; here, where nothing is said. */
  returnsToId: optional(ref('lead-pool')),
  /** After so many hours in the pool, or in the hands of somebody who does not call, managers are told. */
  unclaimedHours: optional(number(1, MOST_HOURS)),
  unansweredHours: optional(number(1, MOST_HOURS)),
  claimerIds: z.array(ref('staff')).max(MAX_MEMBERS),
  /** Who look after it: days and hours of waiting are not for them. */
  adminIds: z.array(ref('staff')).max(MAX_MEMBERS),
})
export type PoolBody = z.infer<typeof poolBody>

export const poolView = z.strictObject({
  ...poolBody.shape,
  id: id(),
  isDefault: flag(),
  /** Whether whoever asks reaches all its people. */
  mayChange: flag(),
  /** Leads that wait in it now. */
  waiting: z.int(),
  version: version(),
})
export type PoolView = z.infer<typeof poolView>
