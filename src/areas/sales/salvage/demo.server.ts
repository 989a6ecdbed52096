import { sql } from 'kysely'
import { dictionaries as followUps } from '#areas/members/member/dictionaries.server.ts'
import { addedInDemo } from '#areas/sales/chat-account/demo-adding.server.ts'
import type { Random } from '#demo/builders.server.ts'
import { atWork, lastAtWork } from '#demo/office-hours.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, type World } from '#demo/world.server.ts'
import { type DemoLead, type DemoSpan, leadsIn } from '#engines/lead/demo-leads.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { lookAround, sortPools } from './demo-pools.server.ts'
import type { LEVELS } from './levels.model.ts'

const chance = chanceOf('sales/salvage')
/** Of what parents sent, the newest; each is a file. */
const PICTURED = 40
/** The pool every business begins with (migrations). */
const DEFAULT_POOL = 1
const SHOWN = '家长发来孩子写的一页，问能不能改过来'
const SAID = [
  SHOWN,
  '已介绍体验课，家长想周末试听',
  '孩子三年级，字写得慢，想先看看老师点评',
  '电话未接，已发短信',
  '对价格有疑问，发了优惠说明',
  '约好晚上八点再联系',
  '家长说等期中考试后再决定',
] as const

/** Somebody had it, and nothing came of it. */
function giveBack(world: World, lead: DemoLead, owner: Colleague): void {
  const random = chance(world)
  const since = Number(lead.created_at)
  const until = new Date(since + Math.floor((world.now.getTime() - since) * 0.6))
  const reason = random.pick(['NO_ANSWER', 'NO_NEED', 'NO_CONTACT'])
  world.rows.add('lead_owner', [
    {
      lead_id: Number(lead.id),
      owner_id: owner.id,
      org_id: owner.orgId,
      since: new Date(since),
      until,
      end_kind: reason === 'NO_CONTACT' ? 'EXPIRED' : 'RETURNED',
      got: 'CLAIMED',
      by_id: owner.id,
      source: lead.source,
      channel: lead.channel,
      contacted_at: reason === 'NO_CONTACT' ? null : new Date(since + Math.floor((until.getTime() - since) / 2)),
      added_at: null,
      tried_at: null,
      keen_at: null,
      deal_fen: null,
    },
  ])
  Object.assign(lead, {
    status: 'RETURNED',
    times_returned: 1,
    return_reason: reason,
    previous_owner_id: owner.id,
    state_since: until,
    version: Number(lead.version) + 2,
  })
}

/** Most are called within the half hour they are told to be called in, some on the next day. */
const firstAnswer = (random: Random): number =>
  random.chance(0.6) ? random.whole(3, 29) * MINUTE_MS : random.whole(1, 30) * HOUR_MS

/** Nobody pays whom nobody has spoken with, but for who came and paid in one night. */
function speakBefore(world: World, lead: DemoLead, span: DemoSpan): void {
  const random = chance(world)
  const [since, until] = [Number(span.since), Number(span.until)]
  const first = atWork(since + Math.min(firstAnswer(random), Math.floor((until - since) / 2)))
  if (first >= until) return
  world.rows.add('follow_up', [
    {
      lead_id: lead.id ?? null,
      member_id: lead.member_id ?? null,
      kind: random.pick(Object.keys(followUps.FOLLOW_UP_KIND.entries)),
      content: random.pick(SAID),
      next_at: null,
      staff_id: span.owner_id,
      created_at: new Date(first),
    },
  ])
  const at = new Date(first)
  Object.assign(lead, { first_contact_at: at, last_contact_at: at })
  Object.assign(span, { contacted_at: at })
  if (random.chance(0.5)) {
    const level = random.pick<Level>(['A', 'B'])
    judge(world, lead, span, [first], level)
    Object.assign(lead, { level })
    Object.assign(span, { keen_at: at })
  }
  if (!random.chance(0.7)) return
  addedInDemo(world, { how: 'LEAD', staffId: String(span.owner_id), leadId: Number(lead.id), at })
  Object.assign(span, { added_at: at })
}

