import { createHash } from 'node:crypto'
import { saidBy } from '#areas/members/member/demo-consent.server.ts'
import { type Member, membersOf } from '#areas/members/member/demo-joining.server.ts'
import { shippedTemplate, wordsOf } from '#areas/system/message-template/demo.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, instant, MINUTE_MS, remembered, type World } from '#demo/world.server.ts'
import { messageTold } from '#engines/message/demo-told.server.ts'
import { afterQuiet, fillIn } from '#engines/message/model.ts'
import { defaultsOf } from '#kit/model/setting.ts'
import { dayOf, formatInstant } from '#kit/model/time.ts'
import type { Message } from './model.ts'
import { settings } from './settings.model.ts'

const KEPT_DAYS = 60
const chance = chanceOf('system/message')
const rowsOf = remembered((): NewRow<'message'>[] => [])

type Fate = Pick<Message, 'status' | 'cause'> & { readonly result?: string }
const DELIVERED: Fate = { status: 'DELIVERED', cause: null, result: 'DELIVERED' }
const SMS_FATES: readonly (readonly [Fate, number])[] = [
  [DELIVERED, 920],
  [{ status: 'FAILED', cause: 'SWITCHED_OFF', result: 'MOBILE_NOT_ON_SERVICE' }, 30],
  [{ status: 'FAILED', cause: 'BAD_ADDRESS', result: 'isv.MOBILE_NUMBER_ILLEGAL: 非法手机号' }, 15],
  [{ status: 'FAILED', cause: 'LIMITED', result: 'isv.BUSINESS_LIMIT_CONTROL: 触发天级流控Permits:10' }, 15],
  [{ status: 'UNKNOWN', cause: 'NO_ANSWER', result: 'ETIMEDOUT' }, 20],
]
/** What becomes of an offer to who agreed to get them. */
const AGREED_FATES: readonly (readonly [Fate, number])[] = [
  [{ status: 'WITHHELD', cause: 'LATELY' }, 20],
  [DELIVERED, 80],
]

type Sent = {
  readonly at: number
  readonly code: string
  readonly to: { readonly member_id: number } | { readonly staff_id: string }
  readonly phone?: string
  readonly email?: string
  readonly filled: Readonly<Record<string, string>>
  readonly about: string
  readonly fate: Fate
}

function keep(world: World, { at, code, to, phone, email, filled, about, fate }: Sent): void {
  const { templateId, editionId, channel, kind, title, body, providerCode } = wordsOf(world, code)
  const { status, cause, result = '' } = fate
  const hasLeft = status !== 'WITHHELD' && status !== 'SCHEDULED' && channel !== 'WEB'
  const isOver = status === 'DELIVERED' || status === 'FAILED' || status === 'READ'
  const sentAt = hasLeft ? at + 2_000 : null
  const endedAt = isOver ? at + 20_000 : null
  const text = fillIn(body, filled)
  const isCode = kind === 'CODE'
  rowsOf(world).push({
    ...{ template_id: templateId, edition_id: editionId, channel, kind, status, cause, about, result },
    ...{ member_id: null, staff_id: null, ...to, phone: phone ?? null, email: email ?? null },
    title,
    body: isCode ? '' : text,
    digest: createHash('sha256').update(`${about}${text}`).digest('hex'),
    filled: isCode ? null : filled,
    provider_code: providerCode ?? null,
    is_test: false,
    claimed_at: instant(sentAt),
    scheduled_at: status === 'SCHEDULED' ? afterQuiet(new Date(at), defaultsOf(settings)) : null,
    sent_at: instant(sentAt),
    ended_at: instant(endedAt),
    state_since: new Date(endedAt ?? sentAt ?? at),
    created_at: new Date(at),
  })
}

/** Of what went out just now nobody has heard yet. */
const smsFate = (world: World, at: number): Fate =>
  world.now.getTime() - at < 10 * MINUTE_MS
    ? { status: 'SENDING', cause: null, result: 'BIZ-1' }
    : chance(world).weighted(SMS_FATES)

const isKept = ({ now }: World, at: number): boolean => now.getTime() - at < KEPT_DAYS * DAY_MS && at < now.getTime()

function plan(world: World): void {
  messageTold.hear(world, (at, { message, memberId, phone, filled, about }) => {
    if (!isKept(world, at)) return
    shippedTemplate(world, message)
    keep(world, { at, code: message.code, to: { member_id: memberId }, phone, filled, about, fate: smsFate(world, at) })
  })
}

