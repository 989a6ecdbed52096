import { raiseNotice } from '#areas/live/refund-notice/notice.server.ts'
import { findMember, type KnownMember } from '#areas/members/member/known.server.ts'
import { lockNames, membersNamed } from '#engines/identity/names.server.ts'
import { lockPhones } from '#engines/lead/known.server.ts'
import { fen } from '#kit/model/money.ts'
import type { Change } from '#kit/server/app.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { refreshOthers, writeException } from './exceptions.server.ts'
import {
  type Certificate,
  type FactName,
  type Facts,
  isOwed,
  leadPhoneOf,
  lentIn,
  numbersOf,
  statusOf,
  timeOf,
  told,
  type Verified,
  valueIn,
} from './facts.model.ts'
import { holdWhatItGave, openCourse } from './opening.server.ts'
import { type Platform, screenOf, shopOf } from './platforms.server.ts'
import { lockedRow, lockOrderTold, type PlatformRow } from './row.server.ts'
import { leadOfBuyer, tellBought } from './touching.server.ts'

export type Said = {
  readonly platform: Platform
  readonly orderNo: string
  /** When it was so, by the clock of whoever tells. */
  readonly at: Date
  readonly facts: Readonly<Partial<Record<FactName, unknown>>>
  /** When it was paid, where that is told with something later. */
  readonly paidAt?: Date | undefined
  /** The member it names by our id. */
  readonly memberId?: string | undefined
  /** What the timeline calls it. */
  readonly action: string
}

