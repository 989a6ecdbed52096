import { adultName, PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { dayOf } from '#kit/model/time.ts'
import { countTeachers } from './counting.server.ts'
import { resource } from './model.ts'

const chance = chanceOf('sales/school-teacher')
const FIRST = PHONES.lead + 60_000

const SCHOOLS = [
  '杭州市文三街小学',
  '宁波市中山小学',
  '南京市琅琊路小学分校',
  '苏州市平江实验学校',
  '无锡市梁溪第一小学',
  '温州市鹿城区南浦小学',
  '成都市锦江区盐道街小学',
  '佛山市禅城区元甲学校',
] as const
const GRADES = ['GRADE_1', 'GRADE_2', 'GRADE_3', 'GRADE_3', 'GRADE_4', 'GRADE_5', 'SEVERAL'] as const
const TEACHERS = 22
/** Those who went on to other things, in the order they came. */
const STOPPED = [3, 9, 15] as const
const RETIRED = [2, 9, 17] as const
/** While rewards were still given, before they were switched off. */
const GIVEN = { nth: 2, valueFen: 16_800, what: '钢笔礼盒', afterDays: 40 } as const

type Teacher = {
  readonly id: number
  readonly channel: string
  readonly from: number
  readonly until: number | null
  readonly weight: number
}

/** Teachers joined over the two years; each brings pupils by a channel of their own, some many and most a few. */
function end(world: World): void {
  const random = chance(world)
  const span = world.now.getTime() - world.since.getTime() - 60 * DAY_MS
  const teachers = Array.from({ length: TEACHERS }, (_, nth) => {
    const from =
      world.since.getTime() + 20 * DAY_MS + Math.floor((span * nth) / TEACHERS) + random.whole(1, 9) * HOUR_MS
    return add(world, random, nth, from)
  })
  bring(world, random, teachers)
}

function add(world: World, random: Random, nth: number, from: number): Teacher {
  const id = world.ids.next('school_teacher')
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && org.startsWith('SALES_') && enabled,
  )
  const owner = sellers[nth % sellers.length] ?? colleague(world, 'SALES')
  const isStopped = (STOPPED as readonly number[]).includes(nth)
  const until = isStopped ? from + Math.floor((world.now.getTime() - from) * 0.7) : null
  const told = {
    name: adultName(random, random.chance(0.7) ? 'F' : 'M'),
    school: SCHOOLS[nth % SCHOOLS.length] as string,
    grade: random.pick(GRADES),
  }
  const [className, hasLeft] = [`${random.whole(1, 8)} 班`, (RETIRED as readonly number[]).includes(nth)]
  const channel = `TEACHER_${id}`
  world.rows.add('school_teacher', [
    {
      id,
      ...told,
      class_name: className,
      phone: phoneAt(FIRST + nth),
      has_left: hasLeft,
      status: isStopped ? 'STOPPED' : 'ACTIVE',
      stopped_at: until === null ? null : new Date(until),
      owner_id: owner.id,
      org_id: owner.orgId,
      // Given by the database, by the number of the teacher.
      channel: null,
      link: `https://h5.inkstone.example/join?channel=${channel}`,
      rewarded_fen: nth === GIVEN.nth ? GIVEN.valueFen : 0,
      note: hasLeft ? '已退休，仍在社区带书写兴趣班' : '',
      created_at: new Date(from),
      version: isStopped || nth === GIVEN.nth ? 2 : 1,
    },
  ])
  const written = { resource, recordId: id } as const
  world.log.write({ ...written, at: from, actor: owner, action: 'create', after: { ...told, className, hasLeft } })
  if (until !== null)
    world.log.write({
      ...written,
      at: until,
      actor: world.staff.find(({ orgId, role }) => orgId === owner.orgId && role === 'SALES_MANAGER_COPY') ?? owner,
      action: 'stop',
      before: { status: 'ACTIVE' },
      after: { status: 'STOPPED' },
      reason: '老师工作调动，不再合作',
    })
  if (nth === GIVEN.nth) give(world, id, from + GIVEN.afterDays * DAY_MS)
  return { id, channel, from, until, weight: nth % 4 === 1 ? 6 : 1 }
}

function give(world: World, teacherId: number, at: number): void {
  const actor = colleague(world, 'SALES_MANAGER_COPY')
  const { valueFen, what } = GIVEN
  const reward = { teacher_id: teacherId, reward_kind: 'GIFT', value_fen: valueFen, what, was_serving: false } as const
  const when = { given_on: dayOf(new Date(at)), created_at: new Date(at) }
  world.rows.add('school_teacher_reward', [{ ...reward, ...when, by_id: actor.id }])
  const told = { before: { rewardedFen: 0 }, after: { rewardedFen: valueFen } }
  world.log.write({ resource, recordId: teacherId, at, actor, action: 'noteReward', ...told })
}

/** Most of those who came from schools came by one of the teachers there: they, their numbers and what they bought say so. */
function bring(world: World, random: Random, teachers: readonly Teacher[]): void {
  const channelAt = (at: number): string | undefined => {
    const then = teachers.filter(({ from, until }) => from < at && (until === null || at < until))
    if (then.length === 0 || random.chance(0.4)) return undefined
    return random.weighted(then.map(({ channel, weight }) => [channel, weight] as const))
  }
  const [byMember, byLead] = [new Map<number, string>(), new Map<number, string>()]
  const come = (row: { readonly channel?: string | null | undefined }, channel: string | undefined) => {
    if (row.channel === 'SCHOOL' && channel !== undefined) Object.assign(row, { channel })
  }
  for (const member of world.rows.of('member')) {
    const channel = member.channel === 'SCHOOL' ? channelAt(Number(member.created_at)) : undefined
    if (channel !== undefined) byMember.set(Number(member.id), channel)
    come(member, channel)
  }
  for (const order of world.rows.of('sales_order')) come(order, byMember.get(Number(order.member_id)))
  for (const refund of world.rows.of('refund_application')) come(refund, byMember.get(Number(refund.member_id)))
  for (const lead of world.rows.of('lead')) {
    if (lead.channel !== 'SCHOOL') continue
    const channel = lead.member_id ? byMember.get(Number(lead.member_id)) : channelAt(Number(lead.created_at))
    if (channel !== undefined) byLead.set(Number(lead.id), channel)
    come(lead, channel)
  }
  for (const table of ['lead_touch', 'lead_owner', 'lead_judgement', 'registration'] as const) {
    for (const row of world.rows.of(table)) come(row, byLead.get(Number(row.lead_id)))
  }
}

export const demo: Story = {
  holds: {
    SALES: [...READ, 'create', 'update', 'reveal'],
    SALES_MANAGER_COPY: ['assign', 'stop', 'resume', 'noteReward', 'import', 'export'],
    AUDITOR: READ,
  },
  end,
  stored: (tx, world) => countTeachers({ tx, now: world.now }),
  // Who names no channel is given one nobody else has.
  enters: () => ({ channel: null, link: null }),
}
