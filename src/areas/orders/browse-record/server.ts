import { sql } from 'kysely'
import * as z from 'zod'
import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { findMember } from '#areas/members/member/known.server.ts'
import { orderPlaced } from '#areas/orders/order/placing.server.ts'
import { ID } from '#kit/model/field.ts'
import { mask, parsePhone } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { defineEvent } from '#kit/server/live/event.ts'
import { push } from '#kit/server/live/push.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { resource, workflow } from './model.ts'

export const routes = serve(resource, { workflow, constraints: { browse_record_open: { code: 'reminded-again' } } })

const orderBrowsed = defineEvent({
  type: 'order.browsed',
  sources: ['app'],
  data: z
    .strictObject({
      /** Names the reminder: dismissing it once hides its repetitions (spec §7). */
      key: z.string().min(1).max(100),
      product: z.string().trim().min(1).max(100),
      memberId: z.string().regex(ID).optional(),
      phone: z
        .string()
        .max(40)
        .refine(typed => parsePhone(typed) !== undefined)
        .optional(),
    })
    .refine(given => given.memberId !== undefined || given.phone !== undefined),
  async apply({ app, tx, now }, { key, product, memberId, phone }) {
    const member = await findMember(tx, { memberId, phone })
    // Kept and tried again: the member's registration may be still on its way.
    if (!member) throw new Refused(refuse('orders/order:member-missing'))
    await sql`
      insert into browse_record as b (key, member_id, product_name, last_seen_at, owner_id, org_id, created_at)
      values (${key}, ${member.id}, ${product}, ${now}, ${member.ownerId}, ${member.orgId}, ${now})
      on conflict (member_id, product_name) where status in ('OPEN', 'CONTACTED')
      do update set times = b.times + 1, last_seen_at = excluded.last_seen_at, key = excluded.key, version = b.version + 1`.execute(
      tx,
    )
    await push(app, tx, {
      type: 1,
      key,
      content: {
        product,
        memberId: member.id,
        name: member.name,
        phone: phone === undefined ? null : mask('phone', parsePhone(phone) ?? ''),
      },
      ownerId: member.ownerId,
      orgId: member.orgId,
    })
  },
})
export const events = [orderBrowsed]

/** Whoever orders need not be called any more. */
export const listeners = [
  followOwner('browse_record'),
  listen(orderPlaced, async (change, { memberId, productNames }) => {
    const open = await change.tx
      .selectFrom('browse_record')
      .select(['id', 'status'])
      .where('member_id', '=', memberId)
      .where('product_name', 'in', productNames)
      .where('status', 'in', ['OPEN', 'CONTACTED'])
      .forUpdate()
      .execute()
    for (const row of open) await writeChange(change, resource, row, { status: 'ORDERED' }, 'order')
  }),
]

export const invariants: readonly Invariant[] = [
  seenByOwner('browse_record'),
  {
    name: 'a member has one open reminder for a product',
    query: `
      select member_id, product_name from browse_record where status in ('OPEN', 'CONTACTED') group by 1, 2 having count(*) > 1`,
  },
]
