import { sql } from 'kysely'
import { ordersByDay } from '#areas/orders/order/by-day.server.ts'
import type { Change } from '#kit/server/app.ts'
import { run } from '#kit/server/database/database.ts'
import { keptRows } from '#kit/server/statistic/roll-up.ts'

const [, byChannel] = ordersByDay

/** What has come by the channel of each teacher, from what stands. Says of how many the figures are others than before. */
export async function countTeachers({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<number> {
  const changed = await run(
    tx,
    `with own as (select channel from school_teacher),
      l as (select channel, count(*)::int as leads from lead where channel in (select channel from own) group by 1),
      m as (select channel, count(*)::int as members from member where channel in (select channel from own) group by 1),
      o as (select channel, sum(paid)::int as orders, sum(paid_fen)::bigint as paid_fen
        from ${keptRows(byChannel, ['channel', 'paid', 'paid_fen'])} k where channel in (select channel from own) group by 1),
      counted as (
        select t.id, coalesce(l.leads, 0) as leads, coalesce(m.members, 0) as members, coalesce(o.orders, 0) as orders,
          coalesce(o.paid_fen, 0) as paid_fen
        from school_teacher t left join l using (channel) left join m using (channel) left join o using (channel))
    update school_teacher t set leads = n.leads, members = n.members, orders = n.orders, paid_fen = n.paid_fen
    from counted n where n.id = t.id
      and (t.leads, t.members, t.orders, t.paid_fen) is distinct from (n.leads, n.members, n.orders, n.paid_fen)
    returning t.id`,
    [],
  )
  await sql`update school_teacher set counted_at = ${now}`.execute(tx)
  return changed.length
}
