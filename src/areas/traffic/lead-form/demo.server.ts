import { sql } from 'kysely'
import { addedInDemo } from '#areas/sales/chat-account/demo-adding.server.ts'
import { type DemoNote, notesIn } from '#areas/traffic/note/demo.server.ts'
import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { atWork, lastAtWork } from '#demo/office-hours.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, type World } from '#demo/world.server.ts'
import { addLead, type DemoLead, dealLead, leadsIn, type ToldLead, touchLead } from '#engines/lead/demo-leads.server.ts'

const chance = chanceOf('traffic/lead-form')

/** Behind the numbers of imported lists. */
const FIRST = PHONES.lead + 30_000
const FRESH = 140
const FRESH_DAYS = 60
/** The plans people ran ads by, each for one account. */
export const CAMPAIGNS = [
  ['C2026A01', '控笔体验课·表单', 'OFFICIAL'],
  ['C2026A02', '三年级提分·表单', 'TEACHER'],
  ['C2026B01', '暑期硬笔营', 'OFFICIAL'],
  ['C2026B02', '家长口碑', 'PARENT'],
] as const
const CITIES = ['杭州', '成都', '武汉', '西安', '长沙', '南京', '郑州', '苏州'] as const
const GRADES = ['一年级', '二年级', '三年级', '四年级', '五年级'] as const
const PAGES = ['硬笔体验课报名页', '控笔练习领取页'] as const

const numberOf = (nth: number): string => `LF26${String(nth).padStart(8, '0')}`

/** What came by forms and messages: numbers of late, those who left one while they registered, and members who began so. */
function end(world: World): void {
  const random = chance(world)
  const told = [...lately(world, random), ...ofMembers(world, random), ...whileRegistering(world, random)]
  world.rows.add(
    'lead_form',
    byTime(
      told.map(form => formOf(world, random, form)),
      ({ submitted_at }) => submitted_at,
    ),
  )
}

const isSeller = ({ role, org }: Colleague): boolean => role === 'SALES' && org.startsWith('SALES_')

/** Numbers that came by forms alone, and what consultants have done with them since. */
function lately(world: World, random: Random): Told[] {
  const sellers = world.staff.filter(person => isSeller(person) && person.enabled)
  const now = world.now.getTime()
  return Array.from({ length: Math.max(6, Math.round(FRESH * world.scale)) }, (_, nth) => {
    const at = now - Math.round(random.fraction() ** 1.5 * FRESH_DAYS * DAY_MS) - HOUR_MS
    const owner = random.chance(0.8) ? (sellers[nth % sellers.length] ?? null) : null
    const isInvalid = random.chance(0.1) && now - at > 5 * DAY_MS
    const formNo = numberOf(nth)
    const lead = came(world, {
      phone: phoneAt(FIRST + nth),
      channel: random.chance(0.3) ? 'XIAOHONGSHU_MESSAGE' : 'XIAOHONGSHU_FORM',
      key: `form:${formNo}`,
      at,
      owner,
      ...(isInvalid ? ({ status: 'INVALID', endedAt: at + 3 * DAY_MS } as const) : ({ status: 'OPEN' } as const)),
    })
    if (owner && !isInvalid && random.chance(0.7)) speak(world, random, lead, owner.id)
    return { lead, at, formNo, isNew: true }
  })
}

const SAID = ['家长想先看体验课', '约好周末试听', '已加企业微信，发了课程介绍'] as const

/** Where the hands it is in tell of it. */
const AT: Readonly<Record<string, 'added_at' | 'keen_at'>> = { ADDED: 'added_at', INTENT: 'keen_at' }

