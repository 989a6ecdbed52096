import type { Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { type Colleague, LEFT_DAYS } from '#demo/organisation.server.ts'
import { byTime, chanceOf, colleague, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { EFFECT_MS, type TransferStatus } from '#engines/contact/model.ts'
import { type Member, membersOf } from './demo-joining.server.ts'

const chance = chanceOf('members/member: contacts')

/** Of a hundred families so many add their consultant, and so many of those take the consultant off again. */
const [ADDED, LOST] = [72, 5]
const WAYS: readonly (readonly [way: string, weight: number])[] = [
  ['1', 50],
  ['16', 25],
  ['2', 15],
  ['10', 10],
]
const HANDED_OUT = '202'
/** What became of those whose consultant left, one after another; some had no room with the first successor and go to another. */
const ENDS: readonly (TransferStatus | 'AGAIN')[] = [
  ...(['DONE', 'DONE', 'REFUSED', 'AGAIN', 'DONE', 'NO_RECORD', 'FULL'] as const),
  ...(['DONE', 'DONE', 'DONE', 'AGAIN', 'DONE'] as const),
]
/** How long ago those were handed on once more: they wait for the day to pass. */
const AGAIN_HOURS = 10
const MET_HOURS = 30

type Contact = NewRow<'chat_contact'> & { id: number }
type Transfer = NewRow<'contact_transfer'>

/** Who is whose contact on the chat platform, and how those of the consultant who left went to colleagues. */
export function addContacts(world: World): void {
  const random = chance(world)
  const met = membersOf(world).flatMap(member =>
    member.consultant && random.chance(ADDED / 100) ? [{ member, consultant: member.consultant }] : [],
  )
  const contacts = met.map(({ member, consultant }) => contactOf(world, random, member, consultant))
  const left = met.flatMap(({ member }, at) =>
    member.replacement ? [{ contact: contacts[at] as Contact, to: member.replacement }] : [],
  )
  const taken: Contact[] = []
  const transfers = left.flatMap(({ contact, to }, nth) =>
    handedOn(world, contact, to, ENDS[nth % ENDS.length] ?? 'DONE', taken),
  )
  world.rows.add('chat_contact', [...contacts, ...taken])
  world.rows.add('member_identity', namesOf(contacts))
  world.rows.add(
    'contact_transfer',
    byTime(transfers, ({ asked_at }) => asked_at),
  )
  world.rows.add('staff_handover', handovers(transfers))
}

/** Every so many-th has the WeChat of the one before: the parent of two. */
const SIBLING = 150

/** What WeChat calls whoever registered. */
const namesOf = (contacts: readonly Contact[]): NewRow<'member_identity'>[] =>
  contacts.map(({ member_id: memberId, since }, nth) => ({
    kind: 'UNIONID',
    value: String((nth % SIBLING === 1 ? contacts[nth - 1] : contacts[nth])?.unionid),
    member_id: Number(memberId),
    told_at: since,
  }))

function contactOf(world: World, random: Random, member: Member, consultant: Colleague): Contact {
  const gone = world.now.getTime() - (consultant.enabled ? 0 : LEFT_DAYS * DAY_MS)
  const since = Math.min(member.createdAt + random.whole(1, MET_HOURS) * HOUR_MS, gone)
  const way = random.weighted(WAYS)
  const lostAt = since + random.whole(3, 200) * DAY_MS
  const isLost = consultant.enabled && random.chance(LOST / 100) && lostAt < world.now.getTime()
  const id = world.ids.next('chat_contact')
  return {
    ...NOWHERE,
    id,
    staff_id: consultant.id,
    member_id: member.id,
    external_id: `wmDemo${String(id).padStart(8, '0')}`,
    unionid: `oDemo${String(id).padStart(8, '0')}`,
    name: `${member.name.slice(1)}${random.pick(['妈妈', '爸爸', '家长'])}`,
    remark: `${member.name} ${member.guardianName}`,
    add_way: way,
    channel: way === '16' ? `link-${member.channel.toLowerCase()}` : null,
    since: new Date(since),
    status: isLost ? 'LOST' : 'HELD',
    lost_at: isLost ? new Date(lostAt) : null,
    lost_by: isLost ? 'CUSTOMER' : null,
    created_at: new Date(since),
  }
}
const NOWHERE = { successor_id: null, asked_at: null, effective_at: null, errcode: null }

function handedOn(
  world: World,
  contact: Contact,
  to: Colleague,
  end: TransferStatus | 'AGAIN',
  taken: Contact[],
): Transfer[] {
  const at = world.now.getTime() - LEFT_DAYS * DAY_MS
  const holds = new Date(at + EFFECT_MS)
  const next =
    to.org === 'SALES_TEAM_2' ? world.staff.find(one => one.org === to.org && one.enabled && one !== to) : undefined
  if (end === 'AGAIN' && next) {
    const again = world.now.getTime() - AGAIN_HOURS * HOUR_MS
    const first = transferOf(world, contact, { to, at, status: 'FULL', holds: null, takenId: null })
    const second = {
      to: next,
      at: again,
      status: 'WAITING',
      holds: new Date(again + EFFECT_MS),
      takenId: null,
    } as const
    return [first, transferOf(world, contact, second)]
  }
  const status = end === 'AGAIN' ? 'FULL' : end
  if (status !== 'DONE') return [transferOf(world, contact, { to, at, status, holds: null, takenId: null })]
  const id = world.ids.next('chat_contact')
  const mine = { ...contact, ...NOWHERE, id, staff_id: to.id, add_way: HANDED_OUT, since: holds, created_at: holds }
  taken.push({ ...mine, status: 'HELD' })
  return [transferOf(world, contact, { to, at, status, holds, takenId: id })]
}

type Handed = { to: Colleague; at: number; status: TransferStatus; holds: Date | null; takenId: number | null }

/** The contact stands as its last transfer does. */
function transferOf(world: World, contact: Contact, { to, at, status, holds, takenId }: Handed): Transfer {
  const asked = new Date(at)
  const shown = { status, successor_id: to.id, asked_at: asked, effective_at: holds }
  Object.assign(contact, shown)
  return {
    contact_id: contact.id,
    from_id: contact.staff_id,
    to_id: to.id,
    by_id: colleague(world, 'OPERATIONS_MANAGER').id,
    is_leave: true,
    status,
    attempts: 1,
    asked_at: asked,
    called_at: asked,
    effective_at: holds,
    taken_id: takenId,
    ended_at: status === 'WAITING' ? null : new Date(at + EFFECT_MS + HOUR_MS),
  }
}

/** What was handed over at once to one colleague. */
function handovers(transfers: readonly Transfer[]): NewRow<'staff_handover'>[] {
  const groups = Map.groupBy(transfers, ({ to_id, asked_at }) => `${to_id} ${(asked_at as Date).getTime()}`)
  const rows = [...groups.values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const { from_id, to_id, by_id, asked_at } = first
    const moved = [{ what: 'organisation/staff/contacts:title', count: group.length, moves: true }]
    return [{ staff_id: from_id, to_id, by_id: by_id ?? null, at: asked_at, is_leave: true, moved }]
  })
  return byTime(rows, ({ at }) => at)
}
