import type { Invariant } from '#kit/server/change/invariants.ts'
import { OPEN_STATES } from './model.ts'

const open = OPEN_STATES.map(state => `'${state}'`).join(', ')
export const refundInvariants: readonly Invariant[] = [
  {
    name: 'a refund belongs to the member, the owner and the department of its order',
    query: `
      select r.id from refund_application r join sales_order o on o.id = r.order_id
      where (r.member_id, r.owner_id, r.org_id) is distinct from (o.member_id, o.owner_id, o.org_id)`,
  },
  {
    name: 'a refund is counted under the seller, the channel and the payment of its order, and the products of its lines',
    query: `
      select r.id from refund_application r join sales_order o on o.id = r.order_id
      where (r.order_paid_at, r.sold_by, r.sold_org_id, r.channel) is distinct from (o.paid_at, o.sold_by, o.sold_org_id, o.channel)
        or not exists (
          select from refund_line x join order_line l on l.id = x.order_line_id where x.refund_id = r.id
          having array_agg(distinct l.product_name) @> r.products and array_agg(distinct l.product_name) <@ r.products)`,
  },
  {
    name: 'a refund has an end when it is paid, rejected or withdrawn, and only then',
    query: `
      select id, status, ended_at from refund_application
      where (ended_at is not null) <> (status in ('PAID', 'REJECTED', 'WITHDRAWN')) or (status = 'PAID' and ended_at is distinct from paid_at)`,
  },
  {
    name: 'a refund is the sum of its lines',
    query: `
      select r.id, r.amount_fen, sum(l.amount_fen) as lines from refund_application r left join refund_line l on l.refund_id = r.id
      group by r.id having r.amount_fen <> coalesce(sum(l.amount_fen), 0)`,
  },
  {
    name: 'a line has given back what its paid refunds say, and set aside what its open ones ask',
    query: `
      select l.id from order_line l left join (
        select x.order_line_id,
          sum(x.amount_fen) filter (where r.status = 'PAID') as paid, sum(x.amount_fen) filter (where r.status in (${open})) as open
        from refund_line x join refund_application r on r.id = x.refund_id group by 1
      ) r on r.order_line_id = l.id
      where (l.refunded_fen, l.reserved_fen) is distinct from (coalesce(r.paid, 0), coalesce(r.open, 0))`,
  },
  {
    // Whichever came last was judged beside all others: what it found taken, and what it was suggested then, is not exceeded.
    name: 'the refunds of a line give back no more than was suggested, unless finance was asked about more',
    query: `
      select l.id, l.reserved_fen + l.refunded_fen as given from order_line l join (
        select (c ->> 'lineId')::bigint as line_id, max((c ->> 'takenFen')::bigint + (c ->> 'suggestedFen')::bigint) as most,
          bool_or(r.l2_reasons @> '[{"why":"BEYOND"}]' or r.l2_reasons @> '[{"why":"EARLIER"}]') as is_asked, sum((c ->> 'amountFen')::bigint) as told
        from refund_application r, jsonb_array_elements(r.calculation) c where r.status in (${open}, 'PAID') group by 1
      ) r on r.line_id = l.id
      where not r.is_asked and l.reserved_fen + l.refunded_fen = r.told and r.told > r.most`,
  },
  {
    // Given up or rejected here, and paid by the provider after all: a person has to set it right.
    name: 'what a provider has given back for a refund stands there as paid',
    query: `
      select r.id, r.status, p.refund_no from provider_refund p join refund_application r on r.id = p.refund_id
      where p.status = 'SUCCESS' and r.status <> 'PAID'`,
  },
  {
    name: 'asking, approving and paying a refund are the work of different people',
    query: `
      select id from refund_application where applicant_id in (l1_by, l2_by, paid_by) or l1_by in (l2_by, paid_by) or l2_by = paid_by`,
  },
  {
    name: 'a refund finance has to agree to is paid only after it did',
    query: `select id from refund_application where status = 'PAID' and needs_l2 and l2_by is null`,
  },
  {
    name: 'a refund tells how much of its checklist is left',
    query: `
      select r.id, r.effects_open, count(e.id) filter (where e.status <> 'DONE') as open
      from refund_application r left join refund_effect e on e.refund_id = r.id
      group by r.id having r.effects_open <> count(e.id) filter (where e.status <> 'DONE')`,
  },
  {
    name: 'nobody decided on a refund he asked for, and nobody but the applicant withdrew one',
    query: `
      select l.id, l.action, r.id as refund_id from operation_log l join refund_application r on r.id = l.record_id
      where l.page = 'order-refundApply' and l.code = 0
        and ((l.action in ('approve', 'approveL2', 'pay', 'recordPaid', 'reject') and l.actor_id = r.applicant_id)
          or (l.action = 'withdraw' and l.actor_id <> r.applicant_id))`,
  },
]
