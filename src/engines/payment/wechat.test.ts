import { createCipheriv, createSign, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AskAgain } from '#kit/server/change/outbox.ts'
import type { Fetch } from './speaking.server.ts'
import { type WechatKeys, wechatProvider } from './wechat.server.ts'

const merchant = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const platform = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const pem = (key: typeof merchant.privateKey) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const NOW = new Date('2026-11-15T06:00:00Z')
const SECONDS = String(NOW.getTime() / 1_000)
const clock = { now: () => NOW }
const keys: WechatKeys = {
  mchId: '1900000109',
  serialNo: '5157F09EFDC096DE15EBE81A47057A72',
  privateKey: pem(merchant.privateKey),
  apiV3Key: '0123456789abcdef0123456789abcdef',
  platformSerial: 'PUB_KEY_ID_0119000001092024',
  platformKey: platform.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  notifyUrl: 'https://console.example/api/open/v1/pay/wechat/notify',
}
const WISH = {
  refundNo: 'R2026111500001',
  paymentProviderNo: '4200000001',
  orderNo: '202611150000000001',
  amountFen: 1_230,
  paidFen: 9_900,
}

/** As the platform signs what it says. */
const signed = (body: string, given: { timestamp?: string; nonce?: string; serial?: string } = {}) => {
  const { timestamp = SECONDS, nonce = 'n0nce', serial = keys.platformSerial } = given
  const signature = createSign('RSA-SHA256')
    .update(`${timestamp}\n${nonce}\n${body}\n`)
    .sign(platform.privateKey, 'base64')
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': serial,
    'wechatpay-signature': signature,
  }
}

type Sent = { url: string; headers: Record<string, string>; body: string }
const answering = (status: number, body: unknown, headers?: Record<string, string>) => {
  const sent: Sent[] = []
  const say: Fetch = async (url, init) => {
    sent.push({ url, headers: init.headers, body: init.body })
    const text = JSON.stringify(body)
    const all = headers ?? signed(text)
    return { status, headers: { get: name => all[name as keyof typeof all] ?? null }, text: async () => text }
  }
  return { sent, provider: wechatProvider(keys, clock, say) }
}
const accepted = (status: string) => ({
  refund_id: '50000000382019052709732678859',
  out_refund_no: WISH.refundNo,
  status,
})

describe('a refund asked of WeChat Pay', () => {
  test('carries our number and the amounts in fen, under a signature its receiver can verify', async () => {
    const { sent, provider } = answering(200, accepted('SUCCESS'))
    await provider.refund(WISH)
    const [call] = sent as [Sent]
    expect(call.url).toBe('https://api.mch.weixin.qq.com/v3/refund/domestic/refunds')
    expect(JSON.parse(call.body)).toEqual({
      transaction_id: '4200000001',
      out_refund_no: 'R2026111500001',
      notify_url: keys.notifyUrl,
      amount: { refund: 1_230, total: 9_900, currency: 'CNY' },
    })
    const scheme = 'WECHATPAY2-SHA256-RSA2048 '
    expect(call.headers.authorization?.startsWith(scheme)).toBe(true)
    const parts = Object.fromEntries(
      (call.headers.authorization ?? '')
        .slice(scheme.length)
        .split(',')
        .map(part => /^(\w+)="(.*)"$/.exec(part)?.slice(1) as [string, string]),
    )
    expect(parts).toMatchObject({ mchid: keys.mchId, serial_no: keys.serialNo, timestamp: SECONDS })
    const message = `POST\n/v3/refund/domestic/refunds\n${parts.timestamp}\n${parts.nonce_str}\n${call.body}\n`
    const signature = Buffer.from(parts.signature ?? '', 'base64')
    expect(verify('RSA-SHA256', Buffer.from(message), merchant.publicKey, signature)).toBe(true)
    expect(verify('RSA-SHA256', Buffer.from(`${message} `), merchant.publicKey, signature)).toBe(false)
  })

  test.each([
    ['SUCCESS', ''],
    ['PROCESSING', ''],
    ['CLOSED', 'CLOSED'],
    ['ABNORMAL', 'ABNORMAL'],
  ])('is %s when it says so', async (status, error) => {
    const { provider } = answering(200, accepted(status))
    expect(await provider.refund(WISH)).toEqual({ status, providerNo: '50000000382019052709732678859', error })
  })

  test.each([
    ['too little balance', 403, 'NOT_ENOUGH', 'CLOSED'],
    ['an account that is no more', 403, 'USER_ACCOUNT_ABNORMAL', 'ABNORMAL'],
    ['an order they do not know', 404, 'RESOURCE_NOT_EXISTS', 'CLOSED'],
    ['a wish they do not understand', 400, 'PARAM_ERROR', 'CLOSED'],
    ['a signature they do not accept', 401, 'SIGN_ERROR', 'CLOSED'],
  ])('that meets %s is told with their words', async (_name, status, code, expected) => {
    const { provider } = answering(status, { code, message: '原因' }, {})
    expect(await provider.refund(WISH)).toEqual({ status: expected, providerNo: null, error: `${code}: 原因` })
  })

  test.each([
    ['an error of theirs', 500, { code: 'SYSTEM_ERROR' }],
    ['too many calls', 429, { code: 'FREQUENCY_LIMITED' }],
    ['too many calls, said otherwise', 403, { code: 'FREQUENCY_LIMITED' }],
    ['a page of somebody else', 502, '<html>'],
  ])('that meets %s decides nothing and is asked again', async (_name, status, body) => {
    await expect(answering(status, body, {}).provider.refund(WISH)).rejects.toBeInstanceOf(AskAgain)
  })

  test('that is answered by somebody else, or by nobody, is asked again', async () => {
    const text = JSON.stringify(accepted('SUCCESS'))
    for (const headers of [
      {},
      signed(`${text} `),
      signed(text, { serial: 'OTHER' }),
      signed(text, { timestamp: '1700000000' }),
    ])
      await expect(answering(200, accepted('SUCCESS'), headers).provider.refund(WISH)).rejects.toBeInstanceOf(AskAgain)
    const down = wechatProvider(keys, clock, () => Promise.reject(new TypeError('fetch failed')))
    await expect(down.refund(WISH)).rejects.toBeInstanceOf(AskAgain)
  })
})

