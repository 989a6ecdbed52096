import type { PoolBody } from '../../src/areas/sales/salvage/pools.model.ts'

/** A pool that nobody but the owner of before is kept from claiming in, until a test says otherwise. */
export const POOL_RULES: PoolBody = {
  name: '',
  isOpen: true,
  claimsADay: 100,
  viewsADay: 1_000,
  capacity: 100_000,
  sparesTrial: true,
  uncountedLevels: [],
  coolDownDays: 7,
  embargoHours: 0,
  noContactDays: null,
  noContactDaysA: null,
  noContactDaysB: null,
  noContactDaysC: null,
  noContactDaysD: null,
  noDealDays: null,
  needsBoth: false,
  sparedLevels: [],
  warnDays: 1,
  returnsToId: null,
  unclaimedHours: null,
  unansweredHours: null,
  claimerIds: [],
  adminIds: [],
}