type Level = keyof typeof LEVELS

/** What somebody looked like at the first word, and at the last. */
function judge(world: World, lead: DemoLead, span: DemoSpan, times: readonly number[], level: Level): void {
  const first = times.length > 1 ? chance(world).pick<Level>(['B', 'C', 'D']) : level
  const said = first === level ? [level] : [first, level]
  const came = Number(lead.created_at)
  world.rows.add(
    'lead_judgement',
    said.map((to, nth) => ({
      lead_id: Number(lead.id),
      owner_id: span.owner_id,
      org_id: span.org_id,
      was: nth === 0 ? ('NONE' as const) : first,
      level: to,
      source: lead.source,
      channel: lead.channel,
      judged_at: new Date(times[nth] ?? 0),
      days_old: daysBetween(came, times[nth] ?? 0),
      is_last: nth === said.length - 1,
    })),
  )
}

const daysBetween = (from: number, to: number): number =>
  (Date.parse(dayOf(new Date(to))) - Date.parse(dayOf(new Date(from)))) / DAY_MS

/** Who may claim what is nobody's. */
function claimants(world: World): Colleague[] {
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && org.startsWith('SALES_') && enabled,
  )
  const leaders = world.staff.filter(({ role, enabled }) => role === 'SALES_MANAGER_COPY' && enabled)
  world.rows.add('lead_pool_member', [
    ...sellers.map(({ id }) => ({ pool_id: DEFAULT_POOL, staff_id: id, is_admin: false })),
    ...leaders.map(({ id }) => ({ pool_id: DEFAULT_POOL, staff_id: id, is_admin: true })),
  ])
  return sellers
}

/** What consultants have done with their leads. */
function end(world: World): void {
  const random = chance(world)
  const now = world.now.getTime()
  const latest = lastAtWork(now - HOUR_MS)
  const sellers = claimants(world)
  const kinds = Object.keys(followUps.FOLLOW_UP_KIND.entries)
  let deals = 0
  for (const { lead, span } of leadsIn(world)) {
    if (!span && !lead.ended_at && random.chance(0.4)) giveBack(world, lead, random.pick(sellers))
    // Some waited in the pool for somebody who wanted them, and some of these come to something.
    const isDeal = span?.end_kind === 'DEAL'
    if (isDeal) deals += 1
    const isClaimed = isDeal ? deals % 4 === 1 : random.chance(0.12)
    if (span && isClaimed && atWork(Number(span.since)) === Number(span.since)) {
      Object.assign(span, { got: 'CLAIMED', by_id: span.owner_id })
    }
    if (span && isDeal) speakBefore(world, lead, span)
    if (!span || lead.ended_at || !random.chance(0.7)) continue
    const since = Number(lead.created_at)
    const first = Math.min(atWork(since + firstAnswer(random)), latest)
    if (first <= since) continue
    const last = random.chance(0.5) ? Math.min(first + random.whole(1, 6) * DAY_MS, latest) : first
    const times = last > first ? [first, last] : [first]
    const nextAt = random.chance(0.4) ? new Date(atWork(now + random.whole(-1, 4) * DAY_MS)) : null
    world.rows.add(
      'follow_up',
      times.map((at, nth) => ({
        lead_id: lead.id ?? null,
        member_id: lead.member_id ?? null,
        kind: random.pick(kinds),
        content: random.pick(SAID),
        next_at: nth === times.length - 1 ? nextAt : null,
        staff_id: span.owner_id,
        created_at: new Date(at),
      })),
    )
    if (lead.member_id && random.chance(0.3)) {
      const endedAt = new Date(Math.max(last, Number(lead.registered_at)))
      Object.assign(lead, {
        status: 'LOST',
        end_reason: random.pick(['TOO_DEAR', 'BOUGHT_ELSEWHERE']),
        ended_at: endedAt,
        state_since: endedAt,
      })
      Object.assign(span, { until: endedAt, end_kind: 'LOST', contacted_at: new Date(first) })
      continue
    }
    const isKeen = random.chance(0.35)
    const way = lead.status === 'TRIAL' ? 'TRIAL' : random.chance(0.4) ? 'ADDED' : 'CONTACTED'
    if (way === 'ADDED')
      addedInDemo(world, {
        how: 'LEAD',
        staffId: String(span.owner_id),
        leadId: Number(lead.id),
        at: new Date(last),
      })
    const level = isKeen ? random.pick<Level>(['A', 'B']) : random.chance(0.6) ? random.pick<Level>(['C', 'D']) : null
    if (level !== null) judge(world, lead, span, times, level)
    Object.assign(lead, {
      status: isKeen ? 'INTENT' : way,
      level,
      first_contact_at: new Date(first),
      last_contact_at: new Date(last),
      next_at: nextAt,
      reminded_for: nextAt && nextAt.getTime() <= now ? nextAt : null,
      state_since: new Date(last),
      version: Number(lead.version) + times.length,
    })
    Object.assign(span, {
      contacted_at: new Date(first),
      ...(way === 'ADDED' && { added_at: new Date(last) }),
      ...(isKeen && { keen_at: new Date(last) }),
    })
  }
  lookAround(world, sellers)
}

