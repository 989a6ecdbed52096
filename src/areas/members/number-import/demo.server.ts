import { PHONES, phoneAt } from '#demo/builders.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, named, type World } from '#demo/world.server.ts'
import { addLead } from '#engines/lead/demo-leads.server.ts'

const chance = chanceOf('members/number-import')

/** Behind the numbers of registrations that were broken off. */
const FIRST = PHONES.lead + 20_000
const LISTS = [
  ['实验小学书法体验课报名.xlsx', 'SCHOOL', 'SCHOOL', 'SCHOOL', 46],
  ['老学员推荐名单.xlsx', 'REFERRAL', 'REFERRAL', 'REFERRAL', 18],
  ['抖音直播留资 11 月.csv', 'DOUYIN', 'DOUYIN_LIVE', 'FORM', 72],
  ['小红书私信留资.xlsx', 'XIAOHONGSHU', 'XIAOHONGSHU_NOTE', 'FORM', 33],
] as const

function end(world: World): void {
  const random = chance(world)
  const manager = named(
    world.staff,
    ({ role, org }) => role === 'SALES_MANAGER_COPY' && org === 'SALES_TEAM_1',
    'manager',
  )
  const sellers = world.staff.filter(({ org, role, enabled }) => org === 'SALES_TEAM_1' && role === 'SALES' && enabled)
  let nth = FIRST
  for (const [at, [title, source, channel, consent, count]] of LISTS.entries()) {
    const time = world.now.getTime() - (LISTS.length - at) * 9 * DAY_MS
    const [importId, id] = [world.ids.next('import_batch'), world.ids.next('number_batch')]
    const left = { repeated_rows: random.whole(0, 4), known_rows: random.whole(1, 9), bad_rows: random.whole(0, 5) }
    const refused = left.repeated_rows + left.known_rows + left.bad_rows
    const results: string[] = []
    for (let row = 0; row < count; row += 1) {
      nth += 1
      const phone = phoneAt(nth)
      const owner = sellers[row % sellers.length] ?? null
      const isInvalid = random.chance(0.2)
      const ended = isInvalid
        ? ({ status: 'INVALID', endedAt: time + 3 * DAY_MS } as const)
        : ({ status: 'OPEN' } as const)
      const came = { phone, name: null, source, channel, consent, cameBy: 'IMPORT', key: `import:${importId}` } as const
      const lead = addLead(world, { ...came, at: time, owner, by: manager, ...ended })
      const result = isInvalid ? 'INVALID' : 'OPEN'
      results.push(result)
      world.rows.add('number_row', [
        { batch_id: id, lead_id: lead, row_no: row + 2, phone, result, owner_id: owner?.id ?? null },
      ])
    }
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
        all_rows: all,
        new_rows: count,
        ...left,
        allocated: count,
        owner_id: manager.id,
        org_id: manager.orgId,
        created_at: new Date(time),
      },
    ])
  }
}

export const demo: Story = {
  holds: {
    SALES: [...READ, 'import', 'undoImport'],
    SALES_MANAGER_COPY: ['export'],
    AUDITOR: READ,
  },
  end,
}
