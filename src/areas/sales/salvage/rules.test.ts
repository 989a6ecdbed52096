import { describe, expect, test } from 'vitest'
import { type ClaimRules, whyNotClaim } from './claiming.model.ts'
import { whyNotView } from './viewing.model.ts'

const NOW = Date.parse('2026-11-17T10:00:00+08:00')
const member = { isAdmin: false, claimed: 0, held: 0, extra: 0 }
const pool = (more: Partial<ClaimRules> = {}, person: Partial<typeof member> = {}): ClaimRules => ({
  name: '公海',
  isOpen: true,
  claimsADay: 3,
  capacity: 5,
  coolDownDays: 7,
  embargoHours: 24,
  members: new Map([['1', { ...member, ...person }]]),
  ...more,
})
const lead = { pooledAt: '2026-11-10T09:00:00+08:00', timesReturned: 1, previousOwnerId: '2' }
const why = (row: Partial<typeof lead>, rules: ClaimRules | null, id = '1') =>
  whyNotClaim({ ...lead, ...row }, { id }, { nowMs: NOW, pool: rules })?.code

describe('a lead in the pool', () => {
  test.each([
    ['is anybody’s of the pool', {}, pool(), undefined],
    ['is for those of the pool', {}, pool({ members: new Map() }), 'not-in-pool'],
    ['waits where the pool is switched off', {}, pool({ isOpen: false }), 'pool-closed'],
    ['is not for who has claimed enough today', {}, pool({}, { claimed: 3 }), 'claimed-enough'],
    ['is for who was granted more claims for today', {}, pool({}, { claimed: 3, extra: 1 }), undefined],
    ['is not for who has claimed those too', {}, pool({}, { claimed: 4, extra: 1 }), 'claimed-enough'],
    ['is for who has one claim left', {}, pool({}, { claimed: 2 }), undefined],
    ['is not for who has enough to do', {}, pool({}, { held: 5 }), 'holds-enough'],
    ['is for who has room for one', {}, pool({}, { held: 4 }), undefined],
    [
      'cools down for who had it',
      { previousOwnerId: '1', pooledAt: '2026-11-10T10:00:01+08:00' },
      pool(),
      'cooling-down',
    ],
    [
      'is for who had it once it has cooled down',
      { previousOwnerId: '1', pooledAt: '2026-11-10T10:00:00+08:00' },
      pool(),
      undefined,
    ],
    ['that is new is protected', { timesReturned: 0, pooledAt: '2026-11-16T10:00:01+08:00' }, pool(), 'under-embargo'],
    [
      'that is new is free after its hours',
      { timesReturned: 0, pooledAt: '2026-11-16T10:00:00+08:00' },
      pool(),
      undefined,
    ],
    ['is never new again', { timesReturned: 1, pooledAt: '2026-11-17T09:59:00+08:00' }, pool(), undefined],
    [
      'does not cool down for who looks after the pool',
      { previousOwnerId: '1', timesReturned: 0 },
      pool({ coolDownDays: 30 }, { isAdmin: true }),
      undefined,
    ],
    ['counts for who looks after the pool too', {}, pool({}, { isAdmin: true, claimed: 3 }), 'claimed-enough'],
  ])('%s', (_, row, rules, code) => {
    expect(why(row, rules)).toBe(code)
  })
})

describe('a lead nobody has', () => {
  const looked = { isAdmin: false, viewsADay: 3, viewed: 2, isKnown: false }
  test.each([
    ['is opened by who has looked at fewer than the pool says', {}, undefined],
    ['is not opened by who has looked at as many today', { viewed: 3 }, 'viewed-enough'],
    ['is opened again, however many were looked at', { viewed: 3, isKnown: true }, undefined],
    ['is opened by who looks after the pool', { viewed: 300, isAdmin: true }, undefined],
  ])('%s', (_, more, code) => {
    expect(whyNotView({ ...looked, ...more })?.code).toBe(code)
  })
})
