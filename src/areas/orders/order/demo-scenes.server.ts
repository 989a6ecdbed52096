import { heldCoupon } from '#areas/products/coupon/demo.server.ts'
import { onSale, PRODUCTS } from '#areas/products/product/demo.server.ts'
import { addressOf, type Random } from '#demo/builders.server.ts'
import { digits, type Outside, type SimulatedEvent } from '#demo/scene.server.ts'
import type { Row } from '#kit/server/database/database.ts'
import { isPlatform } from './demo-trade.server.ts'
import { senderOf } from './sender.server.ts'

export async function order(outside: Outside, random: Random, member: Row): Promise<SimulatedEvent | undefined> {
  const product = await onSale(outside, random)
  if (!product) return undefined
  const { phone } = member
  const isLead = PRODUCTS.some(({ code, kind }) => code === product.code && kind === 'LEAD')
  const source = isLead ? random.pick(['DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP', 'APP']) : random.pick(['APP', 'LINK'])
  const receiver = product.goods
    ? { receiver: { name: String(member.guardian_name ?? '家长'), phone: String(phone), ...addressOf(random) } }
    : {}
  const coupon = isPlatform(source) ? undefined : await heldCoupon(outside, member, product)
  return {
    source: senderOf(source) ?? 'app',
    type: 'order.placed',
    data: { phone, productCode: product.code, source, ...receiver, ...(coupon ? { couponId: coupon } : {}) },
  }
}

/** Most pay what they owe, once and in time; some do not, and their money fits nothing. */
export async function pay({ db, clock }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
  const luck = random.fraction()
  const state = luck < 0.04 ? 'PAID' : luck < 0.08 ? 'CLOSED' : 'UNPAID'
  const [owed] = await db.read.rows(
    `select o.order_no, o.amount_fen, o.source from sales_order o
     where o.pay_state = $1 and o.amount_fen > 0 and o.source not in ('OFFLINE', 'REDEMPTION') order by o.id desc limit 1 offset $2`,
    [state, random.whole(0, 3)],
  )
  if (!owed) return undefined
  const provider = isPlatform(String(owed.source)) ? 'PLATFORM' : random.chance(0.3) ? 'ALIPAY' : 'WECHAT'
  const wrong = state === 'UNPAID' && random.chance(0.03) ? 100 : 0
  return {
    source: senderOf(String(owed.source)) ?? 'app',
    type: 'order.paid',
    data: {
      orderNo: owed.order_no,
      provider,
      providerNo: `${provider.slice(0, 2)}${digits(random, 24)}`,
      amountFen: Number(owed.amount_fen) + wrong,
      paidAt: clock.now().toISOString(),
    },
  }
}