/** What a platform or the app tells of an order, whatever came before or is still to come. */
export async function hear(
  change: Change,
  said: Said,
): Promise<{ row: PlatformRow; isNews: (name: FactName) => boolean }> {
  const { tx, now } = change
  const { platform, orderNo } = said
  await lockNames(tx, said.facts)
  await lockOrderTold(tx, platform, orderNo)
  const before = await tx
    .selectFrom('platform_order')
    .select(['id', 'facts', 'member_id'])
    .where('platform', '=', platform)
    .where('order_no', '=', orderNo)
    .executeTakeFirst()
  const known = (before?.facts ?? {}) as Facts
  // A clock that runs ahead of ours tells nothing of a time that has not come.
  const notAhead = (time: Date) => new Date(Math.min(time.getTime(), now.getTime())).toISOString()
  const at = notAhead(said.at)
  let facts = told(known, at, said.facts)
  if (said.paidAt) facts = told(facts, notAhead(said.paidAt), { paid: true })
  // Also those it was known by before: orders under one number are judged together.
  await lockPhones(change, [...numbersOf(known), ...numbersOf(facts)])
  const found = await memberOf(change, facts, before?.member_id ?? said.memberId)
  const since = found && (await memberSince(tx, said, at, facts, found))
  if (since !== undefined) facts = told(facts, since, { registered: true })
  const id =
    before?.id ??
    (
      await tx
        .insertInto('platform_order')
        .values({ platform, order_no: orderNo, status: 'UNPAID', created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const row = await settle(change, await lockedRow(tx, id), facts, found?.member, said.action)
  return { row, isNews: name => known[name] === undefined && facts[name] !== undefined }
}

/**
 * Since when it is the member's: by our id or a number in what is told now, or by what the platform calls the person, whenever
 * either side told of that. What was told before has been counted, what comes later will be, and the earliest stands.
 */
async function memberSince(tx: Tx, said: Said, at: string, facts: Facts, { member, phone, since }: Found) {
  const isNamed = said.memberId === member.id || numbersOf(told({}, at, said.facts)).includes(phone)
  const identities = await identitiesOf(tx, facts)
  const times = identities
    .filter(({ member_id: id }) => id === member.id)
    .map(({ kind, told_at: recognised }) =>
      later(timeOf(facts, kind === 'UNIONID' ? 'unionid' : 'state') ?? at, new Date(recognised).toISOString()),
    )
  const [first] = [...times, ...(isNamed ? [at] : [])].sort()
  return first === undefined ? undefined : later(first, since)
}

const later = (one: string, other: string): string => (Date.parse(one) < Date.parse(other) ? other : one)

type Found = { readonly member: KnownMember; readonly phone: string; readonly since: string }

/** Whose order it is: named, by a number, by what the platform calls the person, or by the link the course was claimed by. */
async function memberOf({ tx }: Change, facts: Facts, memberId: string | undefined): Promise<Found | undefined> {
  const known = async (by: { memberId?: string; phone?: string }): Promise<Found | undefined> => {
    const member = await findMember(tx, by)
    if (!member) return undefined
    const { created_at: since, phone } = await tx
      .selectFrom('member')
      .select(['created_at', 'phone'])
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    return { member, phone: phone ?? '', since: new Date(since).toISOString() }
  }
  if (memberId !== undefined) return known({ memberId })
  for (const phone of numbersOf(facts)) {
    const found = await known({ phone })
    if (found) return found
  }
  const [identity] = await identitiesOf(tx, facts)
  return identity && known({ memberId: identity.member_id })
}

/** Who the app says the platform means, the person's own name first. */
const identitiesOf = (tx: Tx, facts: Facts) =>
  membersNamed(tx, {
    unionid: valueIn<string>(facts, 'unionid') ?? undefined,
    state: valueIn<string>(facts, 'state') ?? undefined,
  })

/** Makes the row what all that was told comes to, and does what follows from it: the course, what is held, the notice. */
export async function settle(
  change: Change,
  row: PlatformRow,
  facts: Facts,
  member: KnownMember | undefined,
  action: string,
): Promise<PlatformRow> {
  const { tx } = change
  const isBound = member !== undefined
  const orderId = row.order_id ?? (member && isOwed(facts) ? await openCourse(change, row, facts, member) : null)
  const isRefunded = facts.refunded !== undefined
  const frozen = row.frozen || (isRefunded && orderId !== null && member !== undefined)
  // Again each time: what it gave may have come since.
  if (frozen) await holdWhatItGave(change, orderId, member?.id, true)
  const next = {
    ...columns(facts, isBound),
    memberId: member?.id ?? null,
    ownerId: member?.ownerId ?? null,
    orderId,
    frozen,
    ...verifyOf(row, facts),
    ...(row.platform === 'XIAOHONGSHU' ? { chatAdded: facts.chatAdded !== undefined } : {}),
  }
  await tx
    .updateTable('platform_order')
    .set({
      facts: JSON.stringify(facts),
      org_id: member?.orgId ?? null,
      unionid: valueIn<string>(facts, 'unionid'),
      claim_state: valueIn<string>(facts, 'state'),
    })
    .where('id', '=', row.id)
    .execute()
  const before = shownOf(row)
  const changed = Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(before[name as keyof typeof before], value)),
  )
  if (Object.keys(changed).length > 0) await writeChange(change, screenOf(row.platform), before, changed, action)
  if (member && ('memberId' in changed || 'paidAt' in changed)) await tellBought(change, row, facts, member.id)
  if (!member && ('leadPhone' in changed || 'paidAt' in changed)) await leadOfBuyer(change, row, facts)
  const settled = await lockedRow(tx, row.id)
  await writeException(change, settled)
  for (const phone of new Set([row.lead_phone, settled.lead_phone])) await refreshOthers(change, settled, phone)
  const registeredPhone = valueIn<string>(facts, 'registeredPhone')
  if (isRefunded)
    await raiseNotice(change, {
      source: shopOf(row.platform),
      orderNo: row.order_no,
      // One that only forwards leads to nobody: the notice would name whoever has it by now.
      leadPhone: next.phoneKind === 'VIRTUAL' ? null : next.leadPhone,
      phone: registeredPhone === lentIn(facts) ? null : registeredPhone,
      member,
    })
  return lockedRow(tx, row.id)
}

const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(one)
    ? Date.parse(one) === Date.parse(other)
    : (one ?? null) === (other ?? null)

const columns = (facts: Facts, isBound: boolean) => ({
  status: statusOf(facts, isBound),
  productName: valueIn<string>(facts, 'productName'),
  skuId: valueIn<string>(facts, 'skuId'),
  amountFen: valueIn<number>(facts, 'amountFen'),
  platformStatus: valueIn<string>(facts, 'platformStatus'),
  afterSale: valueIn<string>(facts, 'afterSale'),
  refundState: facts.refunded ? 'REFUNDED' : valueIn<boolean>(facts, 'refundAsked') ? 'ASKED' : 'NONE',
  refundedFen: valueIn<number>(facts, 'refundedFen'),
  author: valueIn<string>(facts, 'author'),
  room: valueIn<string>(facts, 'room'),
  ...leadPhoneOf(facts),
  paidAt: timeOf(facts, 'paid'),
  claimedAt: timeOf(facts, 'claimed'),
  registeredAt: timeOf(facts, 'registered'),
  refundedAt: timeOf(facts, 'refunded'),
})

/** What the platform says of the certificate; while it is being asked, only news is its answer. */
function verifyOf(row: PlatformRow, facts: Facts) {
  if (row.platform !== 'DOUYIN') return {}
  const last4 = valueIn<Certificate>(facts, 'certificate')?.last4 ?? null
  const verified = valueIn<Verified>(facts, 'verified')
  const known = row.facts as Facts
  const isNews = (['verified', 'verifyId'] as const).some(
    name => JSON.stringify(facts[name]) !== JSON.stringify(known[name]),
  )
  if (!verified || !isNews) return { last4 }
  return verified.isOn
    ? {
        last4,
        verifyState: 'VERIFIED',
        verifiedAt: timeOf(facts, 'verified'),
        verifyId: verified.verifyId ?? valueIn<string>(facts, 'verifyId'),
        verifyError: null,
      }
    : { last4, verifyState: 'NONE', verifiedAt: null, verifyId: null, verifyError: null }
}

/** The row by the names of its record. */
const shownOf = (row: PlatformRow) => ({
  id: row.id,
  status: row.status,
  productName: row.product_name,
  skuId: row.sku_id,
  amountFen: row.amount_fen === null ? null : fen(row.amount_fen),
  platformStatus: row.platform_status,
  afterSale: row.after_sale,
  refundState: row.refund_state,
  refundedFen: row.refunded_fen === null ? null : fen(row.refunded_fen),
  author: row.author,
  room: row.room,
  leadPhone: row.lead_phone,
  phoneKind: row.phone_kind,
  paidAt: row.paid_at,
  claimedAt: row.claimed_at,
  registeredAt: row.registered_at,
  refundedAt: row.refunded_at,
  memberId: row.member_id,
  ownerId: row.owner_id,
  orderId: row.order_id,
  frozen: row.frozen,
  chatAdded: row.chat_added,
  last4: row.last4,
  verifyState: row.verify_state,
  verifiedAt: row.verified_at,
  verifyId: row.verify_id,
  verifyError: row.verify_error,
})
