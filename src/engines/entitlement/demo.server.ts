import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Story } from '#demo/story.server.ts'
import { defineWord, MINUTE_MS, remembered, type World } from '#demo/world.server.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import {
  daysUsed,
  type Grant,
  type LotKind,
  membershipEnd,
  type Pause,
  pausedDays,
  periodsOf,
  REWARD_DAYS,
  type Source,
  spendFrom,
} from './model.ts'
import type { LotPart } from './server.ts'
import type { LotUsage } from './usage.server.ts'

type Lot = {
  readonly id: number
  readonly memberId: number
  readonly kind: LotKind
  readonly source: Source
  readonly lineId: number | null
  readonly redemptionId: number | null
  readonly applicationId: number | null
  readonly rewardKey: string | null
  readonly name: string
  readonly quantity: number
  readonly editionId: number | null
  readonly grantedOn: string
  readonly expiresOn: string | null
  readonly createdAt: number
  remaining: number
  frozen: number
  /** Used up by lessons or bought with, less what came back. */
  spent: number
}

type Given = {
  readonly memberId: number
  readonly source: Source
  readonly grants: readonly Grant[]
  readonly times: number
  readonly lineId?: number
  readonly redemptionId?: number
  readonly applicationId?: number
  readonly rewardKey?: string | undefined
  readonly note?: string
  readonly staffId?: string
}
type Moved = {
  readonly note?: string | undefined
  readonly refundId?: number
  readonly coinOrderId?: number
  readonly staffId?: string | undefined
}

/** What members hold, moved by the rules of engines/entitlement and entered line by line. */
export type Ledger = {
  give(at: number, given: Given): void
  /** Says whether there was enough. */
  spend(at: number, memberId: number, kind: LotKind, units: number, moved?: Moved): boolean
  giveBack(at: number, coinOrderId: number): void
  freeze(parts: readonly LotPart[], sign: 1 | -1, at: number): void
  takeBack(at: number, parts: readonly LotPart[], refundId: number): void
  /** Takes everything a code gave, unless something of it was used; says whether it did. */
  undo(at: number, redemptionId: number, staffId: string): boolean
  usage(memberId: number, lineIds: readonly number[], at: number): LotUsage[]
  freeOf(memberId: number, kind: LotKind, at: number): number
  /** From then on the membership stands still, as the request asked. */
  pause(at: number, paused: Paused): void
  /** What lists show beside a member. */
  sums(
    memberId: number,
    now: Date,
  ): {
    membership_ends_on: string | null
    coins: number
    level: 'TRIAL' | 'MEMBER' | 'EXPIRED'
    is_paused: boolean
  }
  /** From then on a course is given in this edition. */
  publish(packageId: number, edition: Edition): void
  store(): void
}

type Paused = Pause & { readonly memberId: number; readonly applicationId: number }
type Edition = { readonly id: number; readonly at: number }

/** A member got days of membership. */
export const daysGiven = defineWord<{ readonly memberId: number; readonly source: Source }>()

export const ledgerOf: (world: World) => Ledger = remembered(openLedger)

