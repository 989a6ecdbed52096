import { sql } from 'kysely'
import type { Within } from '#engines/settlement/events.server.ts'
import type { Edition, EventKind, Happening } from '#engines/settlement/model.ts'
import type { Source } from '#engines/settlement/server.ts'
import { addDays, startOfDay } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { hadAccount } from './known-before.server.ts'

/** All prices ever agreed to: what happened is paid for by that of its day. */
async function editions({ tx }: Within, partnerId: string): Promise<Edition[]> {
  const rows = await tx
    .selectFrom('settlement_price')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .where('status', '=', 'APPROVED')
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    id: row.id,
    kind: row.kind,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    priceFen: row.price_fen === null ? null : Number(row.price_fen),
    sharePermille: row.share_permille,
    windowDays: row.window_days,
    freezeDays: row.freeze_days,
    monthlyCap: row.monthly_cap,
    deductionPermille: row.deduction_permille,
  }))
}

type Found = {
  readonly kind: EventKind
  readonly subjectId: string
  readonly memberId: string
  readonly orderId: string | null
  readonly at: string
  readonly memberSince: string
  readonly baseFen: string
  readonly isStaff: boolean
  readonly isOld: boolean
}

/**
 * What came by the partner's channel since its first price and was not judged yet. Members keep the channel they came to us by, from
 * their first lead on: who ordered by the partner's and has another is not the partner's; nor is whose channel was corrected to it, which
 * one person does alone: what is owed for those is a correction of the statement.
 */
async function happenings(env: App['env'], within: Within, partnerId: string, to: string): Promise<Happening[]> {
  const before = startOfDay(addDays(to, 1))
  const { rows } = await sql<Found>`
    with paid_for as (
        select v.kind, min(v.valid_from)::timestamp at time zone 'Asia/Shanghai' as since
        from settlement_price v where v.partner_id = ${partnerId} and v.status = 'APPROVED' and coalesce(v.valid_to, v.valid_from) >= v.valid_from group by v.kind),
      brought as (
        select m.id, m.created_at, m.phone from member m join partner p on p.channel = m.channel where p.id = ${partnerId}),
      happened as (
        select k.kind, b.id as subject_id, b.id as member_id, null::bigint as order_id, b.created_at as at, 0::bigint as base_fen
          from brought b join paid_for k on k.kind = 'REGISTERED' and b.created_at >= k.since
        union all
        select k.kind, b.id, b.id, null, w.at, 0 from brought b
          join lateral (select min(submitted_at) as at from work where member_id = b.id) w on w.at is not null
          join paid_for k on k.kind = 'ACTIVATED' and w.at >= k.since
        union all
        select k.kind, b.id, b.id, o.id, o.paid_at, o.paid_fen from brought b
          join lateral (
            select o.id, o.paid_at, o.paid_fen from sales_order o where o.member_id = b.id and o.pay_state = 'PAID' and o.paid_fen > 0
            order by o.paid_at, o.id limit 1) o on true
          join paid_for k on k.kind = 'FIRST_ORDER' and o.paid_at >= k.since
        union all
        select k.kind, o.id, o.member_id, o.id, o.paid_at, o.paid_fen from partner p
          join sales_order o on o.channel = p.channel and o.pay_state = 'PAID' and o.paid_fen > 0
          join paid_for k on k.kind = 'SHARE' and o.paid_at >= k.since
          where p.id = ${partnerId})
    select h.kind, h.subject_id as "subjectId", h.member_id as "memberId", h.order_id as "orderId", h.at, m.created_at as "memberSince", h.base_fen as "baseFen",
      exists (select from staff s where s.phone = m.phone) as "isStaff",
      m.channel <> p.channel or m.entered_channel <> p.channel as "isOld"
    from happened h join member m on m.id = h.member_id join partner p on p.id = ${partnerId}
    where h.at < ${before} and h.at <= ${within.now}
      and not exists (select from settlement_event e where e.partner_id = p.id and e.kind = h.kind and e.subject_id = h.subject_id)`.execute(
    within.tx,
  )
  const given = await refunded(
    within,
    rows.flatMap(({ orderId }) => orderId ?? []),
  )
  const known = await hadAccount(
    env,
    within,
    rows.map(({ memberId }) => memberId),
  )
  return rows.map(row => ({
    ...row,
    isOld: row.isOld || known.has(row.memberId),
    at: new Date(row.at),
    memberSince: new Date(row.memberSince),
    baseFen: Number(row.baseFen),
    refundedFen: given.get(row.orderId ?? '') ?? 0,
  }))
}

/**
 * What had been given back of orders by then: by us, or by the platform that sold it, which asks nobody. The same money is often entered
 * here too, so the more of both counts; where the platform did not say how much it was the whole.
 */
async function refunded({ tx, now }: Within, orderIds: readonly string[]): Promise<Map<string, number>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<{ orderId: string; fen: string }>`
    select o.id as "orderId", greatest(
        (select coalesce(sum(r.amount_fen), 0) from refund_application r where r.order_id = o.id and r.status = 'PAID' and r.ended_at <= ${now}),
        (select coalesce(sum(coalesce(p.refunded_fen, o.paid_fen)), 0) from platform_order p
          where (p.order_id = o.id or p.order_id is null and p.platform = o.source and p.order_no = o.order_no)
            and p.refund_state = 'REFUNDED' and p.refunded_at <= ${now}))::bigint as fen
    from sales_order o where o.id = any(${orderIds}::bigint[])`.execute(tx)
  return new Map(rows.map(({ orderId, fen }) => [orderId, Number(fen)]))
}

/** What a partner is paid by; of whom it knows a number, it knows by our key alone. */
export const sourceOf = ({ env }: Pick<App, 'env'>): Source => ({
  editions,
  happenings: (within, partnerId, to) => happenings(env, within, partnerId, to),
  refunded,
})
