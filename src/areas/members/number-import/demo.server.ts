import { sql } from 'kysely'
import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { PHONES, phoneAt } from '#demo/builders.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, named, type World } from '#demo/world.server.ts'
import { addLead, isKnown } from '#engines/lead/demo-leads.server.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { countBatches, tellOfSpans } from './counting.server.ts'

const chance = chanceOf('members/number-import')

/** Behind the numbers of registrations that were broken off. */
const FIRST = PHONES.lead + 20_000
const LISTS = [
  ['实验小学书法体验课报名.xlsx', 'SCHOOL', 'SCHOOL', 'SCHOOL', 46],
  ['老学员推荐名单.xlsx', 'REFERRAL', 'REFERRAL', 'REFERRAL', 18],
  ['抖音直播留资 11 月.csv', 'DOUYIN', 'DOUYIN_LIVE', 'FORM', 72],
  ['小红书私信留资.xlsx', 'XIAOHONGSHU', 'XIAOHONGSHU_NOTE', 'FORM', 33],
] as const

/** Who joined from that source since, and is known by nothing else: at most a quarter of a list. */
const newcomers = (world: World, source: string, since: number, count: number): readonly Member[] =>
  membersOf(world)
    .filter(member => member.source === source && member.createdAt > since && !isKnown(world, member.id))
    .slice(0, Math.floor(count / 4))

type List = (typeof LISTS)[number]
type Brought = { readonly id: number; readonly importId: number; readonly time: number; readonly manager: Colleague }

/** The numbers of a list, each with its lead; gives how many came into somebody's hands. */
function addNumbers(world: World, [, source, channel, consent, count]: List, brought: Brought, first: number): number {
  const random = chance(world)
  const { id, importId, time, manager } = brought
  const sellers = world.staff.filter(({ org, role, enabled }) => org === 'SALES_TEAM_1' && role === 'SALES' && enabled)
  const came = {
    name: null,
    source,
    channel,
    consent,
    cameBy: 'IMPORT',
    key: `import:${importId}`,
    by: manager,
  } as const
  const joined = newcomers(world, source, time, count)
  // Of the newest list some wait for somebody.
  const isNewest = source === LISTS.at(-1)?.[1]
  let allocated = 0
  for (let row = 0; row < count; row += 1) {
    const member = joined[row]
    const phone = member?.phone ?? phoneAt(first + row)
    const isWaiting = !member && isNewest && row % 5 === 0
    const seller = isWaiting ? null : (sellers[row % sellers.length] ?? null)
    const owner = member ? ownerAt(member, world.now.getTime(), world.now) : seller
    const isInvalid = !member && !isWaiting && random.chance(0.2)
    const lead = addLead(world, {
      ...came,
      phone,
      at: time,
      owner,
      ...(isInvalid ? { status: 'INVALID', endedAt: time + 3 * DAY_MS } : { status: 'OPEN' }),
      ...(member && { became: { memberId: member.id, at: member.createdAt } }),
    })
    const result = isInvalid ? 'INVALID' : member ? 'REGISTERED' : 'OPEN'
    const seen = { owner_id: owner?.id ?? null, org_id: owner?.orgId ?? manager.orgId, created_at: new Date(time) }
    world.rows.add('number_row', [{ batch_id: id, lead_id: lead, row_no: row + 2, phone, result, ...seen }])
    allocated += owner ? 1 : 0
  }
  return allocated
}

function end(world: World): void {
  const random = chance(world)
  const manager = named(
    world.staff,
    ({ role, org }) => role === 'SALES_MANAGER_COPY' && org === 'SALES_TEAM_1',
    'manager',
  )
  let first = FIRST + 1
  for (const [at, list] of LISTS.entries()) {
    const [title, source, , consent, count] = list
    const time = world.now.getTime() - (LISTS.length - at) * 9 * DAY_MS
    const [importId, id] = [world.ids.next('import_batch'), world.ids.next('number_batch')]
    const left = { repeated_rows: random.whole(0, 4), known_rows: random.whole(1, 9), bad_rows: random.whole(0, 5) }
    const refused = left.repeated_rows + left.known_rows + left.bad_rows
    const allocated = addNumbers(world, list, { id, importId, time, manager }, first)
    first += count
    const all = count + refused
    world.rows.add('import_batch', [
      {
        id: importId,
        page: 'member-salePhone',
        title,
        // Swept long ago; the same in every demo business.
        file_id: `00000000-0000-4000-8000-${String(importId).padStart(12, '0')}`,
        head: ['手机号'],
        status: 'DONE',
        all_rows: all,
        good_rows: count,
        bad_rows: refused,
        done_rows: count,
        run_to: all + 1,
        staff_id: manager.id,
        created_at: new Date(time),
        ended_at: new Date(time),
      },
    ])
    world.rows.add('number_batch', [
      {
        id,
        import_id: importId,
        title,
        came_from: source,
        // What people leave themselves they tick a box for; a school hands over who signed up.
        marketing: consent === 'FORM' ? 'AGREED' : 'NOT_AGREED',
        evidence: consent === 'FORM' ? '留资页勾选，页面存档' : null,
        all_rows: all,
        new_rows: count,
        ...left,
        allocated,
        owner_id: manager.id,
        org_id: manager.orgId,
        created_at: new Date(time),
      },
    ])
  }
}

/** What became of the numbers once everything had happened. */
async function tellWhatCame(tx: Tx): Promise<void> {
  const { rows } = await sql<{ leadId: string; batchId: string }>`
    update number_row r set result = case when r.result = 'REGISTERED' and l.status = 'DEAL' then 'PAID' else r.result end
    from lead l where l.id = r.lead_id returning r.lead_id as "leadId", r.batch_id as "batchId"`.execute(tx)
  await tellOfSpans(
    tx,
    rows.map(({ leadId }) => leadId),
  )
  await countBatches(tx, [...new Set(rows.map(({ batchId }) => batchId))])
}

export const demo: Story = {
  holds: {
    SALES: [...READ, 'import', 'undoImport'],
    SALES_MANAGER_COPY: ['export'],
    AUDITOR: READ,
  },
  end,
  stored: tellWhatCame,
}