function openLedger(world: World): Ledger {
  const { ids, agenda, rows } = world
  const editions = new Map<string, Edition[]>()
  const lots: Lot[] = []
  const byId = new Map<number, Lot>()
  const byMember = new Map<number, Lot[]>()
  const pauses = new Map<number, readonly Pause[]>()
  const pausesOf = (memberId: number): readonly Pause[] => pauses.get(memberId) ?? []
  const entries = rows.of('entitlement_entry')
  const spentFor = new Map<number, NewRow<'entitlement_entry'>[]>()
  const of = (memberId: number): Lot[] => byMember.get(memberId) ?? []
  const lotOf = (id: string | number): Lot => byId.get(Number(id)) as Lot

  const move = (
    at: number,
    lot: Lot,
    cause: NewRow<'entitlement_entry'>['cause'],
    delta: number,
    moved: Moved = {},
  ) => {
    lot.remaining += delta
    if (cause === 'SPENT' || cause === 'GIVEN_BACK') lot.spent -= delta
    const entry: NewRow<'entitlement_entry'> = {
      id: ids.next('entitlement_entry'),
      lot_id: lot.id,
      member_id: lot.memberId,
      kind: lot.kind,
      cause,
      delta,
      balance_after: of(lot.memberId).reduce((sum, one) => sum + (one.kind === lot.kind ? one.remaining : 0), 0),
      note: moved.note ?? '',
      refund_id: moved.refundId ?? null,
      coin_order_id: moved.coinOrderId ?? null,
      staff_id: moved.staffId ?? null,
      created_at: new Date(at),
    }
    entries.push(entry)
    if (cause === 'SPENT' && moved.coinOrderId !== undefined)
      spentFor.set(moved.coinOrderId, [...(spentFor.get(moved.coinOrderId) ?? []), entry])
  }

  /** The newest one then: a pupil keeps it. */
  const editionAt = (packageId: string, at: number): number => {
    const published = editions.get(packageId) ?? []
    const edition = published.findLast(one => one.at <= at) ?? published[0]
    if (!edition) throw new Error(`the demo business has not published the course ${packageId}`)
    return edition.id
  }

  const expire = (at: number, lot: Lot) => {
    const isOver = lot.kind !== 'MEMBER_DAYS' && lot.expiresOn !== null && lot.expiresOn < dayOf(new Date(at))
    if (isOver && lot.remaining > 0 && lot.frozen === 0) move(at, lot, 'EXPIRED', -lot.remaining)
  }

  const spendable = (memberId: number, kind: LotKind, at: number) =>
    of(memberId)
      .filter(lot => lot.kind === kind && (lot.expiresOn === null || lot.expiresOn >= dayOf(new Date(at))))
      .map(lot => ({ id: String(lot.id), free: lot.remaining - lot.frozen, expiresOn: lot.expiresOn }))

  return {
    give(at, { grants, times, ...given }) {
      const today = dayOf(new Date(at))
      for (const grant of grants) {
        if (grant.kind === 'GOODS') continue
        const lot: Lot = {
          id: ids.next('entitlement_lot'),
          memberId: given.memberId,
          kind: grant.kind,
          source: given.source,
          lineId: given.lineId ?? null,
          redemptionId: given.redemptionId ?? null,
          applicationId: given.applicationId ?? null,
          rewardKey: given.rewardKey ?? null,
          name: grant.name,
          quantity: grant.quantity * times,
          editionId: grant.packageId === null ? null : editionAt(grant.packageId, at),
          grantedOn: today,
          expiresOn: grant.validDays === null ? null : addDays(today, grant.validDays - 1),
          createdAt: at,
          remaining: 0,
          frozen: 0,
          spent: 0,
        }
        lots.push(lot)
        byId.set(lot.id, lot)
        byMember.set(lot.memberId, [...of(lot.memberId), lot])
        move(at, lot, 'GRANTED', lot.quantity, { note: given.note, staffId: given.staffId })
        if (lot.expiresOn !== null)
          agenda.at(startOfDay(addDays(lot.expiresOn, 1)).getTime() + 5 * MINUTE_MS, then => expire(then, lot))
        if (lot.kind === 'MEMBER_DAYS') daysGiven.tell(world, at, lot)
      }
    },
    spend(at, memberId, kind, units, moved) {
      const parts = spendFrom(spendable(memberId, kind, at), units)
      for (const part of parts ?? []) move(at, lotOf(part.id), 'SPENT', -part.units, moved)
      return parts !== undefined
    },
    giveBack(at, coinOrderId) {
      for (const entry of spentFor.get(coinOrderId) ?? []) {
        const lot = lotOf(entry.lot_id)
        move(at, lot, 'GIVEN_BACK', -entry.delta, { coinOrderId })
        expire(at, lot)
      }
    },
    freeze(parts, sign, at) {
      for (const { lotId, units } of parts) {
        lotOf(lotId).frozen += sign * units
        expire(at, lotOf(lotId))
      }
    },
    takeBack(at, parts, refundId) {
      for (const { lotId, units, debt } of parts) {
        const lot = lotOf(lotId)
        lot.frozen -= units
        if (units + debt > 0) move(at, lot, 'TAKEN_BACK', -(units + debt), { refundId })
        expire(at, lot)
      }
    },
    undo(at, redemptionId, staffId) {
      const given = lots.filter(one => one.redemptionId === redemptionId)
      if (given.some(({ remaining, quantity, frozen }) => remaining !== quantity || frozen > 0)) return false
      for (const lot of given) move(at, lot, 'TAKEN_BACK', -lot.quantity, { staffId })
      return true
    },
    usage: (memberId, lineIds, at) => usageOf(of(memberId), pausesOf(memberId), lineIds, dayOf(new Date(at))),
    freeOf: (memberId, kind, at) =>
      Math.max(
        0,
        spendable(memberId, kind, at).reduce((sum, { free }) => sum + free, 0),
      ),
    pause(at, { memberId, applicationId, startsOn, endsOn }) {
      pauses.set(memberId, [...pausesOf(memberId), { startsOn, endsOn }])
      const about = { member_id: memberId, application_id: applicationId, created_at: new Date(at) }
      rows.add('entitlement_pause', [
        { id: ids.next('entitlement_pause'), ...about, starts_on: startsOn, ends_on: endsOn },
      ])
    },
    sums(memberId, now) {
      const days = of(memberId).filter(({ kind }) => kind === 'MEMBER_DAYS')
      const end = membershipEnd(days.map(daysLot), pausesOf(memberId))
      return {
        membership_ends_on: end,
        coins: of(memberId).reduce((sum, lot) => sum + (lot.kind === 'COINS' ? lot.remaining : 0), 0),
        level: end !== null && end >= dayOf(now) ? 'MEMBER' : days.length > 0 ? 'EXPIRED' : 'TRIAL',
        is_paused: pausedDays(pausesOf(memberId), dayOf(now), dayOf(now)) > 0,
      }
    },
    publish(packageId, edition) {
      editions.set(String(packageId), [...(editions.get(String(packageId)) ?? []), edition])
    },
    store: () => rows.add('entitlement_lot', lots.map(lotRow)),
  }
}

