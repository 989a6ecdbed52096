import { CAMPAIGNS } from '#areas/traffic/lead-form/demo.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, type World } from '#demo/world.server.ts'
import { dayOf } from '#kit/model/time.ts'
import { countAdLines } from './counting.server.ts'

const chance = chanceOf('traffic/ad-line')
const DAYS = 730

/** Every campaign ran on most days; what a click cost hardly moved. */
function end(world: World): void {
  const random = chance(world)
  for (let ago = DAYS; ago >= 1; ago -= 1)
    for (const [plan, plan_name, account] of CAMPAIGNS) {
      if (!random.chance(0.7)) continue
      const views = random.whole(800, 6_000)
      const clicks = Math.round(views * (0.012 + random.fraction() * 0.02))
      const at = new Date(world.now.getTime() - ago * DAY_MS)
      const spend = clicks * random.whole(90, 160)
      world.rows.add('ad_line', [
        { day: dayOf(at), account, plan, plan_name, spend_fen: spend, views, clicks, created_at: at },
      ])
    }
}

const KEEP = [...READ, 'create', 'update', 'delete', 'import', 'export'] as const

export const demo: Story = {
  holds: { OPERATIONS: KEEP, FINANCE: READ, AUDITOR: READ },
  end,
  stored: tx => countAdLines({ tx }),
}
