import { sql } from 'kysely'
import { holdParts, type Part, requireParts } from '#areas/logistics/base-product/stock.server.ts'
import { partsOfKit } from '#areas/logistics/goods-kit/server.ts'
import type { ApprovedCoinOrder } from '#areas/orders/coin-order/server.ts'
import type { PaidOrder } from '#areas/orders/order/paying.server.ts'
import type { Receiver } from '#areas/orders/order/placing.server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { tellOrders } from './fulfilment.server.ts'
import { goodsNameOf, type Line, named } from './lines.server.ts'
import { resource, type Shipment } from './model.ts'

const REPEAT_DAYS = 30

/** So many of a base product, and whose they are. */
export type NewLine = Part & Pick<Line, 'orderId' | 'orderLineId' | 'coinOrderId'> & Partial<Pick<Line, 'kitEditionId'>>

type NewShipment = {
  readonly source: Shipment['source']
  readonly memberId: string
  readonly receiver: Receiver | undefined
  readonly goodsName: string
  readonly lines: readonly NewLine[]
  readonly ownerId: string | null
  readonly orgId: string | null
  readonly orderId?: string | null
  readonly coinOrderId?: string
  readonly resendOf?: string
  readonly applicantId?: string | null
  readonly decidedBy?: string | null
  /** Nothing is kept for it yet: it waits for goods. */
  readonly waits?: boolean
  readonly status?: 'TO_APPROVE' | 'WAITING'
  readonly note?: string
}

