import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { instant, owned, remembered, type World } from '#demo/world.server.ts'
import type { Arrival } from './model.ts'

export type ToldLead = Pick<Arrival, 'phone' | 'name' | 'source' | 'channel' | 'consent' | 'cameBy' | 'key'> & {
  readonly at: number
  readonly owner: Colleague | null
  readonly status: 'OPEN' | 'INVALID'
  readonly endedAt?: number
  /** Whom it became, and when. */
  readonly became?: { readonly memberId: number; readonly at: number }
  /** Who brought it, where somebody did. */
  readonly by?: Colleague
}

export type DemoLead = Changing<NewRow<'lead'>>
export type DemoSpan = Changing<NewRow<'lead_owner'>>
type Told = { readonly lead: DemoLead; readonly span: DemoSpan | null }
type Changing<T> = { -readonly [Field in keyof T]: T[Field] }
/** All of them, in the order they came. */
export const leadsIn = remembered((): Told[] => [])
/** By the members they became. */
const became = remembered(() => new Map<number, Told>())

/** Whether a member came by a number that was known before. */
export const isKnown = (world: World, memberId: number): boolean => became(world).has(memberId)

/** A number that came to the demo business, with its path and its owner; gives its id. */
export function addLead(world: World, told: ToldLead): number {
  const id = world.ids.next('lead')
  const { at, owner, status, endedAt = null, source, channel, consent, key, cameBy } = told
  const open = !owner ? 'UNASSIGNED' : told.became ? 'TRIAL' : 'ASSIGNED'
  const changedAt = endedAt ?? told.became?.at ?? null
  const lead: DemoLead = {
    id,
    phone: told.phone,
    name: told.name,
    source,
    channel,
    came_by: cameBy,
    consent,
    status: status === 'OPEN' ? open : status,
    ...owned(owner),
    owner_since: owner && new Date(at),
    member_id: told.became?.memberId ?? null,
    registered_at: instant(told.became?.at ?? null),
    last_touch_at: new Date(at),
    created_at: new Date(at),
    state_since: new Date(changedAt ?? at),
    ended_at: instant(endedAt),
    level: null,
    first_contact_at: null,
    last_contact_at: null,
    next_at: null,
    reminded_for: null,
    times_returned: 0,
    return_reason: null,
    previous_owner_id: null,
    end_reason: null,
    // Links say so, which are made later.
    link_id: null,
    product_id: null,
    version: changedAt === null ? 1 : 2,
  }
  world.rows.add('lead', [lead])
  touchLead(world, lead, at, { key, came_by: cameBy, source, channel, consent })
  const span = owner && {
    lead_id: id,
    owner_id: owner.id,
    org_id: owner.orgId,
    since: new Date(at),
    until: instant(endedAt),
    end_kind: endedAt === null ? null : ('INVALID' as const),
    got: 'ALLOCATED' as const,
    by_id: told.by?.id ?? null,
    source,
    channel,
    contacted_at: null,
    added_at: null,
    tried_at: instant(told.became?.at ?? null),
    keen_at: null,
    deal_fen: null,
  }
  if (span) world.rows.add('lead_owner', [span])
  leadsIn(world).push({ lead, span })
  if (told.became) became(world).set(told.became.memberId, { lead, span })
  return id
}

type Touch = Pick<NewRow<'lead_touch'>, 'key' | 'about' | 'came_by' | 'source' | 'channel' | 'consent' | 'product_id'>

/** Whoever came is met on the way, once more or for the first time. */
export function touchLead(
  world: World,
  lead: DemoLead,
  at: number,
  { about = null, product_id = null, ...touch }: Touch,
): void {
  const of = { lead_id: Number(lead.id), member_id: lead.member_id ?? null, product_id }
  world.rows.add('lead_touch', [{ ...of, about, ...touch, first_at: new Date(at), last_at: new Date(at) }])
  lead.last_touch_at = new Date(Math.max(at, Number(lead.last_touch_at)))
}

/** A member has paid with money: at the first time the lead that became this member is a deal. */
export function dealLead(world: World, memberId: number, at: number, paidFen: number): void {
  const told = became(world).get(memberId)
  if (!told) return
  const { lead, span } = told
  const endedAt = new Date(Math.max(at, Number(lead.registered_at)))
  if (lead.ended_at && Number(lead.ended_at) <= endedAt.getTime()) return
  Object.assign(lead, { status: 'DEAL', ended_at: endedAt, state_since: endedAt, version: 3 })
  if (span) Object.assign(span, { until: endedAt, end_kind: 'DEAL', deal_fen: paidFen })
}
