import { resource as channelOrder } from '#areas/live/channel-order/model.ts'
import { resource as dyCode } from '#areas/live/dy-code/model.ts'
import { resource as xhsOrder } from '#areas/live/xhs-order/model.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { SHOPS } from '#kit/server/live/event.ts'

export type Shop = (typeof SHOPS)[number]
export type Platform = 'DOUYIN' | 'WECHAT_SHOP' | 'XIAOHONGSHU'

/** Under which name each platform's orders are stored and sold. */
export const PLATFORM_OF: Readonly<Record<Shop, Platform>> = {
  douyin: 'DOUYIN',
  'wechat-shop': 'WECHAT_SHOP',
  xiaohongshu: 'XIAOHONGSHU',
}

export const shopOf = (platform: string): Shop =>
  (Object.keys(PLATFORM_OF) as Shop[]).find(shop => PLATFORM_OF[shop] === platform) ?? 'douyin'

const SCREENS: Readonly<Record<Platform, unknown>> = {
  DOUYIN: dyCode,
  WECHAT_SHOP: channelOrder,
  XIAOHONGSHU: xhsOrder,
}

/** The screen an order of this platform stands on: what happens to it is told there. */
export const screenOf = (platform: string): Resource => SCREENS[platform as Platform] as Resource
