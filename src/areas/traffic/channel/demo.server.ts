import { sql } from 'kysely'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { DAY_MS, named, type World } from '#demo/world.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { countChannels } from './counting.server.ts'

/** What was set up later than the channels every business begins with. */
const LATER = [
  ['GZ_MENU', '公众号菜单', 'ACCOUNT', 'https://h5.inkstone.example/join?channel=GZ_MENU', [], 430, null],
  [
    'SUMMER_CAMP',
    '暑期硬笔营',
    'PAID',
    'https://h5.inkstone.example/camp?channel=SUMMER_CAMP',
    ['HIGH_INTENT'],
    170,
    90,
  ],
  ['SPRING_FAIR', '春季书法展', 'SCHOOL', 'https://h5.inkstone.example/fair?channel=SPRING_FAIR', [], 260, 200],
  ['CITY_POSTER', '地铁灯箱', 'OTHER', null, [], 320, null],
] as const

function end(world: World): void {
  const keeper = operator(world)
  world.rows.add(
    'channel',
    LATER.map(([code, name, channel_group, link, auto_tags, ago, until]) => ({
      code,
      name,
      channel_group,
      link,
      auto_tags: [...auto_tags],
      keeper_id: keeper,
      valid_from: addDays(dayOf(world.now), -ago),
      valid_to: until === null ? null : addDays(dayOf(world.now), -until),
      status: until !== null ? ('ENDED' as const) : code === 'CITY_POSTER' ? ('PAUSED' as const) : ('ACTIVE' as const),
      created_at: new Date(world.now.getTime() - ago * DAY_MS),
    })),
  )
}

const operator = ({ staff }: World): string =>
  named(staff, ({ role, enabled }) => role === 'OPERATIONS' && enabled, 'operations').id

/** Somebody looks after the channels every business begins with; all of them are counted. */
async function stored(tx: Tx, world: World): Promise<void> {
  await sql`
    update channel set keeper_id = ${operator(world)}, link = 'https://h5.inkstone.example/join?channel=' || code
    where keeper_id is null and channel_group in ('LIVE', 'CONTENT', 'PAID', 'SCHOOL')`.execute(tx)
  await sql`update channel set auto_tags = '{REFERRER}' where code = 'REFERRAL'`.execute(tx)
  await countChannels({ tx, now: world.now })
}

const KEEP = [...READ, 'create', 'update', 'pause', 'resume', 'export'] as const

export const demo: Story = {
  holds: { OPERATIONS: KEEP, SALES_MANAGER_COPY: READ, AUDITOR: READ },
  end,
  stored,
}
