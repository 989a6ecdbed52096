import { notesIn } from '#areas/traffic/note/demo.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, type World } from '#demo/world.server.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import { countPublishing } from './counting.server.ts'

const chance = chanceOf('traffic/publish-line')
const AHEAD_DAYS = 14
const HOUR_MS = 3_600_000

/** Somebody planned what was published, and now and then more; the next two weeks are planned. */
function end(world: World): void {
  const random = chance(world)
  const today = dayOf(world.now)
  const whose = new Map(notesIn(world).map(({ account, operatorId }) => [account, operatorId]))
  const planned = new Map<string, { day: string; account: string; operator_id: string; planned: number }>()
  for (const { account, operatorId, at } of notesIn(world)) {
    const day = dayOf(new Date(at))
    const key = `${day} ${account} ${operatorId}`
    const known = planned.get(key) ?? { day, account, operator_id: operatorId, planned: random.chance(0.1) ? 1 : 0 }
    planned.set(key, { ...known, planned: known.planned + 1 })
  }
  for (let ahead = 0; ahead <= AHEAD_DAYS; ahead += 1)
    for (const [account, operatorId] of whose) {
      const day = addDays(today, ahead)
      const key = `${day} ${account} ${operatorId}`
      if (random.chance(0.3) && !planned.has(key))
        planned.set(key, { day, account, operator_id: operatorId, planned: 1 })
    }
  world.rows.add(
    'publish_line',
    [...planned.values()].map(line => ({ ...line, created_at: planningOf(line.day, world) })),
  )
}

/** The morning two weeks before, as far as there was one. */
function planningOf(day: string, { since, now }: World): Date {
  const morning = startOfDay(addDays(day, -AHEAD_DAYS)).getTime() + 9 * HOUR_MS
  return new Date(Math.min(Math.max(morning, since.getTime()), now.getTime()))
}

const KEEP = [...READ, 'create', 'update', 'delete', 'export'] as const

export const demo: Story = {
  holds: { OPERATIONS: KEEP, AUDITOR: READ },
  end,
  stored: (tx, { now }) => countPublishing({ tx, now }),
}
