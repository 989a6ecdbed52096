import { dictionaries } from '#areas/members/member/dictionaries.server.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { PRODUCTS } from './assortment.server.ts'
import { type Business, instant, owned } from './business.server.ts'
import { insertRows, type NewRow } from './insert-rows.server.ts'
import { type Member, type Order, ownerAt, ownersOf, productNameOf } from './trade.server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const SAID = [
  '家长对体验课满意，约周末再聊年度会员',
  '孩子已完成三节课，字形进步明显，家长愿意继续',
  '电话未接，晚上八点后再拨',
  '家长比较在意点评速度，已说明 24 小时内出点评',
  '已加企业微信，发送课程介绍和学员作品对比',
  '价格有顾虑，介绍了分期和优惠券',
  '孩子期末考试，约定放假后开课',
  '家长想先看完整课表，已发送',
  '续费沟通：家长希望换到行楷课程',
  '询问物流进度，已告知单号',
] as const
const HANDING = ['新学员分配', '顾问离职，学员交接', '首年期满，转续费顾问'] as const

/** What people know of members and did for them, beside what members bought. */
export async function storeMembers(tx: Tx, business: Business, members: readonly Member[]): Promise<void> {
  await insertRows(
    tx,
    'member',
    members.map(member => memberRow(business, member)),
  )
}

export async function storeCare(tx: Tx, business: Business, members: readonly Member[], orders: readonly Order[]) {
  const { now } = business
  await insertRows(
    tx,
    'member_owner_history',
    members
      .flatMap(member => {
        const owners = ownersOf(member, now)
        return owners.map(({ at, owner }, index) => ({
          member_id: member.id,
          from_id: owners[index - 1]?.owner.id ?? null,
          to_id: owner.id,
          reason: index === 0 ? HANDING[0] : owner === member.renewal ? HANDING[2] : HANDING[1],
          staff_id: null,
          created_at: new Date(at),
        }))
      })
      .sort((a, b) => a.created_at.getTime() - b.created_at.getTime()),
  )
  await insertRows(tx, 'follow_up', followUps(business, members))
  await insertRows(tx, 'browse_record', browsings(business, orders))
}

function memberRow(business: Business, member: Member) {
  const { random, now, ledger, staff } = business
  const sums = ledger.sums(member.id, now)
  const owners = ownersOf(member, now)
  const isLearning = sums.level === 'MEMBER'
  const lately = (days: number) =>
    new Date(Math.max(member.createdAt, now.getTime() - random.whole(1, days * 24) * HOUR_MS))
  const isActive = random.chance(isLearning ? 0.85 : 0.3)
  const teachers = staff.filter(({ role }) => role === 'TEACHER')
  return {
    id: member.id,
    name: member.name,
    ...member.spelling,
    phone: member.phone,
    guardian_name: member.guardianName,
    source: member.source,
    channel: member.channel,
    status: random.chance(0.004) ? ('FROZEN' as const) : ('ACTIVE' as const),
    ...sums,
    teacher_id: sums.level === 'TRIAL' ? null : (teachers[member.id % teachers.length]?.id ?? null),
    ...owned(owners.at(-1)?.owner ?? null),
    owner_since: instant(owners.at(-1)?.at ?? null),
    tags: tagsOf(business),
    last_check_in_at: isActive ? lately(isLearning ? 12 : 120) : null,
    last_work_at: isActive && random.chance(0.9) ? lately(isLearning ? 25 : 200) : null,
    created_at: new Date(member.createdAt),
  }
}

function tagsOf({ random }: Business): string[] {
  const known = Object.keys(dictionaries.MEMBER_TAG.entries)
  return known.length === 0 || !random.chance(0.35)
    ? []
    : [...new Set([random.pick(known), ...(random.chance(0.3) ? [random.pick(known)] : [])])]
}

function followUps({ random, now }: Business, members: readonly Member[]): NewRow<'follow_up'>[] {
  const kinds = Object.keys(dictionaries.FOLLOW_UP_KIND.entries)
  const notes = members.flatMap(member =>
    Array.from({ length: random.whole(0, 3) }, (): NewRow<'follow_up'>[] => {
      const at = member.createdAt + Math.floor(random.fraction() ** 2 * (now.getTime() - member.createdAt))
      const owner = ownerAt(member, at, now)
      if (!owner) return []
      const isLate = now.getTime() - at < 10 * DAY_MS
      return [
        {
          member_id: member.id,
          kind: kinds.length > 0 ? random.pick(kinds) : 'PHONE',
          content: random.pick(SAID),
          next_at: isLate && random.chance(0.5) ? new Date(now.getTime() + random.whole(2, 120) * HOUR_MS) : null,
          staff_id: owner.id,
          created_at: new Date(at),
        },
      ]
    }).flat(),
  )
  return notes.sort((a, b) => (a.created_at as Date).getTime() - (b.created_at as Date).getTime())
}

/** Looked and left: this week's wait for a call, older ones were called, left alone, or ended in an order. */
function browsings({ random, now }: Business, orders: readonly Order[]): NewRow<'browse_record'>[] {
  const seen = new Set<string>()
  const rows = orders.flatMap((order): NewRow<'browse_record'>[] => {
    const { member } = order
    const isLate = now.getTime() - order.createdAt < 30 * DAY_MS
    if (!random.chance(isLate ? 0.4 : 0.04)) return []
    const ordered = random.chance(0.4)
    const product = ordered
      ? productNameOf(order)
      : random.pick(PRODUCTS.filter(({ kind, weight }) => kind !== 'LEAD' && weight > 0)).name
    if (seen.has(`${member.id} ${product}`)) return []
    seen.add(`${member.id} ${product}`)
    const first = Math.max(member.createdAt, order.createdAt - random.whole(1, 40) * HOUR_MS)
    const at = ordered
      ? first
      : Math.min(now.getTime(), Math.max(first, now.getTime() - random.whole(1, 20 * 24) * HOUR_MS))
    const isOpen = now.getTime() - at < 7 * DAY_MS
    return [
      {
        key: `browse:${member.id}:${product}`.slice(0, 100),
        member_id: member.id,
        product_name: product,
        times: random.whole(1, 5),
        last_seen_at: new Date(at),
        status: ordered ? 'ORDERED' : isOpen && random.chance(0.6) ? 'OPEN' : random.pick(['CONTACTED', 'DISMISSED']),
        ...owned(ownerAt(member, now.getTime(), now)),
        created_at: new Date(Math.min(first, at)),
        version: ordered ? 2 : 1,
      },
    ]
  })
  return rows.sort((a, b) => (a.created_at as Date).getTime() - (b.created_at as Date).getTime())
}
