import { createHmac } from 'node:crypto'
import type { Env } from '#kit/server/process/env.ts'
import type { DouyinKeys } from './douyin.server.ts'
import type { SealKeys } from './sealed.server.ts'

type Machine = { readonly env: Env }

/**
 * Keys nobody has set are made up while demo data are played with: whoever plays the platforms makes the same, of the inbox's secret.
 */
const made = ({ env }: Machine, name: string): string | undefined =>
  env.SEED === 'demo' && env.INBOX_SECRET !== undefined
    ? createHmac('sha256', env.INBOX_SECRET).update(`platform ${name}`).digest('base64')
    : undefined

export function douyinKeys(machine: Machine): DouyinKeys | undefined {
  const { DOUYIN_CLIENT_KEY: key, DOUYIN_CLIENT_SECRET: secret } = machine.env
  const clientSecret = secret ?? made(machine, 'douyin')
  return clientSecret === undefined ? undefined : { clientKey: key ?? 'demo', clientSecret }
}

/** The characters of a key the platform shows: all but the sign that fills it up. */
const AES_KEY_CHARS = 43

export function channelsKeys(machine: Machine): SealKeys | undefined {
  const { WECHAT_SHOP_APP_ID: receiver, WECHAT_SHOP_TOKEN: given, WECHAT_SHOP_AES_KEY: key } = machine.env
  const token = given ?? made(machine, 'wechat-shop')
  const aesKey = key ?? made(machine, 'wechat-shop aes')?.slice(0, AES_KEY_CHARS)
  return token && aesKey ? { receiver: receiver ?? 'demo', token, aesKey } : undefined
}

export function xiaohongshuKeys(machine: Machine): { appId: string; appSecret: string } | undefined {
  const { XIAOHONGSHU_APP_ID: appId, XIAOHONGSHU_APP_SECRET: secret } = machine.env
  const appSecret = secret ?? made(machine, 'xiaohongshu')
  return appSecret === undefined ? undefined : { appId: appId ?? 'demo', appSecret }
}
