import { keepsAccount } from '#areas/members/member/closing.server.ts'
import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { coinOrderApproved, coinOrderCancelled } from '#areas/orders/coin-order/server.ts'
import { orderPaid, orderUndone } from '#areas/orders/order/paying.server.ts'
import { addressChanged, goodsAskedAgain } from '#areas/orders/order/server.ts'
import { refundEffect } from '#areas/orders/refund-application/effects.server.ts'
import { numbersKept } from '#engines/sequence/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { stepTaker } from '#kit/server/change/step.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { FULFILMENT, tellOrders } from './fulfilment.server.ts'
import { lineGoods } from './line-goods.server.ts'
import { makeForCoinOrder, makeForOrder } from './making.server.ts'
import { resource } from './model.ts'
import { mergeRoutes } from './packing.server.ts'
import { paperRoutes } from './paper.server.ts'
import { piecesOut, recallGoods, redirect } from './recalling.server.ts'
import { makeAgain } from './remaking.server.ts'
import { rules } from './sending.server.ts'
import { trackingImport } from './tracking-import.server.ts'
import { serveWaiting } from './waiting.server.ts'

const served = serve(resource, rules)

export const routes: Routes = app => [...served(app), ...mergeRoutes(app), ...paperRoutes(app)]
export const imports = [trackingImport(stepTaker(resource, rules))]

/** A parcel that left has a receiver, and nobody reads who it was. */
const NOBODY = (column: string) => `case when ${column} is not null then '*****' end`

export const listeners = [
  followOwner('shipment'),
  keepsAccount('shipment', "status in ('TO_APPROVE', 'WAITING', 'HELD', 'SENT')", 'logistics/shipment:parcel-keeps'),
  forgets(
    {
      table: 'shipment',
      becomes: {
        receiver_name: NOBODY('receiver_name'),
        receiver_phone: NOBODY('receiver_phone'),
        receiver_address: NOBODY('receiver_address'),
        note: "''",
        last_event: "''",
      },
      known: ['receiver_name', 'receiver_phone', 'receiver_address'],
    },
    {
      table: 'tracking_event',
      where: 't.shipment_id in (select id from shipment where member_id = $1)',
      becomes: { content: "'-'" },
    },
  ),
  listen(orderPaid, makeForOrder),
  listen(addressChanged, (change, { orderId, receiver }) => redirect(change, orderId, receiver)),
  listen(orderUndone, async (change, { orderId }) => {
    if ((await piecesOut(change, orderId)) > 0) throw new Refused(refuse('logistics/shipment:already-left'))
    await recallGoods(change, { orderId }, 'undone')
  }),
  listen(coinOrderApproved, makeForCoinOrder),
  listen(coinOrderCancelled, async (change, { coinOrderId }) => {
    await recallGoods(change, { coinOrderId }, 'undone')
  }),
  listen(refundEffect, async (change, { name, orderId, isWhole, cancelled, sent, report }) => {
    if (name !== 'GOODS') return
    await change.tx.selectFrom('sales_order').select('id').where('id', '=', orderId).forUpdate().execute()
    // With the last of its money an order gives up what came free with it too.
    const isOf = (id: string | null) =>
      isWhole ? id === null || !sent.includes(id) : id !== null && cancelled.includes(id)
    const recalled = await recallGoods(change, { orderId, isOf }, 'refunded')
    // What was lost, and whose money is back now, is waited for no longer.
    await tellOrders(change, [orderId])
    report({ cancelled: recalled, out: await piecesOut(change, orderId) })
  }),
  listen(goodsAskedAgain, (change, { orderId }) => makeAgain(change, orderId)),
]

export const answers = [lineGoods]
export const jobs = [serveWaiting]

export const invariants: readonly Invariant[] = [
  ...numbersKept('S', { table: 'shipment', no: 'shipment_no', givenAt: 'created_at' }),
  seenByOwner('shipment'),
  {
    name: 'a parcel lists what its lines say, and a merged one carries nothing',
    query: `
      select s.id from shipment s left join (
        select shipment_id, jsonb_object_agg(base_product_id, n) as sums
        from (select shipment_id, base_product_id, sum(quantity) as n from shipment_line group by 1, 2) x group by 1
      ) l on l.shipment_id = s.id left join lateral (
        select jsonb_object_agg(p ->> 'baseProductId', (p ->> 'quantity')::int) as sums from jsonb_array_elements(s.parts) p
      ) p on true
      where l.sums is distinct from case when s.status = 'MERGED' then null else p.sums end`,
  },
  {
    name: 'goods are kept for every parcel that has not left, unless it waits for them',
    query: `
      select l.id from shipment_line l join shipment s on s.id = l.shipment_id
      where s.status in ('TO_APPROVE', 'WAITING', 'HELD')
        and l.locked <> case when s.waits_for_stock then 0 else l.quantity end`,
  },
  {
    name: 'what left and came back with a parcel stands in the book of the shelf',
    query: `
      select l.shipment_id, l.base_product_id from (
        select x.shipment_id, x.base_product_id, sum(x.returned) - sum(case when s.sent_at is null then 0 else x.quantity end) as moved
        from shipment_line x join shipment s on s.id = x.shipment_id group by 1, 2
      ) l left join (
        select shipment_id, base_product_id, sum(quantity) as moved from stock_movement where shipment_id is not null group by 1, 2
      ) m on (m.shipment_id, m.base_product_id) = (l.shipment_id, l.base_product_id)
      where l.moved <> coalesce(m.moved, 0)`,
  },
  {
    name: 'an order tells how far its parcels have come, and whether one was not let go',
    query: `
      select o.id, o.fulfil_state, f.state from sales_order o join (${FULFILMENT} group by l.order_id) f on f.id = o.id
      where (o.fulfil_state, o.goods_rejected) <> (f.state, f.is_rejected)`,
  },
  {
    name: 'goods that were asked for again are not with the parcel that was rejected as well',
    query: `
      select s.id, s.status, r.id as again from shipment r join shipment s on s.id = r.resend_of
      where r.source <> 'RESEND' and s.status not in ('REJECTED', 'CANCELLED')`,
  },
  {
    name: 'what has left is worth what it was worth that day',
    query: `
      select l.id from shipment_line l join shipment s on s.id = l.shipment_id
      where (l.value_fen is not null) <> (s.sent_at is not null)`,
  },
]
