import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { streakReached, teacherOf } from '#areas/members/member/demo-learning.server.ts'
import type { Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import { digits, type Outside, type SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, owned, remembered, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import type { Row } from '#kit/server/database/database.ts'
import { counted } from './streak.model.ts'

const chance = chanceOf('members/check-in')

/** As many days in a row as earn coins. */
const RUN = 7
const REASONS = [
  '发烧请假一天',
  '外出旅行没有带笔',
  '学校运动会回家晚',
  '停电没能上传',
  '忘记提交，作业已完成',
] as const

type Practised = { id: number; day: string; coins: number; isMakeUp: boolean; at: number }

/** Days by pupil, of the daily plan: others are practised for a season. */
const practisedOf = remembered((): Map<Member, Practised[]> => new Map())

/** Coins for a row of days were told: these are the days. */
function plan(world: World): void {
  streakReached.hear(world, (at, { member, coins }) => {
    const last = dayOf(new Date(at))
    const known = practisedOf(world).get(member) ?? []
    const days = Array.from({ length: RUN }, (_, ago) => addDays(last, ago + 1 - RUN))
    const fresh = days
      .filter(day => !known.some(one => one.day === day))
      // The last was handed in when its coins came, and not later on the same day.
      .map(day => (day === last ? { ...practised(world, day, coins), at } : practised(world, day, 0)))
    practisedOf(world).set(member, [...known, ...fresh])
    return `check-in:${fresh.at(-1)?.id}`
  })
}

function practised(world: World, day: string, coins: number): Practised {
  const random = chance(world)
  const at = startOfDay(day).getTime() + 18 * HOUR_MS + random.whole(0, 230) * MINUTE_MS
  const isMakeUp = coins === 0 && random.chance(0.03)
  return { id: world.ids.next('check_in'), day, coins, isMakeUp, at: isMakeUp ? at + DAY_MS : at }
}

/** Some come every day to this day, some have stopped: whoever asks who is away finds them. */
const checkInsOf = remembered((world): readonly (readonly [Member, readonly Practised[]])[] =>
  membersOf(world).flatMap(member => {
    const known = practisedOf(world).get(member) ?? []
    const late = ledgerOf(world).sums(member.id, world.now).level === 'MEMBER' ? lately(world, member, known) : []
    const all = [...known, ...late].filter(({ at }) => at <= world.now.getTime())
    return all.length === 0 ? [] : [[member, all.sort((a, b) => (a.day < b.day ? -1 : 1))] as const]
  }),
)

function lately(world: World, member: Member, known: readonly Practised[]): Practised[] {
  const random = chance(world)
  const end = addDays(dayOf(world.now), -random.pick([0, 0, 0, 1, 1, 3, 5, 9, 16]))
  const first = dayOf(new Date(member.createdAt))
  return Array.from({ length: random.whole(2, RUN - 1) }, (_, ago) => addDays(end, -ago))
    .filter(day => day > first && !known.some(one => near(one.day, day)))
    .map(day => practised(world, day, 0))
}

/** Beside days that were rewarded a row would grow longer than its rewards. */
const near = (one: string, other: string): boolean => Math.abs(Date.parse(one) - Date.parse(other)) <= DAY_MS

/** When somebody was last seen to practise; nothing for who never did. */
export function lastPractised(world: World, member: Member): Date | null {
  const days = checkInsOf(world).find(([of]) => of === member)?.[1] ?? []
  return days.length === 0 ? null : new Date(Math.max(...days.map(({ at }) => at)))
}

function rowsOf(world: World): NewRow<'check_in'>[] {
  const random = chance(world)
  const rows = checkInsOf(world).flatMap(([member, practices]) => {
    const counts = counted(practices.map(({ day }) => day))
    const whose = {
      member_id: member.id,
      ...owned(ownerAt(member, world.now.getTime(), world.now)),
      teacher_id: teacherOf(world, member)?.id ?? null,
    }
    const newest = practices.at(-1)?.day ?? ''
    const done = practices.map(({ id, day, coins, isMakeUp, at }): NewRow<'check_in'> => {
      const { dayNo, streak } = counts.get(day) ?? { dayNo: 1, streak: 1 }
      return {
        id,
        plan: 'DAILY',
        day,
        day_no: dayNo,
        streak,
        is_make_up: isMakeUp,
        status: 'DONE',
        reason: isMakeUp ? random.pick(REASONS) : null,
        work: random.chance(0.7) ? `W${digits(random, 10)}` : null,
        reward_coins: coins,
        quiet_since: day === newest ? day : null,
        submitted_at: new Date(at),
        ...whose,
      }
    })
    return [...done, ...asking(world, random, newest, whose)]
  })
  return byTime(rows, ({ submitted_at }) => submitted_at)
}

/** A few have missed the day before yesterday and ask for it. */
function asking(
  { now, ids }: World,
  random: Random,
  newest: string,
  whose: Pick<NewRow<'check_in'>, 'member_id' | 'owner_id' | 'org_id' | 'teacher_id'>,
): NewRow<'check_in'>[] {
  const day = addDays(dayOf(now), -2)
  if (newest >= day || newest < addDays(day, -9) || !random.chance(0.3)) return []
  return [
    {
      id: ids.next('check_in'),
      plan: 'DAILY',
      day,
      day_no: 0,
      streak: 0,
      is_make_up: true,
      status: 'REQUESTED',
      reason: random.pick(REASONS),
      work: null,
      reward_coins: 0,
      quiet_since: null,
      submitted_at: new Date(now.getTime() - random.whole(1, 30) * HOUR_MS),
      ...whose,
    },
  ]
}

async function practise(_: Outside, random: Random, { id }: Row): Promise<SimulatedEvent> {
  const work = random.chance(0.7) ? { work: `W${digits(random, 10)}` } : {}
  return {
    source: 'app',
    type: 'check-in.submitted',
    data: { memberId: String(id), plan: random.pick(['DAILY', 'DAILY', 'DAILY', 'MORNING', 'POEM']), ...work },
  }
}

/** A day of the last that is still free, by somebody who has asked for none in its month. */
const FREE_DAYS = `
  select to_char(d, 'YYYY-MM-DD') as day from generate_series($2::date - 6, $2::date - 1, interval '1 day') d
  where not exists (
    select 1 from check_in c where c.member_id = $1 and c.plan = 'DAILY' and c.status <> 'REJECTED'
      and (c.day = d::date or (c.is_make_up and date_trunc('month', c.day) = date_trunc('month', d)))
  )`

async function askForDay({ db, clock }: Outside, random: Random, { id }: Row): Promise<SimulatedEvent | undefined> {
  const free = await db.read.rows(FREE_DAYS, [id, dayOf(clock.now())])
  if (free.length === 0) return undefined
  const { day } = random.pick(free)
  const reason = random.pick(REASONS)
  return {
    source: 'app',
    type: 'check-in.make-up-requested',
    data: { memberId: String(id), plan: 'DAILY', day, reason },
  }
}

export const demo: Story = {
  holds: {
    TEACHER: [...READ, 'approve', 'reject', 'tellTeacher'],
    AFTERSALES_MANAGER: ['export', 'reveal'],
    OPERATIONS: READ,
    AUDITOR: READ,
  },
  plan,
  end: world => world.rows.add('check_in', rowsOf(world)),
  scenes: [
    [practise, 16],
    [askForDay, 2],
  ],
}