function speak(world: World, random: Random, lead: DemoLead, staffId: string): void {
  const since = Number(lead.created_at)
  const spoken = Math.min(atWork(since + random.whole(1, 20) * HOUR_MS), lastAtWork(world.now.getTime()))
  if (spoken <= since) return
  const at = new Date(spoken)
  const said = { kind: 'PHONE', content: random.pick(SAID), next_at: null, staff_id: staffId, created_at: at }
  world.rows.add('follow_up', [{ lead_id: Number(lead.id), member_id: null, ...said }])
  const status = random.pick(['CONTACTED', 'ADDED', 'ADDED', 'INTENT'])
  const span = leadsIn(world).find(one => one.lead === lead)?.span
  if (span) Object.assign(span, { contacted_at: at, ...(AT[status] && { [AT[status]]: at }) })
  if (status === 'ADDED') addedInDemo(world, { how: 'LEAD', staffId, leadId: Number(lead.id), at })
  Object.assign(lead, {
    status,
    first_contact_at: at,
    last_contact_at: at,
    state_since: at,
    version: 2,
  })
}

type Came = Pick<ToldLead, 'phone' | 'channel' | 'key' | 'at' | 'owner' | 'status' | 'endedAt' | 'became'>

function came(world: World, told: Came): DemoLead {
  const id = addLead(world, { name: null, source: 'XIAOHONGSHU', consent: 'FORM', cameBy: 'FORM', ...told })
  return leadsIn(world).find(({ lead }) => lead.id === id)?.lead as DemoLead
}

/** Members who came from the platform and of whom nothing else is known had sent a form some hours before. */
function ofMembers(world: World, random: Random): Told[] {
  const known = new Set(leadsIn(world).map(({ lead }) => lead.member_id))
  const paid = new Map<number, { at: number; fen: number }>()
  for (const { member_id: id, paid_at: at, paid_fen: fen } of world.rows.of('sales_order'))
    if (at && Number(at) < (paid.get(Number(id))?.at ?? Number.POSITIVE_INFINITY))
      paid.set(Number(id), { at: Number(at), fen: Number(fen) })
  return world.rows.of('member').flatMap((member): Told[] => {
    // Whoever was passed on since, to a teacher or to those who renew, had another consultant then.
    const owner = world.staff.find(person => person.id === member.owner_id && isSeller(person))
    const isTold = member.source === 'XIAOHONGSHU' && member.phone && member.status !== 'CLOSED'
    if (!isTold || !owner || member.id === undefined || known.has(member.id) || !random.chance(0.7)) return []
    const registered = Number(member.created_at)
    const at = registered - random.whole(1, 30) * HOUR_MS
    const formNo = numberOf(1_000_000 + member.id)
    const channel = member.channel ?? 'XIAOHONGSHU_NOTE'
    const became = { memberId: member.id, at: registered }
    const told = { phone: String(member.phone), channel, key: `form:${formNo}`, at, owner, became } as const
    const lead = came(world, { ...told, status: 'OPEN' })
    const first = paid.get(member.id)
    if (first !== undefined) dealLead(world, member.id, first.at, first.fen)
    return [{ lead, at, formNo, isNew: true }]
  })
}

