import { productCalled } from '#areas/products/product/server.ts'
import { touchMembers } from '#engines/lead/touching.server.ts'
import type { Change } from '#kit/server/app.ts'
import { type Facts, timeOf, valueIn } from './facts.model.ts'
import type { Platform } from './platforms.server.ts'

/** By which channel an order of each platform comes; on the short-video platform what was bought in a room came by the stream. */
const CHANNELS: Readonly<Record<Platform, (isLive: boolean) => string>> = {
  DOUYIN: isLive => (isLive ? 'DOUYIN_LIVE' : 'DOUYIN_VIDEO'),
  WECHAT_SHOP: () => 'WECHAT_SHOP',
  XIAOHONGSHU: () => 'XIAOHONGSHU_NOTE',
}

type Bought = { readonly platform: string; readonly order_no: string }

/** Whoever is recognised as the buyer came by that order, when it was paid: by a number, by the platform's name for the person, or by the link. */
export async function tellBought(
  change: Change,
  { platform, order_no }: Bought,
  facts: Facts,
  memberId: string,
): Promise<void> {
  const paidAt = timeOf(facts, 'paid')
  if (paidAt === null) return
  const code = valueIn<string>(facts, 'productCode')
  const touch = {
    key: `platform:${platform}:${order_no}`,
    cameBy: 'PLATFORM_ORDER',
    source: platform,
    channel: CHANNELS[platform as Platform](valueIn<string>(facts, 'room') !== null),
    consent: 'PLATFORM_ORDER',
    about: valueIn<string>(facts, 'productName'),
    productId: code === null ? null : await productCalled(change.tx, code),
    at: new Date(paidAt),
  } as const
  await touchMembers(change, [{ id: memberId, touches: [touch] }])
}
