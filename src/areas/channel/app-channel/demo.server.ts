import { PHONES, phoneAt } from '#demo/builders.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, type World } from '#demo/world.server.ts'

/** Who brings people by which channel. */
const PARTNERS = [
  ['墨云应用市场', '杭州墨云软件有限公司', 'STORE', 'HARMONY', 'com.inkstone.school.hap', 756, '王会计'],
  ['星尘直播', '杭州星尘文化传媒有限公司', 'DOUYIN_LIVE', 'WEB', null, 724, '陆经纪'],
  ['短视频种草团', '成都拾光互动科技有限公司', 'DOUYIN_VIDEO', 'MINI_APP', null, 216, '何运营'],
  ['进校园联盟', '浙江墨香教育咨询有限公司', 'SCHOOL', 'ANDROID', 'com.inkstone.school.campus', 208, '沈老师'],
  // Creators are paid as partners too.
  ['墨小白练字', '杭州白墨文化工作室', 'WECHAT_SHOP', 'WEB', null, 178, '白小姐'],
  ['陈老师讲硬笔', '陈一舟（个体）', 'SUMMER_CAMP', 'WEB', null, 165, '陈老师'],
] as const

export const partnerId = ({ ids }: World, channel: string): number => ids.named('partner', channel)

function end(world: World): void {
  world.rows.add(
    'partner',
    PARTNERS.map(([name, company, channel, platform, package_name, ago, contact_name], at) => ({
      id: partnerId(world, channel),
      name,
      company,
      channel,
      platform,
      package_name,
      contact_name,
      contact_phone: phoneAt(PHONES.partner + at),
      // One of them has no mail of its own.
      contact_email: at === 3 ? null : `settle@partner${at + 1}.example`,
      contact_by: colleague(world, 'OPERATIONS').id,
      created_at: new Date(world.now.getTime() - ago * DAY_MS),
    })),
  )
}

const KEEP = [...READ, 'create', 'update', 'export', 'reveal'] as const

export const demo: Story = { holds: { OPERATIONS: KEEP, FINANCE: READ, FINANCE_CASHIER: READ, AUDITOR: READ }, end }
