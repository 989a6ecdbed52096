import * as z from 'zod'
import { defineDoor } from '#kit/server/live/door.ts'
import { channelsDoor } from './channels.server.ts'
import { douyinDoor } from './douyin.server.ts'
import { sealQuery } from './sealed.server.ts'
import { xiaohongshuDoor } from './xiaohongshu.server.ts'
import { formsDoor } from './xiaohongshu-forms.server.ts'

const texts = 'engines/platform'
const nothing = z.strictObject({})
const XIAOHONGSHU = '/open/v1/xiaohongshu/push'

/** Each platform's own door, under its own signature; open once its keys are set. */
export const doors = [
  defineDoor({
    source: 'douyin',
    path: '/open/v1/douyin/webhook',
    texts,
    query: nothing,
    summary: 'Takes what Douyin tells by webhook, under its signature.',
    open({ env: { DOUYIN_CLIENT_KEY: clientKey, DOUYIN_CLIENT_SECRET: clientSecret } }) {
      return clientKey && clientSecret ? douyinDoor({ clientKey, clientSecret }) : undefined
    },
  }),
  defineDoor({
    source: 'wechat-shop',
    path: '/open/v1/wechat-shop/messages',
    texts,
    query: sealQuery,
    summary: 'Takes sealed messages of the shop in WeChat Channels, and answers in its own word.',
    greets: true,
    open({ env: { WECHAT_SHOP_APP_ID: receiver, WECHAT_SHOP_TOKEN: token, WECHAT_SHOP_AES_KEY: aesKey } }) {
      return receiver && token && aesKey ? channelsDoor({ receiver, token, aesKey }) : undefined
    },
  }),
  defineDoor({
    source: 'xiaohongshu',
    path: XIAOHONGSHU,
    texts,
    query: nothing,
    summary: 'Takes what the shop on Xiaohongshu pushes, under its signature, where that is switched on.',
    open({ env: { XIAOHONGSHU_PUSH: push, XIAOHONGSHU_APP_ID: appId, XIAOHONGSHU_APP_SECRET: appSecret } }) {
      if (push === 'off' || !appId || !appSecret) return undefined
      return xiaohongshuDoor({ appId, appSecret, path: `/api${XIAOHONGSHU}` })
    },
  }),
  defineDoor({
    source: 'xiaohongshu',
    path: '/open/v1/xiaohongshu/lead-forms',
    texts,
    query: nothing,
    summary: 'Takes the forms people send from ads on Xiaohongshu, under the signature of their landing page.',
    open({ env: { XIAOHONGSHU_FORM_TOKEN: token } }) {
      return token ? formsDoor(token) : undefined
    },
  }),
]
