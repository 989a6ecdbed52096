import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, named, type World } from '#demo/world.server.ts'
import { decideAll, isFull, type Person, type State, type Waiting } from '#engines/allocation/model.ts'
import type { RuleLine, RuleSet } from '#engines/allocation/rule.model.ts'
import { addLead } from '#engines/lead/demo-leads.server.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'

const chance = chanceOf('sales/consultant')
/** Behind the numbers of lists colleagues brought. */
const FIRST = PHONES.lead + 40_000
const DAYS = 8
const CAME = [
  ['DOUYIN', 'DOUYIN_LIVE', 45],
  ['XIAOHONGSHU', 'XIAOHONGSHU_NOTE', 30],
  ['REFERRAL', 'REFERRAL', 25],
] as const
const WEEK = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

type Seller = Colleague & { readonly consultantId: number; readonly weight: number }

/** Who sells, each on terms of their own; one is away for some days. */
function consultants(world: World): Seller[] {
  const random = chance(world)
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && org.startsWith('SALES_') && enabled,
  )
  const month = `${dayOf(world.now).slice(0, 7)}-01`
  return sellers.map((staff, nth) => {
    const consultantId = world.ids.next('consultant')
    const isAway = nth === sellers.length - 1
    const [weight, targetFen] = [random.pick([8, 10, 10, 12]), random.whole(30, 80) * 20_000]
    world.rows.add('consultant', [
      {
        id: consultantId,
        staff_id: staff.id,
        owner_id: staff.id,
        org_id: staff.orgId,
        status: isAway ? 'PAUSED' : 'ON',
        paused_until: isAway ? new Date(world.now.getTime() + 3 * DAY_MS) : null,
        weight,
        daily_cap: 12,
        open_cap: 40,
        work_days: [...WEEK],
        work_from: 9,
        work_to: 21,
        target_fen: String(targetFen),
        created_at: new Date(world.now.getTime() - 200 * DAY_MS),
      },
    ])
    const manager = leaderOf(world, staff)
    for (const [at, back] of [2, 1, 0].entries())
      world.rows.add('consultant_target', [
        {
          consultant_id: consultantId,
          month: monthBefore(month, back),
          target_fen: String(back === 0 ? targetFen : targetFen - (2 - at) * 100_000),
          staff_id: manager.id,
          created_at: startOfDay(monthBefore(month, back)),
        },
      ])
    return { ...staff, consultantId, weight }
  })
}

const leaderOf = (world: World, { org }: Colleague): Colleague =>
  named(world.staff, one => one.role === 'SALES_MANAGER_COPY' && one.org === org, 'manager')

function monthBefore(month: string, back: number): string {
  return back === 0 ? month : monthBefore(`${addDays(month, -1).slice(0, 7)}-01`, back - 1)
}

/** What comes by live streams goes to the second team, who asks for a long course to the first, as everything else does; the third helps out. */
function rulesOf(world: World, sellers: readonly Seller[]): RuleSet {
  const dear = world.rows
    .of('product')
    .filter(({ status }) => status === 'ON_SALE')
    .toSorted((a, b) => Number(b.price_fen) - Number(a.price_fen))
    .slice(0, 2)
    .map(({ id }) => String(id))
  const team = (org: string, isFallback: boolean): RuleLine[] =>
    sellers.filter(one => one.org === org).map(({ id }) => ({ staffId: String(id), weight: null, isFallback }))
  const rule = (key: string, name: string, sources: string[], org: string, products: string[] = []) => {
    const lines = [...team(org, false), ...team('SALES_TEAM_3', true)]
    return { key, name, sources, channels: [], products, validFrom: null, validUntil: null, lines }
  }
  const rules = [
    rule('douyin', '抖音线索', ['DOUYIN'], 'SALES_TEAM_2'),
    rule('long-courses', '长期课程咨询', [], 'SALES_TEAM_1', dear),
    rule('others', '其他线索', [], 'SALES_TEAM_1'),
  ].filter(({ lines }) => lines.some(({ isFallback }) => !isFallback))
  return { rules, holidays: [], warnMinutes: 15 }
}

type Running = { readonly state: State; readonly told: Map<string, string>; readonly editionId: number; nth: number }

