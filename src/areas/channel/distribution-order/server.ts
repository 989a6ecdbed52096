import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { child } from './lines/model.ts'
import { resource } from './model.ts'

const served = serve(resource)
const lines = serveChild(child)
export const routes: Routes = app => [...served(app), ...lines(app)]

export const listeners = [followOwner('distribution_order')]

export const invariants: readonly Invariant[] = [
  seenByOwner('distribution_order'),
  {
    name: 'every paid order that came by a partner is among those of partners',
    query: `
      select o.id from sales_order o join partner p on p.channel = o.channel and p.created_at <= o.paid_at
      left join distribution_order d on d.order_id = o.id and d.partner_id = p.id
      where o.pay_state = 'PAID' and o.paid_fen > 0 and d.id is null`,
  },
  {
    name: "a partner's order says what the order itself says",
    query: `
      select d.id from distribution_order d join sales_order o on o.id = d.order_id
      where o.pay_state = 'PAID' and o.paid_fen > 0
        and (d.member_id, d.channel, d.paid_fen, d.refunded_fen) is distinct from (o.member_id, o.channel, o.paid_fen, o.refunded_fen)`,
  },
  {
    name: "a partner's share of an order is what its events are worth and its lines come to",
    query: `
      select d.id from distribution_order d
      left join lateral (select coalesce(sum(worth_fen), 0) as worth from settlement_event
        where order_id = d.order_id and partner_id = d.partner_id) e on true
      left join lateral (select coalesce(sum(amount_fen), 0) as worth from settlement_line where distribution_id = d.id) l on true
      where d.commission_fen <> e.worth or d.commission_fen <> l.worth`,
  },
]
