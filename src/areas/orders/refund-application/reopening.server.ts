import { lockMember } from '#areas/members/member/holding.server.ts'
import { lockOrderOfRecord, reserveRefund } from '#areas/orders/order/refunds.server.ts'
import { freeze } from '#engines/entitlement/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { known, lineAmounts, lotParts, requirePaid } from './calculation.server.ts'
import type { RefundApplication } from './model.ts'
import { settings } from './settings.model.ts'

/**
 * An application that was ended by mistake stands again: its money is set aside and what it would take back is held once more.
 * What was free meanwhile may be spent; then it has to be asked for anew.
 */
export async function reopen(op: Operation, row: RefundApplication): Promise<void> {
  await lockMember(op.tx, row.memberId)
  await requireUnpaid(op, row)
  const order = requirePaid(await lockOrderOfRecord(op, row.orderId))
  const terms = await settingsOf(op.app, settings, op.tx)
  const { lines } = await known(op.app, op.tx, { order, now: op.now, terms })
  const unsent = new Map(lines.map(line => [line.lineId, line.unsentPieces]))
  if (row.calculation.some(line => line.unsentPieces !== unsent.get(line.lineId)))
    throw new Refused(refuse('reopen-goods-left'))
  const lots = new Map(lines.flatMap(line => line.lots).map(lot => [lot.lotId, lot]))
  for (const { lotId, units, debt } of lotParts(row)) {
    const lot = lots.get(lotId)
    // Coins may fall below nothing, so their balance refuses nothing by itself.
    if (!lot || units > lot.leftUnits || debt > lot.owableUnits) throw new Refused(refuse('reopen-spent'))
  }
  await reserveRefund(op, row.orderId, lineAmounts(row), 1)
  await freeze(op, row.memberId, lotParts(row), 1)
}

/** What ended here the provider may have paid after all, and one that was judged by no terms that are known cannot be judged again. */
async function requireUnpaid({ tx }: Operation, { refundNo, terms }: RefundApplication): Promise<void> {
  const paid = await tx
    .selectFrom('provider_refund')
    .select('id')
    .where('refund_no', '=', refundNo)
    .where('status', '=', 'SUCCESS')
    .executeTakeFirst()
  if (paid) throw new Refused(refuse('reopen-paid'))
  if (terms === null) throw new Refused(refuse('reopen-old'))
}