/** A day of leads, given as the console gives them, so that it can be replayed. */
function playDay(world: World, set: RuleSet, sellers: readonly Seller[], day: string, running: Running): void {
  const random = chance(world)
  const begins = startOfDay(day).getTime() + 9 * HOUR_MS
  const { state, told } = running
  told.clear()
  for (const [id, one] of state.people) state.people.set(id, { ...one, received: 0, unspoken: 0 })
  const times = Array.from({ length: random.whole(4, 9) }, () => begins + random.whole(1, 11 * 60) * MINUTE_MS)
  for (const at of times.sort((a, b) => a - b).filter(time => time < world.now.getTime() - HOUR_MS))
    playRound(world, { set, sellers, at: new Date(at + 7), random }, running)
}

type Moment = { set: RuleSet; sellers: readonly Seller[]; at: Date; random: Random }

function playRound(world: World, { set, sellers, at, random }: Moment, running: Running): void {
  const { state, told, editionId } = running
  running.nth += 1
  const [source, channel] = random.weighted(CAME.map(([s, c, weight]) => [[s, c] as const, weight] as const))
  const news = [...state.people.values()].filter(one => told.get(one.id) !== JSON.stringify(one))
  for (const one of news) told.set(one.id, JSON.stringify(one))
  const [roundId, caseId] = [world.ids.next('allocation_round'), world.ids.next('allocation_case')]
  const lead: Waiting = { id: String(caseId), source, channel, productId: null, cameAt: at }
  const decision = decideAll(set, [lead], at, state).get(lead.id)
  const owner = sellers.find(({ id }) => String(id) === decision?.staffId)
  if (!decision || !owner) return
  const came = {
    phone: phoneAt(FIRST + running.nth),
    name: null,
    source,
    channel,
    consent: 'FORM',
    cameBy: 'IMPORT',
  } as const
  const leadId = addLead(world, { ...came, key: `form:${roundId}`, at: at.getTime(), owner, status: 'OPEN' })
  world.rows.add('allocation_round', [{ id: roundId, edition_id: editionId, at, people: news }])
  const first = { first_round: roundId, last_round: roundId }
  world.rows.add('allocation_case', [
    { id: caseId, lead_id: leadId, source, channel, status: 'GIVEN', is_full: isFull(decision), came_at: at, ...first },
  ])
  world.rows.add('allocation_decision', [
    {
      round_id: roundId,
      case_id: caseId,
      lead_id: leadId,
      consultant_id: owner.consultantId,
      staff_id: owner.id,
      rule_key: decision.rule?.key ?? null,
      rule_name: decision.rule?.name ?? null,
      is_fallback: decision.isFallback,
      passed: decision.passed,
      turn: decision.turn,
      source,
      channel,
      created_at: at,
    },
  ])
}

function end(world: World): void {
  const sellers = consultants(world)
  const set = rulesOf(world, sellers)
  if (set.rules.length === 0) return
  const editionId = world.ids.next('allocation_edition')
  const head = named(world.staff, ({ role }) => role === 'SALES_MANAGER_COPY', 'manager')
  const putAt = new Date(world.now.getTime() - 30 * DAY_MS)
  world.rows.add('allocation_edition', [
    { id: editionId, rules: set, note: '抖音线索归二组，三组备用', by_id: head.id, created_at: putAt },
  ])
  const away = sellers.at(-1)?.id
  const people = sellers.map(({ id, weight }): [string, Person] => [
    String(id),
    {
      id: String(id),
      isHere: true,
      isOn: id !== away,
      weight,
      dailyCap: 12,
      openCap: 40,
      days: [1, 2, 3, 4, 5, 6, 7],
      from: 9,
      to: 21,
      received: 0,
      unspoken: 0,
      last: 0,
    },
  ])
  const state: State = { people: new Map(people), turns: new Map(), given: 0 }
  const running: Running = { state, told: new Map(), editionId, nth: 0 }
  for (let back = DAYS; back >= 1; back -= 1) playDay(world, set, sellers, addDays(dayOf(world.now), -back), running)
  keepTurns(world, running, sellers)
}

/** What comes next goes on from there. */
function keepTurns(world: World, { state }: Running, sellers: readonly Seller[]): void {
  world.rows.add(
    'allocation_turn',
    [...state.turns].map(([key, { n, counts }]) => ({ key, n, counts, used_at: world.now })),
  )
  const last = new Map(sellers.map(({ id, consultantId }) => [consultantId, state.people.get(String(id))?.last ?? 0]))
  for (const row of world.rows.of('consultant')) Object.assign(row, { last_no: last.get(Number(row.id)) ?? 0 })
}

export const demo: Story = {
  holds: {
    SALES: READ,
    SALES_MANAGER_COPY: ['create', 'update', 'pause', 'resume', 'setTarget', 'handOver', 'export'],
    AUDITOR: READ,
  },
  end,
}
