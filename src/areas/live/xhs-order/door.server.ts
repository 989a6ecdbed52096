import * as z from 'zod'
import { xiaohongshuKeys } from '#engines/platform/keys.server.ts'
import { xiaohongshuDoor } from '#engines/platform/xiaohongshu.server.ts'
import { defineDoor } from '#kit/server/live/door.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { settings } from './settings.model.ts'

const PUSH = '/open/v1/xiaohongshu/push'
/** What the platform signs. */
export const PUSHED_TO = `/api${PUSH}`

/** Shut while its keys are not set, and until people have switched it on. */
export const doors = [
  defineDoor({
    source: 'xiaohongshu',
    path: PUSH,
    texts: 'engines/platform',
    query: z.strictObject({}),
    summary: 'Takes what the shop on Xiaohongshu pushes, under its signature, where that is switched on.',
    open(app) {
      const keys = xiaohongshuKeys(app)
      return keys && xiaohongshuDoor({ ...keys, path: PUSHED_TO })
    },
    isOn: async app => (await settingsOf(app, settings)).push === 1,
  }),
]
