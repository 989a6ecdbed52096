import { READ, type RoleCode } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { CODES } from '#kit/model/contract.ts'

type Looked = { readonly role: RoleCode; readonly page: string; readonly action: string; readonly isRefused?: true }

/** What people do besides changing records: they take lists away, and try doors that are shut to them. */
const LOOKED: readonly Looked[] = [
  { role: 'SALES_MANAGER_COPY', page: 'member-list', action: 'export' },
  { role: 'TEACHER', page: 'order-list', action: 'list', isRefused: true },
  { role: 'LOGISTICS', page: 'order-refundApply', action: 'list', isRefused: true },
  { role: 'OPERATIONS', page: 'iam-resource-permission', action: 'list', isRefused: true },
]
const DAYS = 45

const chance = chanceOf('system/operation-log')

/** Every other day or so, in office hours. */
function end(world: World): void {
  const random = chance(world)
  for (let day = 1; day <= DAYS; day += 1) {
    if (random.chance(0.4)) continue
    const { role, page, action, isRefused } = random.pick(LOOKED)
    const actor = colleague(world, role)
    world.rows.add('operation_log', [
      {
        at: new Date(world.now.getTime() - day * DAY_MS + random.whole(-2 * HOUR_MS, 2 * HOUR_MS)),
        actor_id: actor.id,
        actor_name: actor.name,
        address: `10.8.${random.whole(1, 4)}.${random.whole(2, 250)}`,
        request_id: `demo-${random.whole(0, 2 ** 31).toString(36)}`,
        page,
        action,
        record_id: null,
        record_no: null,
        diff: isRefused ? {} : { rows: [null, random.whole(40, 900)] },
        reason: null,
        code: isRefused ? CODES.permission : CODES.ok,
        duration_ms: random.whole(2, 400),
        keep: 'LONG',
      },
    ])
  }
}

export const demo: Story = { holds: { AUDITOR: [...READ, 'export'] }, end }
