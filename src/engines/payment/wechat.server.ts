import { createDecipheriv, createSign, createVerify, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Clock } from '#kit/model/time.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { bytesToJson } from '#kit/server/http/body.ts'
import type { Notice, Provider, RefundOrder, RefundResult } from './provider.server.ts'
import { type Fetch, outside, readPrivateKey, readPublicKey, type Spoken, speak } from './speaking.server.ts'

export type WechatKeys = {
  readonly mchId: string
  /** Serial number of our certificate, and the key it belongs to. */
  readonly serialNo: string
  readonly privateKey: string
  /** 32 characters: what notifications are sealed with. */
  readonly apiV3Key: string
  /** Serial number of the platform's certificate, or id of its public key, and the key. */
  readonly platformSerial: string
  readonly platformKey: string
  readonly notifyUrl: string | undefined
}

const HOST = 'https://api.mch.weixin.qq.com'
const REFUNDS = '/v3/refund/domestic/refunds'
/** A signature older or younger is a replay or a wrong clock. */
const MAX_AGE_SECONDS = 300

const refunded = z.object({
  out_refund_no: z.string(),
  refund_id: z.string(),
  status: z.enum(['SUCCESS', 'PROCESSING', 'CLOSED', 'ABNORMAL']),
})
const failed = z.object({ code: z.string(), message: z.string().optional() })

const sealed = z.object({
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string(),
    associated_data: z.string().optional(),
    nonce: z.string(),
  }),
})
const transaction = z.object({
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.string(),
  trade_state: z.string(),
  success_time: z.string(),
  amount: z.object({ total: z.int().min(1) }),
})
const refund = z.object({
  mchid: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  refund_status: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL']),
  amount: z.object({ refund: z.int().min(1) }),
})

/** WeChat Pay v3. Amounts are fen there too. */
export function wechatProvider(keys: WechatKeys, clock: Clock, say: Fetch = outside): Provider {
  const own = readPrivateKey(keys.privateKey)
  const platform = readPublicKey(keys.platformKey)
  const seconds = () => Math.floor(clock.now().getTime() / 1_000)

  const authorization = (path: string, body: string): string => {
    const [timestamp, nonce] = [String(seconds()), randomBytes(16).toString('hex')]
    const signature = createSign('sha256')
      .update(`POST\n${path}\n${timestamp}\n${nonce}\n${body}\n`)
      .sign(own, 'base64')
    const parts = { mchid: keys.mchId, nonce_str: nonce, signature, timestamp, serial_no: keys.serialNo }
    return `WECHATPAY2-SHA256-RSA2048 ${Object.entries(parts)
      .map(([name, value]) => `${name}="${value}"`)
      .join(',')}`
  }

  /** Whether the platform said these bytes, lately. */
  const isTheirs = (header: (name: string) => string | null | undefined, body: Buffer | string): boolean => {
    const [timestamp, nonce] = [header('wechatpay-timestamp') ?? '', header('wechatpay-nonce') ?? '']
    if (header('wechatpay-serial') !== keys.platformSerial) return false
    if (!/^\d{10}$/.test(timestamp) || Math.abs(seconds() - Number(timestamp)) > MAX_AGE_SECONDS) return false
    return createVerify('sha256')
      .update(`${timestamp}\n${nonce}\n`)
      .update(body)
      .update('\n')
      .verify(platform, header('wechatpay-signature') ?? '', 'base64')
  }

  return {
    async refund(order) {
      const body = JSON.stringify(wishOf(order, keys.notifyUrl))
      const spoken = await speak(
        say,
        HOST + REFUNDS,
        {
          authorization: authorization(REFUNDS, body),
          'content-type': 'application/json',
          accept: 'application/json',
          // They answer with the key we hold, and refuse callers who do not say who they are.
          'wechatpay-serial': keys.platformSerial,
          'user-agent': 'inkstone/1',
        },
        body,
      )
      if (spoken.status !== 200) return refusedRefund(spoken)
      if (!isTheirs(name => spoken.headers.get(name), spoken.text))
        throw new AskAgain('the answer is not signed by WeChat Pay')
      const { status, refund_id: providerNo } = refunded.parse(JSON.parse(spoken.text))
      return { status, providerNo, error: status === 'SUCCESS' || status === 'PROCESSING' ? '' : status }
    },
    readNotice(headers, body) {
      if (!isTheirs(name => headers[name], body)) throw new Refused(refuse('signature-wrong'), 'permission')
      return noticeOf(keys, body)
    },
    acknowledgement: { type: 'application/json', body: JSON.stringify({ code: 'SUCCESS', message: '成功' }) },
  }
}

const wishOf = (order: RefundOrder, notifyUrl: string | undefined) => ({
  transaction_id: order.paymentProviderNo,
  out_refund_no: order.refundNo,
  ...(notifyUrl === undefined ? {} : { notify_url: notifyUrl }),
  amount: { refund: order.amountFen, total: order.paidFen, currency: 'CNY' },
})

/** Said of us or of the hour, not of the refund: it is asked again. */
const LATER = new Set(['SYSTEM_ERROR', 'FREQUENCY_LIMITED', 'RATELIMIT_EXCEEDED'])
/** The money cannot go back the way it came: a person has to find another one. */
const ABNORMAL = new Set(['USER_ACCOUNT_ABNORMAL'])

/** What is refused can be asked again under the same number once its cause is gone: too little balance, say. */
function refusedRefund({ status, text }: Spoken): RefundResult {
  const said = failed.safeParse(parseJson(text))
  if (!said.success || status >= 500 || status === 429 || LATER.has(said.data.code))
    throw new AskAgain(`WeChat Pay answers ${status} ${said.success ? said.data.code : ''}`)
  const { code, message = '' } = said.data
  return { status: ABNORMAL.has(code) ? 'ABNORMAL' : 'CLOSED', providerNo: null, error: `${code}: ${message}` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an event says; nothing for one that is no concern of ours. */
function noticeOf(keys: WechatKeys, body: Buffer): Notice | undefined {
  const { event_type: event, resource } = sealed.parse(bytesToJson(body))
  if (event === 'TRANSACTION.SUCCESS') {
    const paid = transaction.parse(unsealed(keys.apiV3Key, resource))
    requireOurs(keys, paid.mchid)
    if (paid.trade_state !== 'SUCCESS') return undefined
    return {
      kind: 'paid',
      orderNo: paid.out_trade_no,
      providerNo: paid.transaction_id,
      amountFen: paid.amount.total,
      paidAt: new Date(paid.success_time),
    }
  }
  if (!event.startsWith('REFUND.')) return undefined
  const back = refund.parse(unsealed(keys.apiV3Key, resource))
  requireOurs(keys, back.mchid)
  return {
    kind: 'refund',
    refundNo: back.out_refund_no,
    amountFen: back.amount.refund,
    status: back.refund_status,
    providerNo: back.refund_id,
    error: back.refund_status === 'SUCCESS' ? '' : back.refund_status,
  }
}

const TAG_BYTES = 16

function unsealed(
  key: string,
  { ciphertext, nonce, associated_data: beside = '' }: z.infer<typeof sealed>['resource'],
): unknown {
  const bytes = Buffer.from(ciphertext, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), Buffer.from(nonce))
    decipher.setAAD(Buffer.from(beside))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return JSON.parse(
      Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8'),
    )
  } catch {
    throw new Refused(refuse('signature-wrong'), 'permission')
  }
}

function requireOurs(keys: WechatKeys, mchId: string): void {
  if (mchId !== keys.mchId) throw new Refused(refuse('notice-of-others'), 'permission')
}
