import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Seller } from '#kit/server/live/event.ts'

const SHOPS: Readonly<Record<string, Seller>> = {
  DOUYIN: 'douyin',
  WECHAT_SHOP: 'wechat-shop',
  XIAOHONGSHU: 'xiaohongshu',
}
/** Made in the console: no sender has anything to say about them. */
const OWN: ReadonlySet<string> = new Set(['OFFLINE', 'REDEMPTION'])

/** Who brings orders of this source, and may tell what becomes of them: a shop its own, the app all others that come from outside. */
export const senderOf = (orderSource: string): Seller | undefined =>
  SHOPS[orderSource] ?? (OWN.has(orderSource) ? undefined : 'app')

/** A sender speaks of its own orders alone; one nobody has heard of yet may still be its own. */
export async function requireOwnOrder(tx: Tx, orderNo: string, sender: Seller): Promise<void> {
  const order = await tx.selectFrom('sales_order').select('source').where('order_no', '=', orderNo).executeTakeFirst()
  if (order && senderOf(order.source) !== sender) throw new Refused(refuse('orders/order:order-of-another'))
}
