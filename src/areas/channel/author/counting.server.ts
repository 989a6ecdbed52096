import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'

/** What has come of each author, by the orders of the partner it is paid as. Says how many figures are others than before. */
export async function countAuthors({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<number> {
  const { rows } = await sql`
    with counted as (
      select a.id, (select count(*)::int from member m where m.channel = p.channel) as registered, d.orders, d.paid, d.refunded, d.commission
      from author a join partner p on p.id = a.partner_id
      cross join lateral (
        select count(*)::int as orders, coalesce(sum(paid_fen), 0)::bigint as paid, coalesce(sum(refunded_fen), 0)::bigint as refunded,
          coalesce(sum(commission_fen), 0)::bigint as commission
        from distribution_order where partner_id = p.id) d)
    update author a set registered = n.registered, paid_orders = n.orders, paid_fen = n.paid, refunded_fen = n.refunded, commission_fen = n.commission
    from counted n where n.id = a.id
      and (a.registered, a.paid_orders, a.paid_fen, a.refunded_fen, a.commission_fen)
        is distinct from (n.registered, n.orders, n.paid, n.refunded, n.commission)
    returning a.id`.execute(tx)
  await sql`update author set counted_at = ${now}`.execute(tx)
  return rows.length
}
