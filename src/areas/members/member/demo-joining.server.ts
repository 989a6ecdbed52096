import { PHONES, phoneAt, pupil, type Random, spellingOf } from '#demo/builders.server.ts'
import { type Colleague, LEFT_DAYS } from '#demo/organisation.server.ts'
import { rhythmUntil } from '#demo/rhythm.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, remembered } from '#demo/world.server.ts'
import type { Spelling } from '#kit/server/text/pinyin.ts'

/** In a business of the usual size. */
const MEMBERS = 1_200
/** The others look, and leave it at that. */
const BUYERS = 0.87
/** A pupil whose first year is done is looked after by the renewal consultants. */
const FIRST_YEAR_DAYS = 365

const chance = chanceOf('members/member')

export type Member = {
  readonly id: number
  readonly name: string
  readonly spelling: Spelling
  readonly guardianName: string
  readonly source: string
  readonly channel: string
  readonly phone: string
  readonly createdAt: number
  /** When the member first buys something; never, where nothing is told of it. */
  readonly buysAt: number | null
  /** First the consultant it was allocated to; null while nobody has it. */
  readonly consultant: Colleague | null
  readonly replacement: Colleague | null
  /** Takes over after the first year; null where the consultant keeps the pupil. */
  readonly renewal: Colleague | null
  firstMembershipAt: number
  membershipUntil: number
}

/** Everybody who joins within the two years, oldest first. */
export const membersOf = remembered((world): readonly Member[] => {
  const random = chance(world)
  const rhythm = rhythmUntil(world.now)
  const people = staffOf(world.staff)
  const count = Math.round(MEMBERS * world.scale)
  // Came before all others, and is gone.
  world.ids.named('member', CLOSED)
  return Array.from({ length: count }, (_, index) =>
    newcomer(random, people, rhythm.at(random.fraction()), index < count * BUYERS, world.now),
  )
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((member, index) => ({ ...member, id: world.ids.next('member'), phone: phoneAt(PHONES.member + index) }))
})

/** By which other stories name the member whose account was closed. */
export const CLOSED = 'closed'

type People = { consultants: Colleague[]; renewals: Colleague[] }

function staffOf(staff: readonly Colleague[]): People {
  const sellers = staff.filter(({ role }) => role === 'SALES')
  return {
    consultants: sellers.filter(({ org }) => org.startsWith('SALES_')),
    renewals: sellers.filter(({ org }) => org.startsWith('AFTERSALES_')),
  }
}

function newcomer(
  random: Random,
  { consultants, renewals }: People,
  firstWishAt: number,
  buys: boolean,
  now: Date,
): Omit<Member, 'id' | 'phone'> {
  const createdAt = firstWishAt - (random.chance(0.7) ? random.whole(2, 90) * MINUTE_MS : random.whole(2, 72) * HOUR_MS)
  const left = now.getTime() - LEFT_DAYS * DAY_MS
  const free = consultants.filter(({ enabled }) => enabled || createdAt < left)
  const unallocated = now.getTime() - createdAt < 5 * DAY_MS && random.chance(0.25)
  const consultant = unallocated ? null : random.pick(free)
  const replacement =
    consultant && !consultant.enabled
      ? random.pick(consultants.filter(({ org, enabled }) => enabled && org === consultant.org))
      : null
  const { name, guardianName } = pupil(random)
  const source = random.weighted([
    ['DOUYIN', 40],
    ['XIAOHONGSHU', 16],
    ['WECHAT_SHOP', 14],
    ['APP', 14],
    ['SCHOOL', 8],
    ['REFERRAL', 8],
  ])
  return {
    name,
    spelling: spellingOf(name),
    guardianName,
    source,
    channel: channelOf(random, source),
    createdAt,
    buysAt: buys ? firstWishAt : null,
    consultant,
    replacement,
    renewal: random.chance(0.4) ? random.pick(renewals) : null,
    firstMembershipAt: Number.POSITIVE_INFINITY,
    membershipUntil: 0,
  }
}

/** Days of membership were bought, and follow those bought before. */
export function prolong(member: Member, at: number, days: number): void {
  member.firstMembershipAt = Math.min(member.firstMembershipAt, at)
  member.membershipUntil = Math.max(member.membershipUntil, at) + days * DAY_MS
}

/** Everybody who looked after the member, with the time they began. */
export function ownersOf(member: Member, now: Date): { readonly at: number; readonly owner: Colleague }[] {
  const { consultant, replacement, renewal, createdAt, firstMembershipAt } = member
  if (!consultant) return []
  const renewedAt = firstMembershipAt + FIRST_YEAR_DAYS * DAY_MS
  const leftAt = now.getTime() - LEFT_DAYS * DAY_MS
  return [
    { at: createdAt, owner: consultant },
    // Whoever has gone to the renewal consultants by then does not come back.
    ...(replacement && !(renewal && renewedAt <= leftAt) ? [{ at: leftAt, owner: replacement }] : []),
    ...(renewal && renewedAt <= now.getTime() ? [{ at: renewedAt, owner: renewal }] : []),
  ]
}

/** Who looked after the member at a time; asked for now, this is the owner. */
export const ownerAt = (member: Member, at: number, now: Date): Colleague | null =>
  ownersOf(member, now).findLast(since => since.at <= at)?.owner ?? null

/** Where a pupil came from in more detail than the source tells. */
export function channelOf(random: Random, source: string): string {
  if (source === 'DOUYIN') return random.chance(0.6) ? 'DOUYIN_LIVE' : 'DOUYIN_VIDEO'
  return CHANNELS[source] ?? 'OTHER'
}

const CHANNELS: Readonly<Record<string, string>> = {
  XIAOHONGSHU: 'XIAOHONGSHU_NOTE',
  WECHAT_SHOP: 'WECHAT_SHOP',
  SCHOOL: 'SCHOOL',
  REFERRAL: 'REFERRAL',
  APP: 'STORE',
}
