import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import type { World } from '#demo/world.server.ts'
import { addedInDemo } from './demo-adding.server.ts'

/** How the platform calls whoever was not met but handed on. */
const HANDED_ON = '202'

/** Whom the platform told of was added with the account of the colleague. */
function end(world: World): void {
  for (const contact of world.rows.of('chat_contact'))
    if (contact.add_way !== HANDED_ON)
      addedInDemo(world, {
        how: 'CONTACT',
        staffId: String(contact.staff_id),
        contactId: Number(contact.id),
        at: contact.since as Date,
      })
}

export const demo: Story = {
  holds: {
    SALES: READ,
    SALES_MANAGER_COPY: [
      'create',
      'update',
      'export',
      'handOut',
      'moveOn',
      'reclaim',
      'limit',
      'block',
      'restore',
      'judgeRisk',
      'retire',
    ],
    AUDITOR: READ,
  },
  end,
}
