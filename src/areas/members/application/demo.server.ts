import { CLOSED, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { settings } from '#areas/members/member/settings.model.ts'
import { PHONES, phoneAt } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, MINUTE_MS, owned, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'
import { defaultsOf } from '#kit/model/setting.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import { phoneHash } from '#kit/server/change/erasure-proof.ts'
import { type Application, resource } from './model.ts'
import { settings as closing } from './settings.model.ts'

const chance = chanceOf('members/application')

type Status = Application['status']
type Asked = {
  readonly kind?: 'CLOSE' | 'PAUSE'
  /** What became of it, and how many days ago it was asked for. */
  readonly status: Status
  readonly ago: number
  readonly giftKind: 'DAYS' | 'COINS' | null
  readonly quantity: number | null
  readonly reason: string
  readonly no?: string
  /** So many days after it was asked for, and for how many. */
  readonly pause?: { readonly after: number; readonly days: number }
}

const ASKED: readonly Asked[] = [
  { status: 'APPROVED', ago: 88, giftKind: 'DAYS', quantity: 60, reason: '老学员转介绍三位同学，家长希望延长两个月' },
  { status: 'APPROVED', ago: 52, giftKind: 'COINS', quantity: 6_000, reason: '校区书法比赛一等奖，与校方约定的奖励' },
  {
    status: 'REJECTED',
    ago: 41,
    giftKind: 'COINS',
    quantity: 3_000,
    reason: '家长觉得商城兑换偏贵',
    no: '请先推荐活动优惠券',
  },
  {
    ...{ kind: 'PAUSE', status: 'APPROVED', ago: 36, giftKind: null, quantity: null, pause: { after: 2, days: 14 } },
    reason: '期末考试期间停课两周，家长申请暂停会员',
  },
  { status: 'WITHDRAWN', ago: 30, giftKind: 'DAYS', quantity: 45, reason: '孩子住院休养，家长要求顺延' },
  { status: 'EXPIRED', ago: 24, giftKind: 'DAYS', quantity: 40, reason: '搬家期间无法上课' },
  {
    ...{ kind: 'PAUSE', status: 'APPROVED', ago: 12, giftKind: null, quantity: null, pause: { after: 1, days: 45 } },
    reason: '孩子手腕扭伤，医生建议休息一个半月',
  },
  {
    status: 'APPROVED',
    ago: 9,
    giftKind: 'DAYS',
    quantity: 120,
    reason: '孩子骨折停课四个月，附医院证明，家长已与主管沟通',
  },
  {
    ...{ kind: 'CLOSE', status: 'APPROVED', ago: 6, giftKind: null, quantity: null },
    reason: '全家移居国外，监护人书面要求注销账号并删除孩子的资料',
  },
  { status: 'L1_APPROVED', ago: 1.3, giftKind: 'COINS', quantity: 8_000, reason: '全国赛获奖学员，直播分享的奖励' },
  { status: 'SUBMITTED', ago: 1.1, giftKind: 'DAYS', quantity: 45, reason: '连续两周直播课卡顿，家长要求补偿' },
  {
    ...{ kind: 'PAUSE', status: 'SUBMITTED', ago: 0.4, giftKind: null, quantity: null, pause: { after: 5, days: 30 } },
    reason: '全家外出探亲一个月，期间无法练习',
  },
  { status: 'SUBMITTED', ago: 0.2, giftKind: 'COINS', quantity: 2_000, reason: '生日礼物与续费感谢合并发放' },
  { status: 'SUBMITTED', ago: 0.1, giftKind: 'DAYS', quantity: 100, reason: '家长出差三个月，孩子随行无法上课' },
]

/** A few gifts above the cap and some pauses: most are agreed to, some wait. */
function plan(world: World): void {
  const { now, agenda } = world
  // Numbered when it was asked for; told of at the end.
  agenda.at(closingAsked(world), () => void world.ids.named('member_application', CLOSED))
  for (const asked of ASKED) agenda.at(now.getTime() - Math.floor(asked.ago * DAY_MS), at => apply(world, asked, at))
}

type Row = NewRow<'member_application'>

function apply(world: World, asked: Asked, at: number): void {
  const found = memberFor(world, at, asked)
  if (!found) return
  const { member, owner } = found
  const { giftKind, quantity, reason } = asked
  const kind = asked.kind ?? 'GIFT'
  const { pause_from: pauseFrom, pause_days: pauseDays } = pauseFields(asked, at)
  const entered = { kind, giftKind, quantity, couponId: null, pauseFrom, pauseDays, reason }
  const { l2Days, l2Coins, ...own } = defaultsOf(settings)
  const row: Row = {
    id: world.ids.next('member_application'),
    kind,
    application_no: world.numbers.next('A', at),
    member_id: member.id,
    ...owned(owner),
    gift_kind: giftKind,
    quantity,
    coupon_id: null,
    ...leftOf(giftKind, own),
    ...pauseFields(asked, at),
    reason,
    status: 'SUBMITTED',
    needs_l2: giftKind !== null && Number(quantity) > (giftKind === 'DAYS' ? l2Days : l2Coins),
    applicant_id: owner.id,
    l1_by: null,
    l2_by: null,
    created_at: new Date(at),
    state_since: new Date(at),
    expires_at: new Date(at + 7 * DAY_MS),
    ended_at: null,
    closes_at: null,
    closed_at: null,
    version: 1,
  }
  world.rows.add('member_application', [row])
  const after = { ...entered, memberId: String(member.id) }
  world.log.write({ at, actor: owner, resource, action: 'create', recordId: Number(row.id), after })
  for (const { hours, ...step } of courseOf(world, asked, row, owner))
    world.agenda.at(at + hours * HOUR_MS, then => move(world, row, step, then))
}

/** What the consultant could still have given alone; nothing where no gift is asked for. */
const leftOf = (giftKind: Asked['giftKind'], own: { daysPerMonth: number; coinsPerMonth: number }) => ({
  allowance_left: giftKind === null ? null : giftKind === 'DAYS' ? own.daysPerMonth : own.coinsPerMonth,
  given_lately: giftKind === null ? null : 0,
})

const pauseFields = ({ pause }: Asked, at: number) => ({
  pause_from: pause ? addDays(dayOf(new Date(at)), pause.after) : null,
  pause_days: pause?.days ?? null,
  paused_until: null,
  pause_over_at: null,
})

const closingAsked = ({ now }: World): number => now.getTime() - 180 * DAY_MS

/** Half a year ago an account was closed: of what was asked for then nothing is left but who agreed, and when. */
function end(world: World): void {
  const [asked] = world.rows.of('member_application')
  if (!asked) return
  const [owner, at] = [colleague(world, 'SALES'), closingAsked(world)]
  const days = (after: number) => new Date(at + after * DAY_MS)
  const id = world.ids.named('member_application', CLOSED)
  const memberId = world.ids.named('member', CLOSED)
  world.rows.add('member_application', [
    {
      ...asked,
      ...{ id, kind: 'CLOSE', application_no: world.numbers.next('A', at), member_id: memberId, ...owned(owner) },
      ...{ gift_kind: null, quantity: null, coupon_id: null, ...leftOf(null, defaultsOf(settings)), reason: '-' },
      ...{
        status: 'APPROVED',
        needs_l2: false,
        applicant_id: owner.id,
        l1_by: managerOf(world, owner).id,
        l2_by: null,
      },
      ...{ created_at: days(0), state_since: days(1), expires_at: days(7), ended_at: days(1) },
      ...{ closes_at: days(16), closed_at: days(16), version: 3 },
    },
  ])
  const phone_hash = phoneHash(world.env, phoneAt(PHONES.test))
  world.rows.add('erasure', [{ member_id: memberId, phone_hash, erased_at: days(16) }])
}

/** Somebody whose consultant then is the consultant now: what is asked for goes along with the member. Nobody is asked for twice. */
function memberFor(world: World, at: number, { pause }: Asked) {
  const asker = colleague(world, 'SALES')
  const asked = new Set(world.rows.of('member_application').map(row => Number(row.member_id)))
  const kept = membersOf(world).flatMap(member => {
    if (asked.has(Number(member.id)) || (pause && !hasDays(world, member.id, at))) return []
    const owner = ownerAt(member, at, world.now)
    return owner && owner === ownerAt(member, world.now.getTime(), world.now) ? [{ member, owner }] : []
  })
  const own = kept.filter(({ owner }) => owner === asker)
  const random = chance(world)
  const from = own.length > 0 && random.chance(0.5) ? own : kept
  return from.length === 0 ? undefined : random.pick(from)
}

/** Somebody with days to pause, who goes on learning after it. */
function hasDays(world: World, memberId: number, at: number): boolean {
  const end = ledgerOf(world).sums(memberId, new Date(at)).membership_ends_on
  return end !== null && end > addDays(dayOf(new Date(at)), DAYS_AHEAD)
}
const DAYS_AHEAD = 60

type Step = { readonly action: string; readonly to: Status; readonly by: Colleague | null; readonly reason?: string }

function courseOf(world: World, asked: Asked, { needs_l2: needsL2 }: Row, owner: Colleague) {
  const [manager, finance] = [managerOf(world, owner), colleague(world, 'FINANCE')]
  const step = (hours: number, action: string, to: Status, by: Colleague | null, reason?: string) => ({
    ...{ hours, action, to, by },
    ...(reason === undefined ? {} : { reason }),
  })
  switch (asked.status) {
    case 'SUBMITTED':
      return []
    case 'REJECTED':
      return [step(5, 'reject', 'REJECTED', manager, asked.no)]
    case 'WITHDRAWN':
      return [step(3, 'withdraw', 'WITHDRAWN', owner)]
    case 'EXPIRED':
      return [step(7 * 24, 'expire', 'EXPIRED', null)]
    default: {
      const first = step(4, 'approve', needsL2 ? 'L1_APPROVED' : 'APPROVED', manager)
      return asked.status === 'APPROVED' && needsL2 ? [first, step(22, 'approveL2', 'APPROVED', finance)] : [first]
    }
  }
}

function move(world: World, row: Row, { action, to, by, reason }: Step, at: number): void {
  const before = {
    status: row.status,
    l1By: row.l1_by,
    l2By: row.l2_by,
    endedAt: null,
    pausedUntil: null,
    closesAt: null,
  }
  const version = Number(row.version) + 1
  Object.assign(row, { status: to, state_since: new Date(at), version })
  if (action === 'approve') Object.assign(row, { l1_by: by?.id })
  if (action === 'approveL2') Object.assign(row, { l2_by: by?.id })
  if (to !== 'L1_APPROVED') Object.assign(row, { ended_at: new Date(at) })
  const endedAt = to === 'L1_APPROVED' ? null : new Date(at).toISOString()
  const granted = to === 'APPROVED' ? grant(world, row, by as Colleague, at) : {}
  const after = { status: to, l1By: row.l1_by, l2By: row.l2_by, endedAt, ...granted }
  const recordId = Number(row.id)
  world.log.write({ at, actor: by, resource, action, recordId, before, after, reason })
}

/** What was asked for is had, or will be; says what the request keeps of it. */
function grant(world: World, row: Row, by: Colleague, at: number): Partial<Application> {
  if (row.kind === 'PAUSE') return { pausedUntil: pause(world, row, at) }
  if (row.kind === 'CLOSE') {
    const closes = new Date(at + closing.keys.waitDays.default * DAY_MS)
    Object.assign(row, { closes_at: closes })
    return { closesAt: closes.toISOString() }
  }
  give(world, row, by, at)
  return {}
}

/** It stands still by the calendar, and is over by it. */
function pause(world: World, row: Row, at: number): string {
  const startsOn = String(row.pause_from)
  const endsOn = addDays(startsOn, Number(row.pause_days) - 1)
  Object.assign(row, { paused_until: endsOn })
  ledgerOf(world).pause(at, { memberId: Number(row.member_id), applicationId: Number(row.id), startsOn, endsOn })
  world.agenda.at(startOfDay(addDays(endsOn, 1)).getTime() + 10 * MINUTE_MS, then => {
    const over = { pauseOverAt: new Date(then).toISOString() }
    Object.assign(row, { pause_over_at: new Date(then), version: Number(row.version) + 1 })
    const line = { actor: null, resource, action: 'pauseOver', recordId: Number(row.id) }
    world.log.write({ at: then, ...line, before: { pauseOverAt: null }, after: over })
  })
  return endsOn
}

function give(world: World, row: Row, giver: Colleague, at: number): void {
  const grant = {
    kind: row.gift_kind === 'DAYS' ? ('MEMBER_DAYS' as const) : ('COINS' as const),
    quantity: Number(row.quantity),
    ...{ validDays: null, sharePermille: 1_000, packageId: null, kitId: null, name: '赠送' },
  }
  ledgerOf(world).give(at, {
    memberId: Number(row.member_id),
    source: 'GIFT',
    grants: [grant],
    times: 1,
    note: `${row.application_no} ${row.reason}`,
    staffId: giver.id,
    applicationId: Number(row.id),
  })
}

/** Whoever leads the department of the applicant, or the one above it. */
function managerOf({ staff }: World, { id, org }: Colleague): Colleague {
  const leaders = staff.filter(
    one => one.id !== id && (one.role === 'SALES_MANAGER_COPY' || one.role === 'AFTERSALES_MANAGER'),
  )
  return (leaders.find(one => one.org === org) ?? leaders[0]) as Colleague
}

export const demo: Story = {
  holds: {
    SALES: [...READ, 'create', 'withdraw', 'resume', 'keepAccount'],
    SALES_MANAGER_COPY: ['approve', 'reject', 'export'],
    AFTERSALES_MANAGER: [...READ, 'create', 'withdraw', 'resume', 'keepAccount', 'approve', 'reject', 'export'],
    FINANCE: [...READ, 'approveL2', 'reject', 'export'],
    AUDITOR: [...READ, 'export'],
  },
  plan,
  end,
  // A change of phone: its own fields, and none of the others'.
  enters: ({ picture }) => ({
    ...{ kind: 'PHONE', giftKind: null, quantity: null, couponId: null, pauseFrom: null, pauseDays: null },
    proof: [picture()],
  }),
}