/** As the platform seals what a notification carries. */
function sealed(event: string, resource: object, key = keys.apiV3Key): string {
  const cipher = createCipheriv('aes-256-gcm', key, '0123456789ab')
  cipher.setAAD(Buffer.from('transaction'))
  const bytes = Buffer.concat([cipher.update(JSON.stringify(resource)), cipher.final(), cipher.getAuthTag()])
  return JSON.stringify({
    id: 'EV-1',
    event_type: event,
    resource_type: 'encrypt-resource',
    resource: {
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: bytes.toString('base64'),
      associated_data: 'transaction',
      nonce: '0123456789ab',
    },
  })
}
const PAID = {
  mchid: keys.mchId,
  out_trade_no: WISH.orderNo,
  transaction_id: '4200000001',
  trade_state: 'SUCCESS',
  success_time: '2026-11-15T14:00:00+08:00',
  amount: { total: 9_900, payer_total: 9_900, currency: 'CNY' },
}
const BACK = {
  mchid: keys.mchId,
  out_refund_no: WISH.refundNo,
  refund_id: '503',
  refund_status: 'SUCCESS',
  amount: { total: 9_900, refund: 1_230 },
}

describe('a notification of WeChat Pay', () => {
  const { provider } = answering(200, {})
  const read = (body: string, headers: Record<string, string> = signed(body)) =>
    provider.readNotice(headers, Buffer.from(body))

  test('tells of money that came in', () => {
    expect(read(sealed('TRANSACTION.SUCCESS', PAID))).toEqual({
      kind: 'paid',
      orderNo: WISH.orderNo,
      providerNo: '4200000001',
      amountFen: 9_900,
      paidAt: new Date('2026-11-15T06:00:00Z'),
    })
  })

  test.each(['SUCCESS', 'CLOSED', 'ABNORMAL'])('tells that a refund is %s', status => {
    expect(read(sealed(`REFUND.${status}`, { ...BACK, refund_status: status }))).toMatchObject({
      kind: 'refund',
      refundNo: WISH.refundNo,
      amountFen: 1_230,
      status,
      providerNo: '503',
    })
  })

  test('of something else says nothing', () => {
    expect(read(sealed('COUPON.USE', {}))).toBeUndefined()
  })

  test('is refused when a byte of it, its time, its signer or its seal is another', () => {
    const body = sealed('TRANSACTION.SUCCESS', PAID)
    const wrong: [string, string, Record<string, string>][] = [
      ['a byte', body.replace('EV-1', 'EV-2'), signed(body)],
      ['no signature', body, {}],
      ['a probe of theirs', body, { ...signed(body), 'wechatpay-signature': 'WECHATPAY/SIGNTEST/abcd' }],
      ['an old one', body, signed(body, { timestamp: String(Number(SECONDS) - 301) })],
      ['one of the future', body, signed(body, { timestamp: String(Number(SECONDS) + 301) })],
      ['another key', body, signed(body, { serial: 'OTHER' })],
    ]
    for (const [name, text, headers] of wrong) expect(() => read(text, headers), name).toThrow('signature-wrong')
    const foreign = sealed('TRANSACTION.SUCCESS', PAID, 'ffffffffffffffffffffffffffffffff')
    expect(() => read(foreign), 'sealed by another').toThrow('signature-wrong')
    const cut = body.replace(/"ciphertext":"(....)/, '"ciphertext":"AAAA')
    expect(() => read(cut), 'a sealed byte').toThrow('signature-wrong')
  })

  test('for another merchant is refused', () => {
    expect(() => read(sealed('TRANSACTION.SUCCESS', { ...PAID, mchid: '1900000110' }))).toThrow('notice-of-others')
    expect(() => read(sealed('REFUND.SUCCESS', { ...BACK, mchid: '1900000110' }))).toThrow('notice-of-others')
  })
})
