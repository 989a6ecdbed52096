import type { Random } from '#demo/builders.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
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

const NAMES = ['果果妈妈', '一诺爸爸', '乐乐妈妈', '小满外婆', '子涵妈妈', '天天爸爸'] as const

/** A parent adds a consultant who has a company account, as consultants ask them to. */
async function add({ db, clock }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
  const staff = await db.read.rows(
    `select s.account from chat_account a join chat_account_holder h on h.account_id = a.id and h.until is null
     join staff s on s.id = h.staff_id where a.kind = 'WECOM' and s.status = 'ENABLED' order by s.id limit 50`,
    [],
  )
  if (staff.length === 0) return undefined
  const who = {
    userId: String(random.pick(staff).account),
    externalId: `wmNow${random.whole(0, 2 ** 31).toString(36)}`,
  }
  const data = { ...who, at: clock.now().toISOString(), name: random.pick(NAMES), addWay: random.pick(['1', '16']) }
  return { source: 'wecom', type: 'contact.added', data }
}

/** Somebody takes a consultant off again. */
async function leave({ db, clock }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
  const [contact] = await db.read.rows(
    `select s.account, c.external_id from chat_contact c join staff s on s.id = c.staff_id
     where c.status = 'HELD' and s.status = 'ENABLED' order by c.id desc limit 1 offset $1`,
    [random.whole(0, 40)],
  )
  if (!contact) return undefined
  const who = { userId: String(contact.account), externalId: String(contact.external_id) }
  return { source: 'wecom', type: 'contact.lost', data: { ...who, at: clock.now().toISOString(), by: 'CUSTOMER' } }
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
  scenes: [
    [add, 4],
    [leave, 1],
  ],
}
