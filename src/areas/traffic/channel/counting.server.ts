import { sql } from 'kysely'
import { ordersByDay } from '#areas/orders/order/by-day.server.ts'
import type { Change } from '#kit/server/app.ts'
import { run } from '#kit/server/database/database.ts'
import { keptRows } from '#kit/server/statistic/roll-up.ts'

const [, byChannel] = ordersByDay

/**
 * What has come of each channel, from what stands: leads and members as they name it, orders and money by the channel of the
 * sale. Says how many figures are others than before.
 */
export async function countChannels({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<number> {
  const changed = await run(
    tx,
    `with l as (select channel, count(*)::int as leads from lead group by 1),
      m as (select channel, count(*)::int as members from member group by 1),
      o as (select channel, sum(paid)::int as orders, sum(paid_fen)::bigint as gmv_fen
        from ${keptRows(byChannel, ['channel', 'paid', 'paid_fen'])} k group by 1),
      r as (select channel, sum(amount_fen)::bigint as refunded_fen from refund_application where status = 'PAID' group by 1),
      counted as (
        select c.id, coalesce(l.leads, 0) as leads, coalesce(m.members, 0) as members, coalesce(o.orders, 0) as orders,
          coalesce(o.gmv_fen, 0) as gmv_fen, coalesce(r.refunded_fen, 0) as refunded_fen
        from channel c left join l on l.channel = c.code left join m on m.channel = c.code
          left join o on o.channel = c.code left join r on r.channel = c.code)
    update channel c set leads = n.leads, members = n.members, orders = n.orders, gmv_fen = n.gmv_fen, refunded_fen = n.refunded_fen
    from counted n where n.id = c.id
      and (c.leads, c.members, c.orders, c.gmv_fen, c.refunded_fen) is distinct from (n.leads, n.members, n.orders, n.gmv_fen, n.refunded_fen)
    returning c.id`,
    [],
  )
  await sql`update channel set counted_at = ${now}`.execute(tx)
  return changed.length
}
