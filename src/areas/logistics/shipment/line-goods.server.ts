import { sql } from 'kysely'
import { goodsOfLines } from '#areas/orders/refund-application/calculation.server.ts'
import { fen } from '#kit/model/money.ts'
import { answer } from '#kit/server/change/question.ts'
import { STANDS } from './fulfilment.server.ts'

/** What was lost on the way nobody holds; a parcel that was not let go stands until it is made again. */
export const lineGoods = answer(goodsOfLines, async (_app, { db, lineIds }) => {
  const { rows } = await sql<{ id: string; sent: string; unsent: string; pieces: string }>`
    select l.order_line_id as id,
      coalesce(sum((l.quantity - l.returned) * l.value_fen) filter (where s.status in ('SENT', 'SIGNED', 'RETURNED')), 0) as sent,
      coalesce(sum(l.quantity * p.value_fen) filter (where s.sent_at is null), 0) as unsent,
      coalesce(sum(l.quantity) filter (where s.sent_at is null), 0) as pieces
    from shipment_line l join shipment s on s.id = l.shipment_id join base_product p on p.id = l.base_product_id
    where l.order_line_id = any(${lineIds}::bigint[]) and s.status not in ('CANCELLED', 'LOST') and ${sql.raw(STANDS)}
    group by 1`.execute(db)
  return new Map(
    rows.map(row => [row.id, { sentFen: fen(row.sent), unsentFen: fen(row.unsent), unsentPieces: Number(row.pieces) }]),
  )
})
