import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { holderLocked, holdingsChanged, newestEdition } from './holder.server.ts'
import {
  type Cause,
  type DaysLot,
  type Grant,
  type LotKind,
  MAX_HELD,
  membershipEnd,
  type Source,
  type SpendableLot,
  spendFrom,
} from './model.ts'
import { invariants as pauseInvariants, pausesOf } from './pauses.server.ts'

export type Granted = {
  readonly memberId: string
  readonly source: Source
  readonly grants: readonly Grant[]
  /** How many times over, as of an order line of two. */
  readonly times: number
  readonly orderLineId?: string
  readonly redemptionId?: string
  /** Agreed to by others: not the giver's own. */
  readonly applicationId?: string
  /** What it rewards: given once, whoever asks and however often. */
  readonly rewardKey?: string
  readonly note?: string
}
type Movement = {
  lotId: string
  memberId: string
  kind: LotKind
  cause: Cause
  delta: number
  note?: string | undefined
  refundId?: string | undefined
  coinOrderId?: string | undefined
}

/** Gives a member what these grants hold. Goods are not held but sent: whoever sells them asks for a shipment. */
export async function giveGrants(change: Change, given: Granted): Promise<void> {
  const { tx, now } = change
  const held = given.grants.filter((grant): grant is Grant & { kind: LotKind } => grant.kind !== 'GOODS')
  if (held.length === 0) return
  await lockHolder(change, given.memberId)
  const today = dayOf(now)
  for (const grant of held) {
    const quantity = grant.quantity * given.times
    await requireRoom(tx, given.memberId, grant.kind, quantity)
    const lot = await tx
      .insertInto('entitlement_lot')
      .values({
        member_id: given.memberId,
        kind: grant.kind,
        source: given.source,
        order_line_id: given.orderLineId ?? null,
        redemption_id: given.redemptionId ?? null,
        application_id: given.applicationId ?? null,
        reward_key: given.rewardKey ?? null,
        name: grant.name,
        quantity,
        remaining: 0,
        edition_id: grant.packageId === null ? null : await editionOf(change, grant.packageId),
        granted_on: today,
        expires_on: grant.validDays === null ? null : addDays(today, grant.validDays - 1),
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await move(change, {
      lotId: lot.id,
      memberId: given.memberId,
      kind: grant.kind,
      cause: 'GRANTED',
      delta: quantity,
      note: given.note,
    })
  }
  await keepSums(change, given.memberId)
}

/** Sums of what a member holds stay numbers a column can keep. */
async function requireRoom(tx: Tx, memberId: string, kind: LotKind, units: number): Promise<void> {
  const { held } = await tx
    .selectFrom('entitlement_lot')
    .select(eb => eb.fn.coalesce(eb.fn.sum<string>('remaining'), sql<string>`0`).as('held'))
    .where('member_id', '=', memberId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  if (Number(held) + units > MAX_HELD) throw new Refused(refuse('engines/entitlement:too-much-held', { max: MAX_HELD }))
}

/** A pupil keeps the edition of the day it was bought. */
async function editionOf({ app, tx }: Change, packageId: string): Promise<string> {
  const edition = await ask(app, newestEdition, { tx, packageId })
  if (edition === undefined) throw new Refused(refuse('engines/entitlement:package-unpublished'))
  return edition
}

type Spent = { memberId: string; kind: LotKind; units: number; note?: string; coinOrderId?: string }

/** Takes units out of the member's lots, those that end first before the others; refuses more than may be spent. */
export async function spend(change: Change, asked: Spent): Promise<void> {
  if (await spendIfThere(change, asked)) return
  const lots = await spendableLots(change, asked.memberId, asked.kind)
  const free = lots.reduce((sum, lot) => sum + lot.free, 0)
  throw new Refused(refuse('engines/entitlement:not-enough', { free: Math.max(0, free), asked: asked.units }))
}

/** The same for what has happened already and is not to be refused: says whether there was enough. */
export async function spendIfThere(change: Change, asked: Spent): Promise<boolean> {
  const { memberId, kind, units } = asked
  await lockHolder(change, memberId)
  const lots = await spendableLots(change, memberId, kind)
  // What a claw-back left below zero must be covered before anything is spent.
  const parts = lots.reduce((sum, { free }) => sum + free, 0) < units ? undefined : spendFrom(lots, units)
  if (!parts) return false
  for (const part of parts)
    await move(change, {
      lotId: part.id,
      memberId,
      kind,
      cause: 'SPENT',
      delta: -part.units,
      note: asked.note,
      coinOrderId: asked.coinOrderId,
    })
  await keepSums(change, memberId)
  return true
}

async function spendableLots({ tx, now }: Change, memberId: string, kind: LotKind): Promise<SpendableLot[]> {
  const lots = await tx
    .selectFrom('entitlement_lot')
    .select(['id', 'remaining', 'frozen', 'expires_on'])
    .where('member_id', '=', memberId)
    .where('kind', '=', kind)
    .where('remaining', '<>', 0)
    .where('held', '=', false)
    .where(eb => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', dayOf(now))]))
    .execute()
  return lots.map(lot => ({ id: lot.id, free: lot.remaining - lot.frozen, expiresOn: lot.expires_on }))
}

/** Puts what a coin order took back into the lots it came from. */
export async function giveBack(change: Change, memberId: string, coinOrderId: string): Promise<void> {
  await lockHolder(change, memberId)
  const spent = await change.tx
    .selectFrom('entitlement_entry')
    .select(['lot_id', 'kind', eb => eb.fn.sum<string>('delta').as('delta')])
    .where('coin_order_id', '=', coinOrderId)
    .groupBy(['lot_id', 'kind'])
    .execute()
  for (const { lot_id: lotId, kind, delta } of spent) {
    if (Number(delta) >= 0) continue
    await move(change, {
      lotId,
      memberId,
      kind: kind as LotKind,
      cause: 'GIVEN_BACK',
      delta: -Number(delta),
      coinOrderId,
    })
  }
  await keepSums(change, memberId)
}

/** Units of one lot a refund would take: `units` are there and are held, `debt` is already spent. */
export type LotPart = { readonly lotId: string; readonly units: number; readonly debt: number }

/** Holds what an open refund would take back, so that it cannot be spent meanwhile; with a minus, gives it free. */
export async function freeze(change: Change, memberId: string, parts: readonly LotPart[], sign: 1 | -1): Promise<void> {
  await lockHolder(change, memberId)
  for (const { lotId, units } of parts) {
    if (units > 0)
      await sql`update entitlement_lot set frozen = frozen + ${sign * units} where id = ${lotId}`.execute(change.tx)
  }
}

/** Keeps what these order lines gave from being spent, or gives it free again: the money may have gone back already. */
export async function holdLots(
  change: Change,
  memberId: string,
  orderLineIds: readonly string[],
  isHeld: boolean,
): Promise<number> {
  await lockHolder(change, memberId)
  const { numUpdatedRows } = await change.tx
    .updateTable('entitlement_lot')
    .set({ held: isHeld })
    .where('member_id', '=', memberId)
    .where('order_line_id', 'in', ['0', ...orderLineIds])
    .where('held', '=', !isHeld)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Takes held units back for good. What was spent already becomes a debt of coins; other rights cannot be owed. */
export async function takeBack(
  change: Change,
  memberId: string,
  refundId: string,
  parts: readonly LotPart[],
): Promise<void> {
  await freeze(change, memberId, parts, -1)
  for (const { lotId, units, debt } of parts) {
    if (units + debt === 0) continue
    const { kind } = await change.tx
      .selectFrom('entitlement_lot')
      .select('kind')
      .where('id', '=', lotId)
      .executeTakeFirstOrThrow()
    await move(change, {
      lotId,
      memberId,
      kind: kind as LotKind,
      cause: 'TAKEN_BACK',
      delta: -(units + debt),
      refundId,
    })
  }
  await keepSums(change, memberId)
}

/** Takes everything a redemption gave, while none of it was used. */
export async function undoRedemption(change: Change, memberId: string, redemptionId: string): Promise<void> {
  await lockHolder(change, memberId)
  const lots = await change.tx
    .selectFrom('entitlement_lot')
    .select(['id', 'kind', 'quantity', 'remaining', 'frozen'])
    .where('redemption_id', '=', redemptionId)
    .execute()
  if (lots.some(({ quantity, remaining, frozen }) => remaining !== quantity || frozen > 0))
    throw new Refused(refuse('engines/entitlement:already-used'))
  for (const lot of lots)
    await move(change, {
      lotId: lot.id,
      memberId,
      kind: lot.kind as LotKind,
      cause: 'TAKEN_BACK',
      delta: -lot.quantity,
    })
  await keepSums(change, memberId)
}

/** One line of the ledger and its lot, with what the member holds of that kind afterwards. */
async function move({ tx, now, call }: Change, movement: Movement): Promise<void> {
  const { lotId, memberId, kind, cause, delta, note = '', refundId = null, coinOrderId = null } = movement
  await sql`
    with moved as (
      update entitlement_lot set remaining = remaining + ${delta} where id = ${lotId} returning remaining
    )
    insert into entitlement_entry (lot_id, member_id, kind, cause, delta, balance_after, note, refund_id, coin_order_id, staff_id, created_at)
    select ${lotId}, ${memberId}, ${kind}, ${cause}, ${delta},
      -- The statement sees the lot as it was before.
      (select coalesce(sum(remaining), 0) from entitlement_lot where member_id = ${memberId} and kind = ${kind}) + ${delta},
      ${note}, ${refundId}, ${coinOrderId}, ${call.actor?.id ?? null}, ${now}
    from moved`.execute(tx)
}

/** What lists show of the ledger is told in the same transaction. */
export async function keepSums(change: Change, memberId: string): Promise<void> {
  const lots = await change.tx
    .selectFrom('entitlement_lot')
    .select(['id', 'kind', 'remaining', 'granted_on as grantedOn'])
    .where('member_id', '=', memberId)
    .where('kind', 'in', ['MEMBER_DAYS', 'COINS'])
    .orderBy('id')
    .execute()
  const days = lots.filter(({ kind }) => kind === 'MEMBER_DAYS') as DaysLot[]
  const coins = lots.filter(({ kind }) => kind === 'COINS').reduce((sum, { remaining }) => sum + remaining, 0)
  await announce(change, holdingsChanged, {
    memberId,
    coins,
    membershipEndsOn: membershipEnd(days, await pausesOf(change.tx, memberId)),
    everMember: days.length > 0,
  })
}

const lockHolder = ({ app, tx }: Change, memberId: string): Promise<void> => ask(app, holderLocked, { tx, memberId })

const EXPIRED_AT_ONCE = 500

/** Coins and lessons expire by the calendar, without anybody doing anything. */
const expire = defineJob({
  name: 'expire-entitlements',
  cron: '0 */10 * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { tx, now } = change
    const today = dayOf(now)
    const over = await tx
      .selectFrom('entitlement_lot')
      .select(['id', 'member_id', 'kind'])
      .where('expires_on', '<', today)
      .where('remaining', '>', 0)
      .where('kind', '<>', 'MEMBER_DAYS')
      // What an open refund holds is decided by the refund.
      .where('frozen', '=', 0)
      .orderBy('member_id')
      .limit(EXPIRED_AT_ONCE)
      .execute()
    return each(over, async lot => {
      await lockHolder(change, lot.member_id)
      // Asked again under the lock: a refund may have begun to hold it meanwhile.
      const { remaining, frozen } = await tx
        .selectFrom('entitlement_lot')
        .select(['remaining', 'frozen'])
        .where('id', '=', lot.id)
        .executeTakeFirstOrThrow()
      if (remaining <= 0 || frozen > 0) return false
      await move(change, {
        lotId: lot.id,
        memberId: lot.member_id,
        kind: lot.kind as LotKind,
        cause: 'EXPIRED',
        delta: -remaining,
      })
      return keepSums(change, lot.member_id)
    })
  },
})
export const jobs = [expire]

/** What was given and taken stays; what people wrote beside it does not. */
export const listeners = [forgets({ table: 'entitlement_entry', becomes: { note: "''" } })]

export const invariants: readonly Invariant[] = [
  ...pauseInvariants,
  {
    name: 'what is left of a lot is the sum of its ledger',
    query: `
      select l.id, l.remaining, coalesce(e.sum, 0) as ledger from entitlement_lot l
      left join (select lot_id, sum(delta) as sum from entitlement_entry group by lot_id) e on e.lot_id = l.id
      where l.remaining <> coalesce(e.sum, 0)`,
  },
  {
    name: 'no more is taken back of a lot than it gave',
    query: `
      select l.id, l.quantity, -sum(e.delta) as taken from entitlement_lot l join entitlement_entry e on e.lot_id = l.id
      where e.cause = 'TAKEN_BACK' group by l.id having -sum(e.delta) > l.quantity`,
  },
  {
    name: "the last line of a member's ledger tells what is left",
    query: `
      select e.member_id, e.kind, e.balance_after, l.sum from (
        select distinct on (member_id, kind) member_id, kind, balance_after from entitlement_entry order by member_id, kind, id desc
      ) e join (select member_id, kind, sum(remaining) as sum from entitlement_lot group by 1, 2) l using (member_id, kind)
      where e.balance_after <> l.sum`,
  },
]
