import { type DemoNote, notesIn } from '#areas/traffic/note/demo.server.ts'
import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, remembered, type World } from '#demo/world.server.ts'
import { addLead, type DemoLead, leadsIn } from '#engines/lead/demo-leads.server.ts'

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

/** Numbers that came by forms alone. */
const fresh = remembered((): { lead: number; at: number }[] => [])

function plan(world: World): void {
  const random = chance(world)
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && org.startsWith('SALES_') && enabled,
  )
  for (let nth = 0; nth < FRESH; nth += 1) {
    const at = world.now.getTime() - Math.round(random.fraction() ** 1.5 * FRESH_DAYS * DAY_MS) - HOUR_MS
    const isMessage = random.chance(0.3)
    const owner = random.chance(0.8) ? (sellers[nth % sellers.length] ?? null) : null
    const isInvalid = random.chance(0.1) && world.now.getTime() - at > 5 * DAY_MS
    const came = {
      phone: phoneAt(FIRST + nth),
      name: null,
      source: 'XIAOHONGSHU',
      channel: isMessage ? 'XIAOHONGSHU_MESSAGE' : 'XIAOHONGSHU_FORM',
      consent: 'FORM',
      cameBy: 'FORM',
      key: `form:${numberOf(nth)}`,
    } as const
    const ended = isInvalid ? ({ status: 'INVALID', endedAt: at + 3 * DAY_MS } as const) : ({ status: 'OPEN' } as const)
    fresh(world).push({ lead: addLead(world, { ...came, at, owner, ...ended }), at })
  }
}

const numberOf = (nth: number): string => `LF${String(2_026_000_000 + nth)}`

/** Of those who began to register and had come from the platform, most left their number there as well. */
function end(world: World): void {
  const random = chance(world)
  const leads = leadsIn(world)
  const byId = new Map(leads.map(({ lead }) => [Number(lead.id), lead]))
  for (const [nth, { lead: id, at }] of fresh(world).entries()) {
    const lead = byId.get(id)
    if (lead) addForm(world, random, { lead, at, formNo: numberOf(nth), isNew: true })
  }
  const again = leads.filter(({ lead }) => lead.source === 'XIAOHONGSHU' && lead.came_by === 'REGISTRATION')
  for (const [nth, { lead }] of again.entries()) {
    if (!random.chance(0.75) || lead.phone === null) continue
    const at = Math.min(Number(lead.created_at) + random.whole(2, 40) * MINUTE_MS, world.now.getTime())
    if (lead.ended_at && Number(lead.ended_at) <= at) continue
    if (lead.registered_at && Number(lead.registered_at) <= at) continue
    const formNo = numberOf(FRESH + nth)
    const came = { came_by: 'FORM', source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_FORM', consent: 'FORM' } as const
    const times = { first_at: new Date(at), last_at: new Date(at) }
    world.rows.add('lead_touch', [{ lead_id: Number(lead.id), key: `form:${formNo}`, ...came, ...times }])
    Object.assign(lead, { last_touch_at: new Date(Math.max(at, Number(lead.last_touch_at))) })
    addForm(world, random, { lead, at, formNo, isNew: false })
  }
}

type Told = { readonly lead: DemoLead; readonly at: number; readonly formNo: string; readonly isNew: boolean }

function addForm(world: World, random: Random, { lead, at, formNo, isNew }: Told): void {
  const isMessage = lead.channel === 'XIAOHONGSHU_MESSAGE'
  const isPaid = !isMessage && random.chance(0.8)
  const [campaign, , account] = random.pick(CAMPAIGNS)
  const note = noteAt(world, at, random)
  const isSpoken = ['CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL'].includes(lead.status)
  const isReported = !isMessage && isSpoken && random.chance(0.7)
  world.rows.add('lead_form', [
    {
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
    },
  ])
}

const LATELY_DAYS = 20

/** One of the notes people read then. */
function noteAt(world: World, at: number, random: Random): DemoNote | undefined {
  const read = notesIn(world).filter(note => note.at <= at && note.at > at - LATELY_DAYS * DAY_MS)
  return read.length === 0 ? undefined : random.pick(read)
}

/** Somebody leaves a number on the platform. */
async function leave({ clock, db }: Outside, random: Random): Promise<SimulatedEvent> {
  const [note] = await db.read.rows('select note_no from note order by published_at desc, id desc limit 1 offset $1', [
    random.whole(0, 10),
  ])
  const [campaign] = random.pick(CAMPAIGNS)
  const nth = random.whole(0, 9_999_999)
  return {
    source: 'xiaohongshu',
    type: 'lead-form.submitted',
    data: {
      formNo: `LS${clock.now().getTime()}${nth}`,
      kind: 'FORM',
      at: clock.now().toISOString(),
      phone: phoneAt(FIRST + 10_000 + (nth % 5_000)),
      city: random.pick(CITIES),
      campaign,
      ...(note ? { noteNo: String(note.note_no) } : {}),
      page: random.pick(PAGES),
      answers: [{ question: '孩子年级', answer: random.pick(GRADES) }],
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
  plan,
  end,
  scenes: [[leave, 2]],
}
