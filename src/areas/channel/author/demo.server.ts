import { partnerId } from '#areas/channel/app-channel/demo.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { DAY_MS, type World } from '#demo/world.server.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { countAuthors } from './counting.server.ts'

const AUTHORS = [
  ['墨小白练字', 'WECHAT_CHANNELS', 'moxiaobai_write', 128_400, 180_000, 'WECHAT_SHOP', 178],
  ['陈老师讲硬笔', 'BILIBILI', 'chen-yingbi', 36_900, 90_000, 'SUMMER_CAMP', 165],
] as const

function end(world: World): void {
  world.rows.add(
    'author',
    AUTHORS.map(([name, platform, account, followers, post_fen, channel, ago]) => ({
      ...{ name, platform, account, followers, post_fen, partner_id: partnerId(world, channel) },
      created_at: new Date(world.now.getTime() - ago * DAY_MS),
    })),
  )
}

const stored = (tx: Tx, { now }: World) => countAuthors({ tx, now })

const KEEP = [...READ, 'create', 'update', 'export'] as const

export const demo: Story = { holds: { OPERATIONS: KEEP, FINANCE: READ, AUDITOR: READ }, end, stored }
