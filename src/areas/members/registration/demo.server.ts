import { channelOf, type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, instant, MINUTE_MS, owned, type World } from '#demo/world.server.ts'
import { addLead } from '#engines/lead/demo-leads.server.ts'
import { REGISTRATION_STEPS, type RegistrationStep } from './model.ts'

const chance = chanceOf('members/registration')

/** In a business of the usual size, beside those who registered after all. */
const BROKEN_OFF = 180
/** Of those who joined within these days, so many had stopped on the way once. */
const LATE_DAYS = 60
const CAME_BACK = 0.35
/** Numbers people begin with while the business is played. */
const BEGINNERS = 20_000

const SOURCES = [
  ['DOUYIN', 40],
  ['XIAOHONGSHU', 20],
  ['WECHAT_SHOP', 12],
  ['APP', 20],
  ['SCHOOL', 8],
] as const
const stepOf = (random: Random): RegistrationStep =>
  random.weighted([
    ['PHONE', 20],
    ['CODE_SENT', 38],
    ['CODE_ENTERED', 22],
    ['PROFILE', 20],
  ])

type Begun = Omit<NewRow<'registration'>, 'step' | 'code_sent_at' | 'last_at'>

function begun(random: Random, row: Begun, at: number): NewRow<'registration'> {
  const step = stepOf(random)
  const last = at + random.whole(1, 9) * MINUTE_MS
  const sent = step === 'PHONE' ? null : at + MINUTE_MS
  return { ...row, step, code_sent_at: instant(sent), last_at: new Date(last) }
}

function brokenOff(world: World, nth: number): NewRow<'registration'> {
  const random = chance(world)
  const { now } = world
  const at = now.getTime() - Math.floor(random.fraction() ** 2 * 45 * DAY_MS) - 20 * MINUTE_MS
  const age = now.getTime() - at
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && org.startsWith('SALES_') && enabled,
  )
  const owner = random.chance(age < DAY_MS ? 0.5 : 0.95) ? random.pick(sellers) : null
  const isReminded = age > 3 * HOUR_MS && random.chance(0.45)
  const isInvalid = age > 4 * DAY_MS && random.chance(0.3)
  const endedAt = isInvalid ? at + Math.floor(age * 0.7) : null
  const source = random.weighted(SOURCES)
  const channel = channelOf(random, source)
  const phone = phoneAt(PHONES.lead + nth)
  const came = { phone, name: null, source, channel, consent: 'APP_TERMS', cameBy: 'REGISTRATION' } as const
  const lead_id = addLead(world, {
    ...came,
    key: 'registration',
    at,
    owner,
    status: isInvalid ? 'INVALID' : 'OPEN',
    ...(endedAt === null ? {} : { endedAt }),
  })
  const reminded = { reminders: isReminded ? 1 : 0, reminded_at: isReminded ? new Date(at + 2 * HOUR_MS) : null }
  const status = isInvalid ? 'INVALID' : isReminded ? 'REMINDED' : 'WAITING'
  const row = { lead_id, phone, source, channel, status, ...reminded, ...owned(owner), became_id: null } as const
  return begun(random, { ...row, created_at: new Date(at) }, at)
}

/** Somebody who is a member now, and had stopped on the way a while before. */
function cameBack(world: World, member: Member): NewRow<'registration'> {
  const random = chance(world)
  const { phone, source, channel, createdAt } = member
  const at = createdAt - random.whole(1, 40) * HOUR_MS
  const owner = ownerAt(member, world.now.getTime(), world.now)
  const came = { phone, name: null, source, channel, consent: 'APP_TERMS', cameBy: 'REGISTRATION' } as const
  const became = { memberId: member.id, at: createdAt }
  const lead_id = addLead(world, { ...came, key: 'registration', at, owner, status: 'OPEN', became })
  const row = { lead_id, phone, source, channel, status: 'REGISTERED', reminders: 0, reminded_at: null } as const
  return begun(random, { ...row, ...owned(owner), became_id: member.id, created_at: new Date(at) }, at)
}

function registrations(world: World): NewRow<'registration'>[] {
  const random = chance(world)
  const count = Math.max(3, Math.round(BROKEN_OFF * world.scale))
  const since = world.now.getTime() - LATE_DAYS * DAY_MS
  const returned = membersOf(world).filter(({ createdAt }) => createdAt > since && random.chance(CAME_BACK))
  const rows = [
    ...Array.from({ length: count }, (_, nth) => brokenOff(world, nth)),
    ...returned.map(member => cameBack(world, member)),
  ]
  return byTime(rows, ({ created_at }) => created_at)
}

/** Some go on to the end, under the same number: the app says so by another event. */
async function begin(_: Outside, random: Random): Promise<SimulatedEvent> {
  const source = random.weighted(SOURCES)
  return {
    source: 'app',
    type: 'registration.reached',
    data: {
      phone: phoneAt(PHONES.app + random.whole(0, BEGINNERS)),
      step: random.pick(REGISTRATION_STEPS),
      source,
      channel: channelOf(random, source),
    },
  }
}

// Nobody's are seen by those who see everything: operations hand them out, sales lead their own.
export const demo: Story = {
  holds: {
    SALES: [...READ, 'remind', 'markInvalid', 'reveal'],
    SALES_MANAGER_COPY: ['assign', 'export'],
    OPERATIONS_MANAGER: [...READ, 'assign', 'remind', 'markInvalid'],
    AUDITOR: READ,
  },
  end: world => world.rows.add('registration', registrations(world)),
  scenes: [[begin, 6]],
}
