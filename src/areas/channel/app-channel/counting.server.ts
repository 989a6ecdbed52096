import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'

/** What has come of each partner's channel, and what was paid for it. Says how many figures are others than before. */
export async function countPartners({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<number> {
  const { rows } = await sql`
    with counted as (
      select p.id,
        (select count(*)::int from member m where m.channel = p.channel) as registered,
        (select count(*)::int from member m where m.channel = p.channel and m.last_work_at is not null) as activated,
        coalesce(c.orders, 0) as paid_orders, coalesce(c.gmv_fen, 0) as paid_fen,
        (select coalesce(sum(s.total_fen), 0)::bigint from settlement_statement s where s.partner_id = p.id and s.status = 'PAID') as settled_fen
      from partner p left join channel c on c.code = p.channel)
    update partner p set registered = n.registered, activated = n.activated, paid_orders = n.paid_orders, paid_fen = n.paid_fen, settled_fen = n.settled_fen
    from counted n where n.id = p.id
      and (p.registered, p.activated, p.paid_orders, p.paid_fen, p.settled_fen)
        is distinct from (n.registered, n.activated, n.paid_orders, n.paid_fen, n.settled_fen)
    returning p.id`.execute(tx)
  await sql`update partner set counted_at = ${now}`.execute(tx)
  return rows.length
}
