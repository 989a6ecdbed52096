import { type Address, addressOf } from '#demo/builders.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { chanceOf, DAY_MS, defineWord, HOUR_MS, MINUTE_MS, remembered, type World } from '#demo/world.server.ts'
import { coinsFor, daysGiven, ledgerOf } from '#engines/entitlement/demo.server.ts'
import { type Member, membersOf, ownerAt } from './demo-joining.server.ts'

/** In a business of the usual size. */
const GIFTS = 60

const chance = chanceOf('members/member: learning')

/** A pupil came to a lesson. */
export const lessonTaken = defineWord<{ readonly member: Member }>()

/** A pupil has practised so many days in a row that there are coins for it; told back is what they reward. */
export const streakReached = defineWord<{ readonly member: Member; readonly coins: number }, string>()

/** A consultant wants a thing from the shelf sent as a gift. */
export const goodsGiven = defineWord<{
  readonly member: Member
  readonly giver: Colleague
  readonly sku: string
  readonly quantity: number
  readonly address: Address
}>()

type School = {
  readonly keen: Map<number, boolean>
  readonly learning: Set<number>
  /** Lessons each has taken. */
  readonly taken: Map<number, number>
}
const schoolOf = remembered((): School => ({ keen: new Map(), learning: new Set(), taken: new Map() }))

/** What pupils do with what they hold, as long as their membership lasts: they come to lessons, and earn coins by checking in. */
export function planLearning(world: World): void {
  const random = chance(world)
  const { keen, learning } = schoolOf(world)
  const members = new Map(membersOf(world).map(member => [member.id, member]))
  daysGiven.hear(world, (at, { memberId, source }) => {
    const member = members.get(memberId)
    if (!member || source !== 'ORDER' || learning.has(memberId)) return
    keen.set(memberId, keen.get(memberId) ?? random.chance(0.7))
    if (!keen.get(memberId)) return
    learning.add(memberId)
    comeAgain(world, member, at + 3 * DAY_MS)
  })
}

function comeAgain(world: World, member: Member, at: number): void {
  const random = chance(world)
  world.agenda.at(evening(random.whole(0, 180), at), then => {
    if (ledgerOf(world).sums(member.id, new Date(then)).level !== 'MEMBER') {
      schoolOf(world).learning.delete(member.id)
      return
    }
    learn(world, member, then)
    comeAgain(world, member, at + random.whole(18, 48) * DAY_MS)
  })
}

/** After homework, so many minutes past seven in Shanghai. */
const evening = (minutes: number, at: number): number => at - (at % DAY_MS) + 11 * HOUR_MS + minutes * MINUTE_MS

function learn(world: World, member: Member, at: number): void {
  const random = chance(world)
  const ledger = ledgerOf(world)
  takePart(world, member, at)
  if (random.chance(0.06)) ledger.spend(at, member.id, 'APPOINTMENTS', 1, { note: '一对一指导' })
  if (random.chance(0.35)) {
    const quantity = 10 * random.whole(2, 12)
    const [rewardKey] = streakReached.tell(world, at, { member, coins: quantity })
    ledger.give(at, {
      memberId: member.id,
      source: 'REWARD',
      grants: [coinsFor('打卡金币', quantity)],
      times: 1,
      rewardKey,
      note: '连续打卡奖励',
    })
  }
  lessonTaken.tell(world, at, { member })
}

const LIVE_LESSONS = [
  '起笔与收笔',
  '横画的轻重',
  '竖画的挺直',
  '撇捺的舒展',
  '左右结构',
  '上下结构',
  '章法与留白',
  '临帖答疑',
]

/** The lesson of that evening, for which one of the pupil's is spent while there is one. */
function takePart(world: World, member: Member, at: number): void {
  const { taken } = schoolOf(world)
  const nth = taken.get(member.id) ?? 0
  taken.set(member.id, nth + 1)
  const title = LIVE_LESSONS[nth % LIVE_LESSONS.length] as string
  const isSpent = ledgerOf(world).spend(at, member.id, 'LESSONS', 1, { note: title })
  world.rows.add('lesson_taken', [
    {
      member_id: member.id,
      lesson: `live-${member.id}-${nth + 1}`,
      title,
      kind: 'LIVE',
      percent: 100,
      status: isSpent ? 'COUNTED' : 'FREE',
      begun_at: new Date(at),
      last_at: new Date(at),
      counted_at: isSpent ? new Date(at) : null,
    },
  ])
}

/** Whoever has bought something has a teacher: told when the two years are over. */
export function teacherOf(world: World, member: Member): Colleague | null {
  const teachers = world.staff.filter(({ role }) => role === 'TEACHER')
  return ledgerOf(world).sums(member.id, world.now).level === 'TRIAL'
    ? null
    : (teachers[member.id % teachers.length] ?? null)
}

const THANKS = ['生日礼物', '转介绍感谢', '作品入选展览', '补偿直播课故障'] as const

/** Consultants give some days, some coins, or a thing from the shelf: each with a reason, within their allowance. */
export function planGifts(world: World): void {
  const { agenda, now, scale } = world
  const random = chance(world)
  const members = membersOf(world)
  for (let nth = 0; nth < Math.round(GIFTS * scale) && members.length > 0; nth += 1) {
    const member = random.pick(members)
    const at = member.createdAt + Math.floor((now.getTime() - member.createdAt) * (0.1 + 0.88 * random.fraction()))
    agenda.at(at, then => give(world, member, nth, then))
  }
}

function give(world: World, member: Member, nth: number, at: number): void {
  const random = chance(world)
  const giver = ownerAt(member, at, world.now)
  if (!giver) return
  const reason = random.pick(THANKS)
  if (nth % 3 === 0) {
    const quantity = random.whole(1, 3)
    goodsGiven.tell(world, at, { member, giver, sku: 'STICKER', quantity, address: addressOf(random) })
    return
  }
  const days = nth % 3 === 1
  const quantity = days ? random.whole(3, 7) : 10 * random.whole(1, 5)
  const grant = {
    ...coinsFor('赠送', quantity),
    kind: days ? ('MEMBER_DAYS' as const) : ('COINS' as const),
    validDays: null,
  }
  const given = { memberId: member.id, grants: [grant], times: 1, note: reason, staffId: giver.id }
  ledgerOf(world).give(at, { ...given, source: 'GIFT' })
}
