import { sql } from 'kysely'
import { holdParts } from '#areas/logistics/base-product/stock.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { requireSettled, STANDS, tellOrders } from './fulfilment.server.ts'
import { type Line, linesOf } from './lines.server.ts'
import { makeShipment, orderOf } from './making.server.ts'

type Rejected = { id: string; goodsName: string }

/** What was not let go is made again, to be looked at anew by somebody else. The order is locked. */
export async function makeAgain(change: Change, orderId: string): Promise<void> {
  const { tx, call } = change
  await requireSettled(change, orderId)
  const { rows } = await sql<Rejected>`
    select s.id, s.goods_name as "goodsName" from shipment s
    where s.order_id = ${orderId} and s.status = 'REJECTED' and ${sql.raw(STANDS)}
    order by s.id for update of s`.execute(tx)
  const order = await orderOf(change, orderId)
  for (const { id, goodsName } of rows) {
    const lines = await linesOf(tx, id)
    const waits = !(await holdParts(change, lines))
    if (waits && !(await mayWait(change, lines))) throw new Refused(refuse('logistics/base-product:short'))
    await makeShipment(change, { ...order, goodsName, lines, waits, resendOf: id, applicantId: call.actor?.id ?? null })
  }
  await tellOrders(change, [orderId])
}

/** All of it was sold as something that may be waited for. */
async function mayWait({ tx }: Change, lines: readonly Line[]): Promise<boolean> {
  const ids = lines.flatMap(({ orderLineId }) => orderLineId ?? [])
  const sold = await tx
    .selectFrom('order_line')
    .select('may_wait')
    .where('id', 'in', ['0', ...ids])
    .execute()
  return sold.every(line => line.may_wait)
}