/** Of those who began to register and had come from the platform, most left their number there as well. */
function whileRegistering(world: World, random: Random): Told[] {
  const leads = leadsIn(world).filter(({ lead }) => lead.source === 'XIAOHONGSHU' && lead.came_by === 'REGISTRATION')
  return leads.flatMap(({ lead }): Told[] => {
    if (!random.chance(0.75) || lead.phone === null) return []
    const since = Number(lead.created_at)
    const until = Math.min(
      ...[lead.ended_at, lead.registered_at, world.now].flatMap(time => (time ? [Number(time)] : [])),
    )
    const at = Math.min(since + random.whole(2, 40) * MINUTE_MS, until - MINUTE_MS)
    if (at <= since) return []
    const formNo = numberOf(2_000_000 + Number(lead.id))
    const touch = { came_by: 'FORM', source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_FORM', consent: 'FORM' } as const
    touchLead(world, lead, at, { key: `form:${formNo}`, ...touch })
    return [{ lead, at, formNo, isNew: false }]
  })
}

type Told = { readonly lead: DemoLead; readonly at: number; readonly formNo: string; readonly isNew: boolean }

function formOf(world: World, random: Random, { lead, at, formNo, isNew }: Told): NewRow<'lead_form'> {
  const isMessage = lead.channel === 'XIAOHONGSHU_MESSAGE'
  const isPaid = !isMessage && random.chance(0.8)
  const [campaign, , account] = random.pick(CAMPAIGNS)
  const note = noteAt(world, at, random)
  const isSpoken = ['CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL'].includes(lead.status)
  const isReported = !isMessage && isSpoken && random.chance(0.7)
  return {
    form_no: formNo,
    kind: isMessage ? 'MESSAGE' : 'FORM',
    phone: lead.phone ?? null,
    name: lead.name ?? null,
    city: random.pick(CITIES),
    account: isPaid ? account : (note?.account ?? 'OFFICIAL'),
    note_id: note?.id ?? null,
    campaign: isPaid ? campaign : null,
    unit: isPaid ? `${campaign}-U${random.whole(1, 3)}` : null,
    creativity: isPaid ? `${campaign}-K${random.whole(1, 6)}` : null,
    page: isMessage ? null : random.pick(PAGES),
    answers: isMessage ? [] : [{ question: '孩子年级', answer: random.pick(GRADES) }],
    lead_id: Number(lead.id),
    is_new: isNew,
    owner_id: lead.owner_id ?? null,
    org_id: lead.org_id ?? null,
    follow_status: lead.status,
    call_back: isReported ? 'SENT' : 'NONE',
    called_back_at: isReported ? new Date(Math.min(at + 2 * DAY_MS, world.now.getTime())) : null,
    submitted_at: new Date(at),
    created_at: new Date(at),
  }
}

const LATELY_DAYS = 20

/** One of the notes people read then. */
function noteAt(world: World, at: number, random: Random): DemoNote | undefined {
  const read = notesIn(world).filter(note => note.at <= at && note.at > at - LATELY_DAYS * DAY_MS)
  return read.length === 0 ? undefined : random.pick(read)
}

/** Of those who leave a number on the platform so many write it into a message, which has no page and no advertisement of its own. */
const WRITE = 0.3

/** Somebody leaves a number on the platform, in a form or in a message under a note. */
async function leave({ clock, db }: Outside, random: Random): Promise<SimulatedEvent> {
  const [note] = await db.read.rows('select note_no from note order by published_at desc, id desc limit 1 offset $1', [
    random.whole(0, 10),
  ])
  const [campaign] = random.pick(CAMPAIGNS)
  const nth = random.whole(0, 9_999_999)
  const said = random.chance(WRITE)
    ? { kind: 'MESSAGE' }
    : {
        kind: 'FORM',
        campaign,
        page: random.pick(PAGES),
        answers: [{ question: '孩子年级', answer: random.pick(GRADES) }],
      }
  return {
    source: 'xiaohongshu',
    type: 'lead-form.submitted',
    data: {
      formNo: `LS${clock.now().getTime()}${nth}`,
      at: clock.now().toISOString(),
      phone: phoneAt(FIRST + 10_000 + (nth % 5_000)),
      city: random.pick(CITIES),
      ...(note ? { noteNo: String(note.note_no) } : {}),
      ...said,
    },
  }
}

const CALLS = ['callBack', 'confirmSent', 'callBackAgain'] as const

export const demo: Story = {
  holds: {
    SALES: [...READ, 'own', 'reveal', 'callBack'],
    SALES_MANAGER_COPY: ['assign', 'export'],
    OPERATIONS: [...READ, 'assign', ...CALLS, 'export'],
    AUDITOR: READ,
  },
  end,
  // Which note it was is said by its title on the way of whoever came by it.
  stored: tx =>
    sql`
      update lead_touch t set about = n.title from lead_form f join note n on n.id = f.note_id
      where t.lead_id = f.lead_id and t.key = 'form:' || f.form_no`.execute(tx),
  scenes: [[leave, 2]],
}