/** Makes a parcel of goods that have been promised to it, or that it waits for. */
export async function makeShipment(change: Change, given: NewShipment): Promise<string> {
  const { tx, now, call } = change
  const { receiver, lines, waits = false } = given
  const { id } = await tx
    .insertInto('shipment')
    .values({
      shipment_no: await nextNumber(change, 'S'),
      source: given.source,
      order_id: given.orderId ?? null,
      coin_order_id: given.coinOrderId ?? null,
      resend_of: given.resendOf ?? null,
      member_id: given.memberId,
      receiver_name: receiver?.name ?? null,
      receiver_phone: receiver?.phone ?? null,
      province: receiver?.province ?? null,
      receiver_address: receiver?.address ?? null,
      goods_name: given.goodsName,
      parts: JSON.stringify(await named(tx, lines)),
      waits_for_stock: waits,
      status: given.status ?? 'TO_APPROVE',
      is_repeat: await isRepeat(change, given),
      applicant_id: given.applicantId ?? null,
      decided_by: given.decidedBy ?? null,
      note: given.note ?? '',
      owner_id: given.ownerId,
      org_id: given.orgId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('shipment_line')
    .values(
      lines.map(line => ({
        shipment_id: id,
        base_product_id: line.baseProductId,
        order_id: line.orderId,
        order_line_id: line.orderLineId,
        coin_order_id: line.coinOrderId,
        kit_edition_id: line.kitEditionId ?? null,
        quantity: line.quantity,
        locked: waits ? 0 : line.quantity,
      })),
    )
    .execute()
  await record(tx, call, { page: resource.screen.key, action: 'create', recordId: id })
  return id
}

/** The same goods went to the same member a short while ago, and not by the same order. */
async function isRepeat({ tx, now }: Change, { memberId, orderId, source, lines }: NewShipment): Promise<boolean> {
  const ids = lines.map(({ baseProductId }) => baseProductId)
  const since = new Date(now.getTime() - REPEAT_DAYS * 86_400_000)
  const own = source === 'RESEND' ? null : (orderId ?? null)
  const { rows } = await sql`
    select 1 from shipment s where s.member_id = ${memberId} and s.created_at > ${since}
      and s.status not in ('REJECTED', 'CANCELLED', 'MERGED')
      and (${own}::bigint is null or s.order_id is distinct from ${own}::bigint)
      and exists (select 1 from shipment_line l where l.shipment_id = s.id and l.base_product_id = any(${ids}::bigint[]))
    limit 1`.execute(tx)
  return rows.length > 0
}

type Wanted = { readonly name: string; readonly mayWait: boolean; readonly lines: readonly NewLine[] }

/** A paid order with goods: what is there is promised to it, what is not is waited for or refuses the sale. */
export async function makeForOrder(change: Change, { orderId, lines }: PaidOrder): Promise<void> {
  const wanted: Wanted[] = []
  for (const line of lines) {
    for (const { kind, kitId, quantity } of line.grants) {
      if (kind !== 'GOODS' || kitId === null) continue
      const { name, editionId, parts } = await partsOfKit(change.tx, kitId, quantity * line.quantity)
      const whose = { orderId, orderLineId: line.id, coinOrderId: null, kitEditionId: editionId }
      wanted.push({ name, mayWait: line.mayWait, lines: parts.map(part => ({ ...part, ...whose })) })
    }
  }
  if (wanted.length === 0) return
  const { ready, waiting } = await promise(change, wanted)
  const shared = await orderOf(change, orderId)
  for (const [group, waits] of [[ready, false] as const, [waiting, true] as const]) {
    if (group.length === 0) continue
    const goodsName = goodsNameOf(group.map(({ name }) => name))
    await makeShipment(change, { ...shared, goodsName, waits, lines: group.flatMap(one => one.lines) })
  }
  await tellOrders(change, [orderId])
}

/** What an order says of its parcels. */
export async function orderOf({ tx }: Change, orderId: string) {
  const order = await tx
    .selectFrom('sales_order')
    .select(['source', 'member_id', 'owner_id', 'org_id'])
    .select(['receiver_name', 'receiver_phone', 'receiver_province', 'receiver_address'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return {
    source: order.source === 'REDEMPTION' ? ('REDEMPTION' as const) : ('ORDER' as const),
    memberId: order.member_id,
    orderId,
    receiver: receiverOf(order),
    ownerId: order.owner_id,
    orgId: order.org_id,
  }
}

/** Promises everything at once; when that is too much, kit by kit. By then the rows are locked, in their order. */
async function promise(change: Change, wanted: readonly Wanted[]) {
  if (
    await holdParts(
      change,
      wanted.flatMap(({ lines }) => lines),
    )
  )
    return { ready: wanted, waiting: [] }
  const ready: Wanted[] = []
  const waiting: Wanted[] = []
  for (const one of wanted) {
    if (await holdParts(change, one.lines)) ready.push(one)
    else if (one.mayWait) waiting.push(one)
    else throw new Refused(refuse('logistics/base-product:short'))
  }
  return { ready, waiting }
}

type Addressed = Record<'receiver_name' | 'receiver_phone' | 'receiver_province' | 'receiver_address', string | null>

function receiverOf(order: Addressed): Receiver | undefined {
  const { receiver_name: name, receiver_phone: phone, receiver_province: province, receiver_address: address } = order
  return name && phone && province && address ? { name, phone, province, address } : undefined
}

/** Goods for coins: there at once, or the approval is refused. Whoever approved it does not let it go too. */
export async function makeForCoinOrder(change: Change, approved: ApprovedCoinOrder): Promise<void> {
  const { coinOrderId, memberId, receiver, baseProductId, quantity, name } = approved
  const line = { baseProductId, quantity, orderId: null, orderLineId: null, coinOrderId }
  await requireParts(change, [line])
  const owner = await change.tx
    .selectFrom('coin_order')
    .select(['owner_id', 'org_id'])
    .where('id', '=', coinOrderId)
    .executeTakeFirstOrThrow()
  await makeShipment(change, {
    source: 'COIN_ORDER',
    memberId,
    coinOrderId,
    receiver,
    goodsName: name,
    lines: [line],
    ownerId: owner.owner_id,
    orgId: owner.org_id,
    applicantId: change.call.actor?.id ?? null,
  })
}
