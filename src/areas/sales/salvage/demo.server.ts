import { sql } from 'kysely'
import { dictionaries as followUps } from '#areas/members/member/dictionaries.server.ts'
import { addedInDemo } from '#areas/sales/chat-account/demo-adding.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { type DemoLead, leadsIn } from '#engines/lead/demo-leads.server.ts'
import type { Tx } from '#kit/server/database/database.ts'

const chance = chanceOf('sales/salvage')
/** The pool every business begins with (migrations). */
const DEFAULT_POOL = 1
const SAID = [
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

/** What consultants have done with their leads, and who may claim what is nobody's. */
function end(world: World): void {
  const random = chance(world)
  const now = world.now.getTime()
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && org.startsWith('SALES_') && enabled,
  )
  const leaders = world.staff.filter(({ role, enabled }) => role === 'SALES_MANAGER_COPY' && enabled)
  world.rows.add('lead_pool_member', [
    ...sellers.map(({ id }) => ({ pool_id: DEFAULT_POOL, staff_id: id, is_admin: false })),
    ...leaders.map(({ id }) => ({ pool_id: DEFAULT_POOL, staff_id: id, is_admin: true })),
  ])
  const kinds = Object.keys(followUps.FOLLOW_UP_KIND.entries)
  for (const { lead, span } of leadsIn(world)) {
    if (!span && !lead.ended_at && random.chance(0.4)) giveBack(world, lead, random.pick(sellers))
    if (!span || lead.ended_at || !random.chance(0.7)) continue
    const since = Number(lead.created_at)
    const first = Math.min(since + random.whole(1, 30) * HOUR_MS, now - HOUR_MS)
    if (first <= since) continue
    const last = random.chance(0.5) ? Math.min(first + random.whole(1, 6) * DAY_MS, now - HOUR_MS) : first
    const times = last > first ? [first, last] : [first]
    const nextAt = random.chance(0.4) ? new Date(now + random.whole(-1, 4) * DAY_MS) : null
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
      const endedAt = new Date(last)
      Object.assign(lead, {
        status: 'LOST',
        end_reason: random.pick(['TOO_DEAR', 'BOUGHT_ELSEWHERE']),
        ended_at: endedAt,
        state_since: endedAt,
      })
      Object.assign(span, { until: endedAt, end_kind: 'LOST' })
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
    Object.assign(lead, {
      status: isKeen ? 'INTENT' : way,
      level: isKeen ? random.pick(['A', 'B']) : random.chance(0.6) ? random.pick(['C', 'D']) : null,
      first_contact_at: new Date(first),
      last_contact_at: new Date(last),
      next_at: nextAt,
      state_since: new Date(last),
      version: Number(lead.version) + times.length,
    })
  }
}

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
    SALES_MANAGER_COPY: ['assign', 'export'],
    // Counts what sources bring, and so has to see which leads those are.
    OPERATIONS: READ,
    AUDITOR: READ,
  },
  end,
  stored: tellHowFar,
}
