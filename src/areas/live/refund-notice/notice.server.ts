import { REFUND_PUSH } from '#kit/model/contract.ts'
import { mask } from '#kit/model/mask.ts'
import type { Change } from '#kit/server/app.ts'
import { type Row, run } from '#kit/server/database/database.ts'
import type { Source } from '#kit/server/live/event.ts'
import { push } from '#kit/server/live/push.ts'

/** Spec §3: order number, lead-course phone, registered phone and member; phones masked. */
export const contentOf = (row: Row) => ({
  pId: row.order_no,
  leadMobile: masked(row.lead_phone),
  mobilePhone: masked(row.phone),
  userId: row.member_id,
})

const masked = (phone: unknown) => (typeof phone === 'string' ? mask('phone', phone) : null)

export type Refunded = {
  readonly source: Source
  readonly orderNo: string
  readonly leadPhone: string | null
  readonly phone: string | null
  readonly member: { readonly id: string; readonly ownerId: string | null; readonly orgId: string | null } | undefined
}

/** A platform has paid somebody back: one notice, however often it is told, with what is known of the buyer by now. */
export async function raiseNotice({ app, tx, now }: Change, refunded: Refunded): Promise<void> {
  const { source, orderNo, leadPhone, phone, member } = refunded
  const [notice] = await run(
    tx,
    `insert into refund_notice as t (source, order_no, lead_phone, phone, member_id, owner_id, org_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (source, order_no) do update set lead_phone = coalesce(excluded.lead_phone, t.lead_phone),
       phone = coalesce(excluded.phone, t.phone), member_id = coalesce(excluded.member_id, t.member_id),
       owner_id = coalesce(excluded.owner_id, t.owner_id), org_id = coalesce(excluded.org_id, t.org_id)
     returning t.id::text as id, t.order_no, t.lead_phone, t.phone, t.member_id::text as member_id, xmax = 0 as is_new`,
    [source, orderNo, leadPhone, phone, member?.id ?? null, member?.ownerId ?? null, member?.orgId ?? null, now],
  )
  // Spec §7: type 8 is the short-video platform's; the other shops' refunds wait in the list alone.
  if (!notice?.is_new || source !== 'douyin') return
  await push(app, tx, {
    type: REFUND_PUSH,
    key: String(notice.id),
    content: contentOf(notice),
    ownerId: member?.ownerId ?? null,
    orgId: member?.orgId ?? null,
  })
}