/** Day by day: courses begin, memberships end, people sign in; once a week colleagues get a summary, once a month offers go out. */
function end(world: World): void {
  const random = chance(world)
  const members = membersOf(world).slice(-600)
  for (let day = KEPT_DAYS - 1; day >= 0; day -= 1) {
    const morning = world.now.getTime() - day * DAY_MS
    const some = (most: number) => Array.from({ length: random.whole(1, most) }, () => random.pick(members))
    for (const [n, member] of some(4).entries())
      remind(world, member, 'COURSE-REMINDER', morning - n * HOUR_MS, day * 10 + n)
    for (const [n, member] of some(2).entries())
      remind(world, member, 'MEMBERSHIP-ENDING', morning - (3 + n) * HOUR_MS, day * 10 + n)
    for (const [n, member] of some(3).entries())
      remind(world, member, 'LOGIN-CODE', morning - (n * 97 + 13) * MINUTE_MS, day * 10 + n)
    if (day % 30 === 1) offer(world, members, morning)
    if (day % 7 === 2) tellColleagues(world, morning, day)
  }
  offerTonight(world, members)
  world.rows.add(
    'message',
    byTime(rowsOf(world), ({ created_at }) => created_at),
  )
}

function remind(world: World, member: Member, code: string, at: number, n: number): void {
  if (member.createdAt > at) return
  const later = at + 2 * DAY_MS
  keep(world, {
    ...{ at, code, to: { member_id: member.id }, phone: member.phone, about: `${code}:${member.id}:${n}` },
    filled: {
      name: member.name,
      at: formatInstant(new Date(later)).slice(0, 16),
      day: dayOf(new Date(later)),
      code: '******',
    },
    fate: smsFate(world, at),
  })
}

function offer(world: World, members: readonly Member[], at: number): void {
  for (const member of members.filter(({ createdAt }, n) => n % 12 === 0 && createdAt < at))
    keep(world, {
      ...{ at, code: 'AUTUMN-OFFER', to: { member_id: member.id }, phone: member.phone },
      filled: { name: member.name, off: '¥200.00' },
      about: `AUTUMN-OFFER:${member.id}:${at}`,
      fate: offerFate(world, member, at),
    })
}

function offerFate(world: World, member: Member, at: number): Fate {
  const said = saidBy(world, member, 'MARKETING', at)
  if (said === 'GIVEN') return chance(world).weighted(AGREED_FATES)
  return { status: 'WITHHELD', cause: said === undefined ? 'NO_CONSENT' : 'OPTED_OUT' }
}

/** Written after hours: they leave in the morning. */
function offerTonight(world: World, members: readonly Member[]): void {
  const { now } = world
  const late = new Date(`${dayOf(now)}T21:30:00+08:00`).getTime()
  const at = late < now.getTime() ? late : late - DAY_MS
  if (afterQuiet(now, defaultsOf(settings)) <= now) return
  const agreeing = members.filter(member => saidBy(world, member, 'MARKETING', at) === 'GIVEN')
  for (const member of agreeing.filter((_, n) => n % 53 === 5))
    keep(world, {
      ...{ at, code: 'AUTUMN-OFFER', to: { member_id: member.id }, phone: member.phone },
      filled: { name: member.name, off: '¥200.00' },
      about: `AUTUMN-OFFER:${member.id}:tonight`,
      fate: { status: 'SCHEDULED', cause: 'QUIET_HOURS' },
    })
}

function tellColleagues(world: World, at: number, day: number): void {
  for (const { id, name, enabled, role } of world.staff) {
    if (!enabled || role === 'AUDITOR') continue
    const open = String(chance(world).whole(0, 12))
    keep(world, {
      ...{ at, code: 'WEEKLY-SUMMARY', to: { staff_id: id }, email: `colleague${id}@inkstone.example` },
      filled: { name, open },
      about: `WEEKLY-SUMMARY:${id}:${day}`,
      fate: { status: 'DELIVERED', cause: null, result: '250 OK queued' },
    })
    if (role !== 'TEACHER') continue
    keep(world, {
      ...{ at: at + HOUR_MS, code: 'SHIFT-NOTICE', to: { staff_id: id }, about: `SHIFT-NOTICE:${id}:${day}` },
      filled: { day: dayOf(new Date(at + 3 * DAY_MS)) },
      fate: { status: day < 7 && chance(world).chance(0.5) ? 'UNREAD' : 'READ', cause: null },
    })
  }
}

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, 'export', 'reveal', 'ask'],
    OPERATIONS_MANAGER: ['retry'],
    AFTERSALES_MANAGER: READ,
    AUDITOR: READ,
  },
  plan,
  end,
}
