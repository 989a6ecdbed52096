import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { DAY_MS, type World } from '#demo/world.server.ts'

/** Who brings people by which channel. */
export const PARTNERS = [
  ['墨云应用市场', '杭州墨云软件有限公司', 'STORE', 'HARMONY', 'com.inkstone.school.hap', 232],
  ['星尘直播', '杭州星尘文化传媒有限公司', 'DOUYIN_LIVE', 'WEB', null, 224],
  ['短视频种草团', '成都拾光互动科技有限公司', 'DOUYIN_VIDEO', 'MINI_APP', null, 216],
  ['进校园联盟', '浙江墨香教育咨询有限公司', 'SCHOOL', 'ANDROID', 'com.inkstone.school.campus', 208],
] as const

export const partnerId = ({ ids }: World, channel: string): number => ids.named('partner', channel)

function end(world: World): void {
  world.rows.add(
    'partner',
    PARTNERS.map(([name, company, channel, platform, package_name, ago]) => ({
      id: partnerId(world, channel),
      name,
      company,
      channel,
      platform,
      package_name,
      created_at: new Date(world.now.getTime() - ago * DAY_MS),
    })),
  )
}

const KEEP = [...READ, 'create', 'update', 'export'] as const

export const demo: Story = { holds: { OPERATIONS: KEEP, FINANCE: READ, FINANCE_CASHIER: READ, AUDITOR: READ }, end }
