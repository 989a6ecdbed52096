import { productCalled } from '#areas/products/product/server.ts'
import { nameLead } from '#engines/lead/known.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { touchMembers } from '#engines/lead/touching.server.ts'
import type { Change } from '#kit/server/app.ts'
import { type Facts, numbersOf, timeOf, valueIn } from './facts.model.ts'
import type { Platform } from './platforms.server.ts'

/** By which channel an order of each platform comes; on the short-video platform what was bought in a room came by the stream. */
const CHANNELS: Readonly<Record<Platform, (isLive: boolean) => string>> = {
  DOUYIN: isLive => (isLive ? 'DOUYIN_LIVE' : 'DOUYIN_VIDEO'),
  WECHAT_SHOP: () => 'WECHAT_SHOP',
  XIAOHONGSHU: () => 'XIAOHONGSHU_NOTE',
}

type Bought = { readonly platform: string; readonly order_no: string }

/** Whoever is recognised as the buyer came by that order, when it was paid: by a number, by the platform's name for the person, or by the link. */
export async function tellBought(change: Change, bought: Bought, facts: Facts, memberId: string): Promise<void> {
  const touch = await touchOf(change, bought, facts)
  if (touch) await touchMembers(change, [{ id: memberId, touches: [touch] }])
}

/**
 * A buyer nobody here knows yet is a lead, by the own number or one the platform decrypted: somebody has to help with registering,
 * and the course is opened then. Where the money went back before that, nobody is called for it. The numbers are locked.
 */
export async function leadOfBuyer(change: Change, bought: Bought, facts: Facts): Promise<void> {
  const [phone] = numbersOf(facts)
  const touch = facts.refunded === undefined ? await touchOf(change, bought, facts) : undefined
  if (phone === undefined || !touch) return
  const [arrived] = await arrive(change, [{ ...touch, phone, name: null, owner: null }])
  const unionid = valueIn<string>(facts, 'unionid')
  if (arrived?.leadId && unionid !== null) await nameLead(change, arrived.leadId, unionid)
}

async function touchOf({ tx }: Change, { platform, order_no }: Bought, facts: Facts) {
  const paidAt = timeOf(facts, 'paid')
  if (paidAt === null) return undefined
  const code = valueIn<string>(facts, 'productCode')
  return {
    key: `platform:${platform}:${order_no}`,
    cameBy: 'PLATFORM_ORDER',
    source: platform,
    channel: CHANNELS[platform as Platform](valueIn<string>(facts, 'room') !== null),
    consent: 'PLATFORM_ORDER',
    about: valueIn<string>(facts, 'productName'),
    productId: code === null ? null : await productCalled(tx, code),
    at: new Date(paidAt),
  } as const
}
