import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { instant, owned, type World } from '#demo/world.server.ts'
import type { Arrival } from './model.ts'

export type ToldLead = Pick<Arrival, 'phone' | 'name' | 'source' | 'channel' | 'consent' | 'cameBy' | 'key'> & {
  readonly at: number
  readonly owner: Colleague | null
  readonly status: 'OPEN' | 'REGISTERED' | 'INVALID'
  readonly endedAt?: number
  readonly memberId?: number
  /** Who brought it, where somebody did. */
  readonly by?: Colleague
}

/** A number that came to the demo business, with its path and its owner; gives its id. */
export function addLead(world: World, told: ToldLead): number {
  const id = world.ids.next('lead')
  const { at, owner, status, endedAt = null, source, channel, consent, key, cameBy } = told
  const open = owner ? 'ASSIGNED' : 'UNASSIGNED'
  const lead: NewRow<'lead'> = {
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
    member_id: told.memberId ?? null,
    last_touch_at: new Date(at),
    created_at: new Date(at),
    state_since: new Date(endedAt ?? at),
    ended_at: instant(endedAt),
    version: endedAt === null ? 1 : 2,
  }
  world.rows.add('lead', [lead])
  const came = { came_by: cameBy, source, channel, consent }
  world.rows.add('lead_touch', [{ lead_id: id, key, ...came, first_at: new Date(at), last_at: new Date(at) }])
  if (owner)
    world.rows.add('lead_owner', [
      {
        lead_id: id,
        owner_id: owner.id,
        org_id: owner.orgId,
        since: new Date(at),
        until: instant(endedAt),
        got: 'ALLOCATED',
        by_id: told.by?.id ?? null,
      },
    ])
  return id
}
