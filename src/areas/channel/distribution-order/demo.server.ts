import { sql } from 'kysely'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import type { Tx } from '#kit/server/database/database.ts'

/** Orders were stored before there were partners; what is settled of them follows by itself. */
const stored = (tx: Tx) =>
  sql`
    insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select p.id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, o.paid_at, o.paid_fen, o.refunded_fen
    from partner p join sales_order o on o.channel = p.channel and o.pay_state = 'PAID' and o.paid_fen > 0 and p.created_at <= o.paid_at
    on conflict do nothing`.execute(tx)

export const demo: Story = {
  holds: {
    SALES_MANAGER_COPY: READ,
    OPERATIONS: [...READ, 'export'],
    FINANCE: [...READ, 'export'],
    FINANCE_CASHIER: READ,
    AUDITOR: [...READ, 'export'],
  },
  stored,
}
