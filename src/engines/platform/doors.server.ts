import * as z from 'zod'
import { defineDoor } from '#kit/server/live/door.ts'
import { channelsDoor } from './channels.server.ts'
import { douyinDoor } from './douyin.server.ts'
import { channelsKeys, douyinKeys } from './keys.server.ts'
import { sealQuery } from './sealed.server.ts'
import { formsDoor } from './xiaohongshu-forms.server.ts'

const texts = 'engines/platform'
const nothing = z.strictObject({})

/** Each platform's own door, under its own signature; open once its keys are set. One more stands with what switches it on (live/xhs-order). */
export const doors = [
  defineDoor({
    source: 'douyin',
    path: '/open/v1/douyin/webhook',
    texts,
    query: nothing,
    summary: 'Takes what Douyin tells by webhook, under its signature.',
    open(app) {
      const keys = douyinKeys(app)
      return keys && douyinDoor(keys)
    },
  }),
  defineDoor({
    source: 'wechat-shop',
    path: '/open/v1/wechat-shop/messages',
    texts,
    query: sealQuery,
    summary: 'Takes sealed messages of the shop in WeChat Channels, and answers in its own word.',
    greets: true,
    open(app) {
      const keys = channelsKeys(app)
      return keys && channelsDoor(keys)
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
