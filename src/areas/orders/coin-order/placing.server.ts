import { sql } from 'kysely'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { findMember, type KnownMember, requireActive } from '#areas/members/member/known.server.ts'
import type { Receiver } from '#areas/orders/order/placing.server.ts'
import { takePiece } from '#areas/products/coin-goods/server.ts'
import { spend } from '#engines/entitlement/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/database/database.ts'

type NewCoinOrder = {
  readonly member: KnownMember
  readonly coinGoodsId: string
  readonly receiver: Receiver
}
type PlacedCoinOrder = { readonly id: string; readonly orderNo: string; readonly cashFen: number }

/** One piece for a member's coins: the quota, the person's limit and the coins hold whoever else orders at the same time. */
export async function placeCoinOrder(change: Change, order: NewCoinOrder): Promise<PlacedCoinOrder> {
  const { tx, now } = change
  const { member, receiver } = order
  requireActive(member)
  await lockMember(tx, member.id)
  const goods = await takePiece(change, order.coinGoodsId)
  await requireWithinLimit(tx, goods, member.id)
  const orderNo = await nextNumber(change, 'C')
  const { id } = await tx
    .insertInto('coin_order')
    .values({
      order_no: orderNo,
      member_id: member.id,
      coin_goods_id: goods.id,
      goods_name: goods.name,
      coins: goods.coins,
      cash_fen: goods.cashFen,
      receiver_name: receiver.name,
      receiver_phone: receiver.phone,
      receiver_province: receiver.province,
      receiver_address: receiver.address,
      owner_id: member.ownerId,
      org_id: member.orgId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await spend(change, { memberId: member.id, kind: 'COINS', units: goods.coins, note: orderNo, coinOrderId: id })
  return { id, orderNo, cashFen: goods.cashFen }
}

/** Locked at once and not shared first: two orders of one member would wait for each other. */
export async function lockKnownMember(
  tx: Tx,
  { memberId, phone }: { memberId: string | undefined; phone: string | undefined },
): Promise<KnownMember | undefined> {
  const locked = await tx
    .selectFrom('member')
    .select('id')
    .where(eb => (memberId === undefined ? eb('phone', '=', parsePhone(phone ?? '') ?? '') : eb('id', '=', memberId)))
    .forUpdate()
    .executeTakeFirst()
  return locked && findMember(tx, { memberId: locked.id })
}

/** As `placeCoinOrder`, but an order that cannot be had leaves nothing behind and is answered by its reason. */
export async function tryCoinOrder(change: Change, order: NewCoinOrder): Promise<PlacedCoinOrder | Refused> {
  await sql`savepoint coin_order`.execute(change.tx)
  try {
    return await placeCoinOrder(change, order)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await sql`rollback to savepoint coin_order`.execute(change.tx)
    return error
  }
}

async function requireWithinLimit(
  tx: Tx,
  { id, perPerson }: { id: string; perPerson: number },
  memberId: string,
): Promise<void> {
  const { count } = await tx
    .selectFrom('coin_order')
    .select(eb => eb.fn.countAll<string>().as('count'))
    .where('member_id', '=', memberId)
    .where('coin_goods_id', '=', id)
    .where('status', '<>', 'CANCELLED')
    .executeTakeFirstOrThrow()
  if (Number(count) >= perPerson) throw new Refused(refuse('orders/coin-order:per-person', { count: perPerson }))
}
