import { createSign, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { alipayProvider, yuanOf } from './alipay.server.ts'
import type { Fetch } from './speaking.server.ts'

const merchant = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const alipay = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const clock = { now: () => new Date('2026-11-15T06:00:00Z') }
/** Bare base64, as their console hands keys out. */
const keys = {
  appId: '2021000000000001',
  privateKey: merchant.privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64'),
  publicKey: alipay.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
}
const WISH = {
  refundNo: 'R2026111500001',
  paymentProviderNo: '2026111522001',
  orderNo: '202611150000000001',
  amountFen: 123_405,
  paidFen: 200_000,
}

/** As they sign an answer: over the bytes of the part, whatever stands around it. */
function said(method: string, answer: object, signedPart?: string): string {
  const part = JSON.stringify(answer)
  const sign = createSign('RSA-SHA256')
    .update(signedPart ?? part)
    .sign(alipay.privateKey, 'base64')
  return `{"${method.replaceAll('.', '_')}_response":${part},"sign":"${sign}"}`
}

const answering = (...answers: string[]) => {
  const sent: URLSearchParams[] = []
  const say: Fetch = async (_url, { body }) => {
    sent.push(new URLSearchParams(body))
    return { status: 200, headers: { get: () => null }, text: async () => answers[sent.length - 1] ?? '' }
  }
  return { sent, provider: alipayProvider(keys, clock, say) }
}
const REFUND = 'alipay.trade.refund'
const QUERY = 'alipay.trade.fastpay.refund.query'
const OK = { code: '10000', msg: 'Success', trade_no: '2026111522001' }

describe('yuan at the border', () => {
  test.each([
    [1, '0.01'],
    [29, '0.29'],
    [100, '1.00'],
    [1_999, '19.99'],
    [123_405, '1234.05'],
    [999_999_999_999, '9999999999.99'],
  ])('%s fen are %s', (fen, yuan) => {
    expect(yuanOf(fen)).toBe(yuan)
  })
})

describe('a refund asked of Alipay', () => {
  test('carries our number and yuan, under a signature over its sorted parameters', async () => {
    const { sent, provider } = answering(said(REFUND, { ...OK, fund_change: 'Y' }))
    expect(await provider.refund(WISH)).toEqual({ status: 'SUCCESS', providerNo: '2026111522001', error: '' })
    const [form] = sent as [URLSearchParams]
    const { sign = '', ...parameters } = Object.fromEntries(form)
    expect(parameters).toMatchObject({
      app_id: keys.appId,
      method: REFUND,
      sign_type: 'RSA2',
      timestamp: '2026-11-15 14:00:00',
    })
    expect(JSON.parse(parameters.biz_content ?? '')).toEqual({
      trade_no: '2026111522001',
      refund_amount: '1234.05',
      out_request_no: 'R2026111500001',
    })
    const text = Object.keys(parameters)
      .sort()
      .map(name => `${name}=${parameters[name]}`)
      .join('&')
    expect(verify('RSA-SHA256', Buffer.from(text), merchant.publicKey, Buffer.from(sign, 'base64'))).toBe(true)
  })

  test('that moved nothing now is looked up under the same number: it may have moved before', async () => {
    const { sent, provider } = answering(
      said(REFUND, { ...OK, fund_change: 'N' }),
      said(QUERY, { ...OK, out_request_no: WISH.refundNo, refund_status: 'REFUND_SUCCESS' }),
    )
    expect(await provider.refund(WISH)).toMatchObject({ status: 'SUCCESS' })
    expect(sent[1]?.get('method')).toBe(QUERY)
    expect(JSON.parse(sent[1]?.get('biz_content') ?? '')).toEqual({
      trade_no: '2026111522001',
      out_request_no: 'R2026111500001',
    })
  })

  test('that nobody knows of yet is under way', async () => {
    const { provider } = answering(said(REFUND, { ...OK, fund_change: 'N' }), said(QUERY, OK))
    expect(await provider.refund(WISH)).toEqual({ status: 'PROCESSING', providerNo: null, error: '' })
  })

  test.each([
    ['ACQ.SELLER_BALANCE_NOT_ENOUGH', 'CLOSED'],
    ['ACQ.TRADE_HAS_FINISHED', 'CLOSED'],
    ['ACQ.BUYER_ERROR', 'ABNORMAL'],
  ])('refused with %s is %s, in their words', async (code, status) => {
    const refusal = { code: '40004', msg: 'Business Failed', sub_code: code, sub_msg: '原因 {"x":1}' }
    expect(await answering(said(REFUND, refusal)).provider.refund(WISH)).toEqual({
      status,
      providerNo: null,
      error: `${code}: 原因 {"x":1}`,
    })
  })

  test.each([
    ['an error of theirs', said(REFUND, { code: '40004', sub_code: 'ACQ.SYSTEM_ERROR' })],
    ['a service that is away', said(REFUND, { code: '20000', sub_code: 'isp.unknow-error' })],
    [
      'an answer with another byte',
      said(REFUND, { ...OK, fund_change: 'Y' }, JSON.stringify({ ...OK, fund_change: 'N' })),
    ],
    ['an answer without a signature', JSON.stringify({ alipay_trade_refund_response: { ...OK, fund_change: 'Y' } })],
    ['no JSON', '<html>'],
  ])('that meets %s decides nothing and is asked again', async (_name, answer) => {
    await expect(answering(answer).provider.refund(WISH)).rejects.toBeInstanceOf(AskAgain)
  })
})

const PAID = {
  app_id: keys.appId,
  notify_id: 'n1',
  notify_type: 'trade_status_sync',
  out_trade_no: WISH.orderNo,
  trade_no: '2026111522001',
  trade_status: 'TRADE_SUCCESS',
  total_amount: '1234.05',
  gmt_payment: '2026-11-15 13:59:58',
  subject: '年度会员 & 字帖 + 更多=好',
  passback_params: '',
}

describe('a notification of Alipay', () => {
  const { provider } = answering()
  const form = (given: Record<string, string>, forged: Record<string, string> = {}) => {
    const text = Object.keys(given)
      .sort()
      .filter(name => given[name] !== '')
      .map(name => `${name}=${given[name]}`)
      .join('&')
    const sign = createSign('RSA-SHA256').update(text).sign(alipay.privateKey, 'base64')
    return Buffer.from(new URLSearchParams({ ...given, sign, sign_type: 'RSA2', ...forged }).toString())
  }
  const read = (body: Buffer) => provider.readNotice({}, body)

  test('tells of money that came in, to the fen', () => {
    expect(read(form(PAID))).toEqual({
      kind: 'paid',
      orderNo: WISH.orderNo,
      providerNo: '2026111522001',
      amountFen: 123_405,
      paidAt: new Date('2026-11-15T05:59:58Z'),
    })
  })

  test('of a refund is not taken for money that came in', () => {
    const back = { ...PAID, refund_fee: '10.00', gmt_refund: '2026-11-15 14:00:00', out_biz_no: WISH.refundNo }
    expect(read(form(back))).toMatchObject({ kind: 'refund', refundNo: WISH.refundNo, status: 'SUCCESS' })
    expect(read(form({ ...back, trade_status: 'TRADE_CLOSED' }))).toMatchObject({ kind: 'refund' })
  })

  test.each(['WAIT_BUYER_PAY', 'TRADE_CLOSED'])('that a trade is %s says nothing', status => {
    expect(read(form({ ...PAID, trade_status: status }))).toBeUndefined()
  })

  test('is refused when anything in it is another than was signed', () => {
    for (const forged of [{ total_amount: '9999.00' }, { out_trade_no: '1' }, { more: '1' }, { sign: '' }])
      expect(() => read(form(PAID, forged))).toThrow('signature-wrong')
  })

  test('for another merchant is refused', () => {
    expect(() => read(form({ ...PAID, app_id: '2021000000000002' }))).toThrow('notice-of-others')
  })
})
