import { sql } from 'kysely'
import { lockNumber, lockOrderNo } from '#engines/payment/number.server.ts'
import type { Tx } from '#kit/server/database/database.ts'

/** Asking its platform how an order stands. */
export const SYNC = 'platform-order-sync'

export type PlatformRow = Awaited<ReturnType<typeof lockedRow>>

export const lockedRow = (tx: Tx, id: string) =>
  tx.selectFrom('platform_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/**
 * One order's events one after another, also before its row is there; and with those that tell of it as an order of ours, or
 * of its money, which hold its number before the member too.
 */
export async function lockOrderTold(tx: Tx, platform: string, orderNo: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`platform-order ${platform} ${orderNo}`}, 0))`.execute(tx)
  await lockNumber(tx, orderNo)
  await lockOrderNo(tx, orderNo)
}