/** What was done with leads, in the order it was done: the words that were noted, and the steps that spans tell of. */
const countActs = (tx: Tx) =>
  sql`
    insert into lead_act (lead_id, owner_id, org_id, act, way, done_at)
    select d.lead_id, d.owner_id, s.org_id, d.act, d.way, d.done_at from (
      select lead_id, staff_id as owner_id, 'FOLLOW_UP' as act, kind as way, created_at as done_at from follow_up where lead_id is not null
      union all
      select o.lead_id, o.owner_id, step.act, null, step.at from lead_owner o, lateral (values
        ('CLAIM', case when o.got = 'CLAIMED' then o.since end), ('ADD', o.added_at), ('JUDGE', o.keen_at),
        (case o.end_kind when 'RETURNED' then 'GIVE_BACK' when 'LOST' then 'LOSE' when 'INVALID' then 'DISMISS' end, o.until)
      ) step (act, at) where step.act is not null and step.at is not null
    ) d join staff s on s.id = d.owner_id order by d.done_at, d.lead_id, d.act`.execute(tx)

/** How far each has come, from what stands. */
const tellHowFar = (tx: Tx) =>
  sql`
    update lead l set furthest = case
      when l.status = 'DEAL' then 'PAID'
      when l.registered_at is null then 'ADDED'
      when exists (select from lesson_taken t where t.member_id = l.member_id) or exists (select from work w where w.member_id = l.member_id) then 'TRIED'
      else 'REGISTERED' end
    where l.registered_at is not null or l.status in ('ADDED', 'INTENT') or exists (select from chat_account_add a where a.lead_id = l.id)`.execute(
    tx,
  )

export const demo: Story = {
  holds: {
    SALES: [
      ...READ,
      'claim',
      'contact',
      'followUp',
      'markAdded',
      'markIntent',
      'giveBack',
      'lose',
      'markInvalid',
      'reveal',
    ],
    SALES_MANAGER_COPY: ['assign', 'export', 'forget'],
    // Counts what sources bring, and so has to see which leads those are.
    OPERATIONS: READ,
    AUDITOR: READ,
  },
  end,
  stored: async (tx, world) => {
    await countActs(tx)
    await tellHowFar(tx)
    await sortPools(tx, world)
  },
  pictured: {
    table: 'follow_up',
    async read(tx) {
      const rows = await tx
        .selectFrom('follow_up')
        .select(['id', 'lead_id'])
        .where('content', '=', SHOWN)
        .where('lead_id', 'is not', null)
        .orderBy('id', 'desc')
        .limit(PICTURED)
        .execute()
      return rows.map(({ id, lead_id }) => ({ id, motif: 'writing', shownWith: lead_id ?? undefined }))
    },
  },
}