const daysLot = ({ id, grantedOn, remaining }: Lot) => ({ id: String(id), grantedOn, remaining })

/** The same answer as usageOf of engines/entitlement, from the lots as they stand. */
function usageOf(
  lots: readonly Lot[],
  pauses: readonly Pause[],
  lineIds: readonly number[],
  today: string,
): LotUsage[] {
  const periods = new Map(
    periodsOf(lots.filter(({ kind }) => kind === 'MEMBER_DAYS').map(daysLot), pauses).map(period => [
      period.id,
      period,
    ]),
  )
  return lots.flatMap((lot): LotUsage[] => {
    if (lot.lineId === null || !lineIds.includes(lot.lineId)) return []
    const { kind, name } = lot
    const about = { lotId: String(lot.id), orderLineId: String(lot.lineId), kind, name }
    const free = Math.max(0, lot.remaining - lot.frozen)
    if (kind === 'MEMBER_DAYS') {
      const period = periods.get(String(lot.id))
      const usedUnits = period ? daysUsed(period, today, pauses) : 0
      return [{ ...about, usedUnits, totalUnits: lot.quantity, leftUnits: Math.max(0, free - usedUnits) }]
    }
    if (kind === 'COURSE') {
      const course = { id: '', startsOn: lot.grantedOn, endsOn: lot.expiresOn ?? lot.grantedOn }
      const [usedUnits, totalUnits] =
        lot.expiresOn === null ? [0, 1] : [daysUsed(course, today), daysUsed(course, course.endsOn)]
      return [{ ...about, usedUnits, totalUnits, leftUnits: free }]
    }
    return [{ ...about, usedUnits: lot.spent, totalUnits: lot.quantity, leftUnits: free }]
  })
}

const lotRow = (lot: Lot) => ({
  id: lot.id,
  member_id: lot.memberId,
  kind: lot.kind,
  source: lot.source,
  order_line_id: lot.lineId,
  redemption_id: lot.redemptionId,
  application_id: lot.applicationId,
  reward_key: lot.rewardKey,
  name: lot.name,
  quantity: lot.quantity,
  remaining: lot.remaining,
  frozen: lot.frozen,
  edition_id: lot.editionId,
  granted_on: lot.grantedOn,
  expires_on: lot.expiresOn,
  created_at: new Date(lot.createdAt),
})

export const demo: Story = { end: world => ledgerOf(world).store() }

/** Coins as the business gives them for something done. */
export const coinsFor = (name: string, quantity: number): Grant => ({
  kind: 'COINS',
  quantity,
  validDays: REWARD_DAYS,
  sharePermille: 1_000,
  packageId: null,
  kitId: null,
  name,
})
