import { sql } from 'kysely'
import type { Tx } from '#kit/server/database/database.ts'

export type PlatformRow = Awaited<ReturnType<typeof lockedRow>>

export const lockedRow = (tx: Tx, id: string) =>
  tx.selectFrom('platform_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** One order's events one after another, also before its row is there. */
export const lockOrderTold = (tx: Tx, platform: string, orderNo: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`platform-order ${platform} ${orderNo}`}, 0))`.execute(tx)
