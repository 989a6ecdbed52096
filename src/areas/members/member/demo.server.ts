import { sql } from 'kysely'
import { lastPractised } from '#areas/members/check-in/demo.server.ts'
import { lastHandedIn } from '#areas/members/work/demo.server.ts'
import { holdersAsked } from '#areas/products/coupon/demo.server.ts'
import { PHONES, phoneAt, pupil, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { atWork } from '#demo/office-hours.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, colleague, DAY_MS, HOUR_MS, instant, owned, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { NOBODY } from './closing.server.ts'
import { birthMonthOf, bornMonthsBefore } from './demo-age.server.ts'
import { consentRows } from './demo-consent.server.ts'
import { addContacts } from './demo-contacts.server.ts'
import { CLOSED, channelOf, type Member, membersOf, ownerAt, ownersOf } from './demo-joining.server.ts'
import { planGifts, planLearning, teacherOf } from './demo-learning.server.ts'
import { dictionaries } from './dictionaries.server.ts'
import { REGISTERED } from './leads.server.ts'

const NEWCOMERS = 300_000

const chance = chanceOf('members/member: care')

const SAID = [
  '家长对体验课满意，约周末再聊年度会员',
  '孩子已完成三节课，字形进步明显，家长愿意继续',
  '电话未接，晚上八点后再拨',
  '家长比较在意点评速度，已说明 24 小时内出点评',
  '已加企业微信，发送课程介绍和学员作品对比',
  '价格有顾虑，介绍了分期和优惠券',
  '孩子期末考试，约定放假后开课',
  '家长想先看完整课表，已发送',
  '续费沟通：家长希望换到行楷课程',
  '询问物流进度，已告知单号',
] as const
const HANDING = ['新学员分配', '顾问离职，学员交接', '首年期满，转续费顾问'] as const

/** What people know of members and did for them, beside what members bought. */
function end(world: World): void {
  const members = membersOf(world)
  world.rows.add(
    'member',
    members.map(member => memberRow(world, member)),
  )
  world.rows.add('member', closedRows(world))
  world.rows.add('member_owner_history', handings(world))
  world.rows.add('follow_up', followUps(world))
  world.rows.add('consent', consentRows(world))
  addContacts(world)
}

function handings(world: World): NewRow<'member_owner_history'>[] {
  const rows = membersOf(world).flatMap(member => {
    const owners = ownersOf(member, world.now)
    return owners.map(({ at, owner }, index) => ({
      member_id: member.id,
      from_id: owners[index - 1]?.owner.id ?? null,
      to_id: owner.id,
      reason: index === 0 ? HANDING[0] : owner === member.renewal ? HANDING[2] : HANDING[1],
      staff_id: null,
      created_at: new Date(at),
    }))
  })
  return byTime(rows, ({ created_at }) => created_at)
}

function memberRow(world: World, member: Member) {
  const { now } = world
  const random = chance(world)
  const sums = ledgerOf(world).sums(member.id, now)
  const owners = ownersOf(member, now)
  return {
    id: member.id,
    name: member.name,
    ...member.spelling,
    phone: member.phone,
    guardian_name: member.guardianName,
    birth_month: birthMonthOf(world, member),
    source: member.source,
    channel: member.channel,
    status: random.chance(0.004) ? ('FROZEN' as const) : ('ACTIVE' as const),
    ...sums,
    teacher_id: teacherOf(world, member)?.id ?? null,
    ...owned(owners.at(-1)?.owner ?? null),
    owner_since: instant(owners.at(-1)?.at ?? null),
    tags: tagsOf(random),
    last_check_in_at: lastPractised(world, member),
    last_work_at: lastHandedIn(world, member),
    created_at: new Date(member.createdAt),
  }
}

/** Whoever closed the account half a year ago: nothing is left but that somebody was there. */
function closedRows(world: World) {
  const [before] = membersOf(world)
  if (!before) return []
  const id = world.ids.named('member', CLOSED)
  const nothing = {
    phone: null,
    guardian_name: null,
    birth_month: null,
    tags: [],
    last_check_in_at: null,
    last_work_at: null,
  }
  const spelling = { name_pinyin: '', name_initials: '' }
  const sums = ledgerOf(world).sums(id, world.now)
  const owner = owned(colleague(world, 'SALES'))
  return [
    {
      ...memberRow(world, before),
      ...owner,
      id,
      name: NOBODY,
      ...spelling,
      ...nothing,
      ...sums,
      status: 'CLOSED' as const,
    },
  ]
}

function tagsOf(random: Random): string[] {
  const known = Object.keys(dictionaries.MEMBER_TAG.entries)
  return known.length === 0 || !random.chance(0.35)
    ? []
    : [...new Set([random.pick(known), ...(random.chance(0.3) ? [random.pick(known)] : [])])]
}

function followUps(world: World): NewRow<'follow_up'>[] {
  const { now } = world
  const random = chance(world)
  const kinds = Object.keys(dictionaries.FOLLOW_UP_KIND.entries)
  const notes = membersOf(world).flatMap(member =>
    Array.from({ length: random.whole(0, 3) }, (): NewRow<'follow_up'>[] => {
      const at = atWork(member.createdAt + Math.floor(random.fraction() ** 2 * (now.getTime() - member.createdAt)))
      const owner = at > now.getTime() ? null : ownerAt(member, at, now)
      if (!owner) return []
      const isLate = now.getTime() - at < 10 * DAY_MS
      return [
        {
          member_id: member.id,
          lead_id: null,
          kind: kinds.length > 0 ? random.pick(kinds) : 'PHONE',
          content: random.pick(SAID),
          next_at:
            isLate && random.chance(0.5) ? new Date(atWork(now.getTime() + random.whole(2, 120) * HOUR_MS)) : null,
          staff_id: owner.id,
          created_at: new Date(at),
        },
      ]
    }).flat(),
  )
  return byTime(notes, ({ created_at }) => created_at)
}

async function register({ clock }: Outside, random: Random): Promise<SimulatedEvent> {
  const { name, guardianName } = pupil(random)
  const source = random.pick(['DOUYIN', 'DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP', 'APP', 'SCHOOL', 'REFERRAL'])
  const phone = phoneAt(PHONES.app + random.whole(0, NEWCOMERS))
  const birthMonth = bornMonthsBefore(dayOf(clock.now()), random.whole(6 * 12, 15 * 12))
  return {
    source: 'app',
    type: 'member.registered',
    data: { phone, name, guardianName, source, channel: channelOf(random, source), birthMonth },
  }
}

/** Having registered is a touch of everybody's way. */
const tellRegistered = (tx: Tx) =>
  sql`
    insert into lead_touch (member_id, key, came_by, source, channel, consent, first_at, last_at)
    select id, ${REGISTERED}, 'REGISTRATION', source, channel, 'APP_TERMS', created_at, created_at from member order by id`.execute(
    tx,
  )

// Personal data leaves in an export only with those who lead: a consultant reveals one number at a time.
export const demo: Story = {
  holds: {
    SALES: [...READ, 'own', 'create', 'update', 'noteFollowUp', 'tag', 'gift', 'reveal', 'recordConsent'],
    SALES_MANAGER_COPY: ['assignOwner', 'correctOrigin', 'freeze', 'unfreeze', 'export'],
    TEACHER: [...READ, 'teach'],
    AFTERSALES_MANAGER: ['bindTeacher', 'noteFollowUp', 'tag', 'gift', 'reveal', 'recordConsent'],
    // Hands out what is nobody's yet, and so has to see whose members are whose.
    OPERATIONS_MANAGER: READ,
  },
  plan(world) {
    holdersAsked.hear(world, () => membersOf(world))
    planLearning(world)
    planGifts(world)
  },
  end,
  stored: tellRegistered,
  scenes: [[register, 8]],
}
