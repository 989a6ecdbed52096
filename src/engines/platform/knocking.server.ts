import { createCipheriv, randomBytes } from 'node:crypto'
import { type DouyinKeys, douyinSignature } from './douyin.server.ts'
import { type SealKeys, sealSignature } from './sealed.server.ts'
import { type XiaohongshuKeys, xiaohongshuSign } from './xiaohongshu.server.ts'

/** What a platform brings to its door, as whoever plays it does: its own words under its own signature. */
export type Brought = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const JSON_TYPE = { 'content-type': 'application/json' }
const seconds = (now: Date): string => String(Math.floor(now.getTime() / 1_000))

export type Webhook = { readonly event: string; readonly id: string; readonly content: object }

export function fromDouyin({ clientKey, clientSecret }: DouyinKeys, { event, id, content }: Webhook): Brought {
  const said = {
    event,
    client_key: clientKey,
    from_user_id: '',
    content: JSON.stringify(content),
    log_id: `demo-${id}`,
  }
  const body = JSON.stringify(said)
  const signature = douyinSignature(clientSecret, Buffer.from(body))
  return {
    path: '/api/open/v1/douyin/webhook',
    headers: { ...JSON_TYPE, 'x-douyin-signature': signature, 'msg-id': id },
    body,
  }
}

export function fromChannels({ receiver, token, aesKey }: SealKeys, message: object, now: Date): Brought {
  const sealed = seal(JSON.stringify(message), receiver, aesKey)
  const [timestamp, nonce] = [seconds(now), randomBytes(6).toString('hex')]
  const query = new URLSearchParams({
    timestamp,
    nonce,
    msg_signature: sealSignature(token, timestamp, nonce, sealed),
  })
  return {
    path: `/api/open/v1/wechat-shop/messages?${query}`,
    headers: JSON_TYPE,
    body: JSON.stringify({ ToUserName: 'gh_demo', Encrypt: sealed }),
  }
}

const BLOCK = 32

function seal(message: string, receiver: string, aesKey: string): string {
  const key = Buffer.from(`${aesKey}=`, 'base64')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(message))
  const plain = Buffer.concat([randomBytes(16), length, Buffer.from(message), Buffer.from(receiver)])
  const padding = BLOCK - (plain.length % BLOCK)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  return cipher.update(Buffer.concat([plain, Buffer.alloc(padding, padding)])).toString('base64')
}

export type Push = { readonly msgTag: string; readonly data: object }

export function fromXiaohongshu(keys: XiaohongshuKeys, pushes: readonly Push[], now: Date): Brought {
  const timestamp = seconds(now)
  const sign = xiaohongshuSign(keys.path, { 'app-key': keys.appId, timestamp }, keys.appSecret)
  return {
    path: keys.path,
    headers: { ...JSON_TYPE, 'app-key': keys.appId, timestamp, sign },
    body: JSON.stringify(pushes.map(({ msgTag, data }) => ({ msgTag, sellerId: 'demo', data: JSON.stringify(data) }))),
  }
}
