import { createCipheriv, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../tools/testing/instance.ts'
import { placeOrder } from '../../../tools/testing/records.ts'
import { refundBody } from '../../../tools/testing/refunds.ts'
import { fingerprints } from '../../../tools/testing/state.ts'

const own = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const theirs = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const privatePem = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const publicPem = theirs.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const ENV = {
  WECHAT_PAY_MCH_ID: '1900000109',
  WECHAT_PAY_SERIAL_NO: 'OURS',
  WECHAT_PAY_PRIVATE_KEY: privatePem,
  WECHAT_PAY_API_V3_KEY: '0123456789abcdef0123456789abcdef',
  WECHAT_PAY_PLATFORM_SERIAL: 'THEIRS',
  WECHAT_PAY_PLATFORM_KEY: publicPem,
  ALIPAY_APP_ID: '2021000000000001',
  ALIPAY_PRIVATE_KEY: privatePem.replaceAll('\n', '\\n'),
  ALIPAY_PUBLIC_KEY: publicPem,
}
const PAGE = 'order-refundApply'
const READ = { 'order-list': ['list', 'detail'] }

let instance: TestInstance
let [asker, manager, cashier]: Caller[] = []
beforeAll(async () => {
  instance = await openTestInstance({ env: ENV })
  // It folds counts and spells names by a timer: not while we compare.
  await instance.house.stop()
  asker = await person(instance, { grants: { ...READ, [PAGE]: ['list', 'detail', 'create'] } })
  manager = await person(instance, { grants: { ...READ, [PAGE]: ['list', 'detail', 'approve'] } })
  cashier = await person(instance, { grants: { ...READ, [PAGE]: ['list', 'detail', 'pay', 'retry'] } })
})
afterEach(() => vi.unstubAllGlobals())

/** Twice: the first may join a round of the timer's that has already looked. */
async function drain(): Promise<void> {
  await instance.outbox.run()
  await instance.outbox.run()
}

const sign = (text: string) => createSign('RSA-SHA256').update(text).sign(theirs.privateKey, 'base64')
const signed = (body: string) => {
  const timestamp = String(Math.floor(instance.clock.now().getTime() / 1_000))
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': 'n',
    'wechatpay-serial': 'THEIRS',
    'wechatpay-signature': sign(`${timestamp}\nn\n${body}\n`),
  }
}

const notify = (provider: string, payload: string, type: string, headers: Record<string, string> = {}) =>
  instance.http.inject({
    method: 'POST',
    url: `/api/open/v1/pay/${provider}/notify`,
    headers: { 'content-type': type, 'accept-language': 'en-US', ...headers },
    payload,
  })

function sealed(event: string, resource: object): string {
  const cipher = createCipheriv('aes-256-gcm', ENV.WECHAT_PAY_API_V3_KEY, '0123456789ab')
  const bytes = Buffer.concat([
    cipher.update(JSON.stringify({ mchid: ENV.WECHAT_PAY_MCH_ID, ...resource })),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const seal = { algorithm: 'AEAD_AES_256_GCM', ciphertext: bytes.toString('base64'), nonce: '0123456789ab' }
  return JSON.stringify({ id: randomUUID(), event_type: event, resource: seal })
}
const wechat = (event: string, resource: object) => {
  const body = sealed(event, resource)
  return notify('wechat', body, 'application/json', signed(body))
}
const alipay = (form: Record<string, string>) => {
  const all: Record<string, string> = { app_id: ENV.ALIPAY_APP_ID, ...form }
  const text = Object.keys(all)
    .sort()
    .map(name => `${name}=${all[name]}`)
    .join('&')
  const payload = new URLSearchParams({ ...all, sign: sign(text), sign_type: 'RSA2' }).toString()
  return notify('alipay', payload, 'application/x-www-form-urlencoded; charset=utf-8')
}

const orderOf = (id: string) =>
  instance.app.db.query
    .selectFrom('sales_order')
    .select(['order_no', 'pay_state', 'paid_fen', 'refunded_fen', 'reserved_fen'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const payments = async (orderId: string) =>
  instance.app.db.query
    .selectFrom('payment')
    .select(['provider_no', 'status', 'amount_fen', 'refunded_fen'])
    .where('order_id', '=', orderId)
    .execute()

describe('money that comes in by a notification', () => {
  test('pays its order once, however often WeChat Pay says so', async () => {
    const id = await placeOrder(instance, { paidFen: 0 })
    const { order_no: orderNo } = await orderOf(id)
    const paid = {
      out_trade_no: orderNo,
      transaction_id: `T${orderNo}`,
      trade_state: 'SUCCESS',
      success_time: instance.clock.now().toISOString(),
      amount: { total: 10_000 },
    }
    for (let times = 0; times < 3; times += 1) {
      const answer = await wechat('TRANSACTION.SUCCESS', paid)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual({ code: 'SUCCESS', message: '成功' })
    }
    expect(await orderOf(id)).toMatchObject({ pay_state: 'PAID', paid_fen: '10000' })
    expect(await payments(id)).toEqual([
      { provider_no: `T${orderNo}`, status: 'RECEIVED', amount_fen: '10000', refunded_fen: '0' },
    ])
  })

  test('pays its order once, however often Alipay says so, and yuan become fen', async () => {
    const id = await placeOrder(instance, { paidFen: 0 })
    const { order_no: orderNo } = await orderOf(id)
    const paid = {
      out_trade_no: orderNo,
      trade_no: `A${orderNo}`,
      trade_status: 'TRADE_SUCCESS',
      total_amount: '100.00',
      gmt_payment: '2026-11-15 14:00:00',
    }
    const answers = await Promise.all([alipay(paid), alipay(paid), alipay(paid)])
    expect(answers.map(answer => [answer.statusCode, answer.body])).toEqual(Array(3).fill([200, 'success']))
    expect(await orderOf(id)).toMatchObject({ pay_state: 'PAID', paid_fen: '10000' })
    expect(await payments(id)).toHaveLength(1)
  })

  test('with another byte than was signed changes nothing', async () => {
    const id = await placeOrder(instance, { paidFen: 0 })
    const { order_no: orderNo } = await orderOf(id)
    // What earlier refunds left to do is done by a timer: not while we compare.
    await drain()
    const before = await fingerprints(instance)
    const body = sealed('TRANSACTION.SUCCESS', { out_trade_no: orderNo })
    const forged = [
      notify('wechat', body.replace('TRANSACTION', 'transaction'), 'application/json', signed(body)),
      notify('wechat', body, 'application/json'),
      notify('wechat', 'a=1', 'application/x-www-form-urlencoded', signed('a=1 ')),
      notify(
        'alipay',
        `app_id=${ENV.ALIPAY_APP_ID}&out_trade_no=${orderNo}&sign=x`,
        'application/x-www-form-urlencoded',
      ),
    ]
    for (const answer of await Promise.all(forged))
      expect(answer.json()).toMatchObject({ code: 4003, msg: expect.stringContaining('The signature is wrong') })
    expect(await fingerprints(instance)).toEqual(before)
  })

  test('is not taken where the provider is not set up', async () => {
    const simulated = await openTestInstance()
    const answer = await simulated.http.inject({
      method: 'POST',
      url: '/api/open/v1/pay/wechat/notify',
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    })
    expect(answer.statusCode).toBe(404)
  })
})

describe('money that goes back', () => {
  /** What WeChat Pay would answer to each call; a missing answer is silence. */
  function provider(...answers: (string | undefined)[]): { out_refund_no: string }[] {
    const asked: { out_refund_no: string }[] = []
    vi.stubGlobal('fetch', async (_url: string, init: { body: string }) => {
      const wish = JSON.parse(init.body)
      asked.push(wish)
      const status = answers[Math.min(asked.length, answers.length) - 1]
      if (status === undefined) throw new TypeError('fetch failed')
      const text = JSON.stringify({ refund_id: `W${wish.out_refund_no}`, out_refund_no: wish.out_refund_no, status })
      return new Response(text, { headers: signed(text) })
    })
    return asked
  }

  const refundOf = async (id: string) =>
    instance.app.db.query
      .selectFrom('refund_application')
      .select(['refund_no', 'status', 'pay_failed'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  /** Asked for, approved and ordered to be paid. */
  async function paying(amountFen = 3_000): Promise<{ id: string; orderId: string; refundNo: string }> {
    const orderId = await placeOrder(instance)
    const body = refundBody(orderId, amountFen)
    const { data } = await (asker as Caller).post<{ id: string }>('/orders/refund-application', body, {
      'idempotency-key': randomUUID(),
    })
    expect(await (manager as Caller).post(`/orders/refund-application/${data.id}/approve`)).toMatchObject({ code: 0 })
    expect(
      await (cashier as Caller).post(
        `/orders/refund-application/${data.id}/pay`,
        {},
        { 'idempotency-key': randomUUID() },
      ),
    ).toMatchObject({ code: 0 })
    return { id: data.id, orderId, refundNo: (await refundOf(data.id)).refund_no }
  }
  const tell = (refundNo: string, status: string, refund = 3_000) =>
    wechat(`REFUND.${status}`, {
      out_refund_no: refundNo,
      refund_id: `W${refundNo}`,
      refund_status: status,
      amount: { refund },
    })

  test('is asked for again under the same number while the provider is silent', async () => {
    const asked = provider(undefined, undefined, 'SUCCESS')
    const { id, orderId, refundNo } = await paying()
    await drain()
    expect(await refundOf(id)).toMatchObject({ status: 'PAYING' })
    for (let tries = 0; tries < 2; tries += 1) {
      instance.clock.forward(60_000)
      await drain()
    }
    expect(asked.map(wish => wish.out_refund_no)).toEqual([refundNo, refundNo, refundNo])
    expect(await refundOf(id)).toMatchObject({ status: 'PAID' })
    expect(await orderOf(orderId)).toMatchObject({ refunded_fen: '3000', reserved_fen: '0' })
  })

  test('is paid when the notification says so, once, and a late "closed" changes nothing', async () => {
    provider('PROCESSING')
    const { id, orderId, refundNo } = await paying()
    await drain()
    expect(await refundOf(id)).toMatchObject({ status: 'PAYING' })
    for (const status of ['SUCCESS', 'SUCCESS', 'CLOSED', 'ABNORMAL', 'SUCCESS'])
      expect((await tell(refundNo, status)).statusCode).toBe(200)
    expect(await refundOf(id)).toMatchObject({ status: 'PAID', pay_failed: false })
    expect(await orderOf(orderId)).toMatchObject({ refunded_fen: '3000', reserved_fen: '0' })
    expect(await payments(orderId)).toMatchObject([{ refunded_fen: '3000' }])
  })

  test('that needed a person at the provider is paid when the provider says so in the end', async () => {
    provider('ABNORMAL')
    const { id, orderId, refundNo } = await paying()
    await drain()
    expect(await refundOf(id)).toMatchObject({ status: 'ABNORMAL', pay_failed: true })
    await tell(refundNo, 'SUCCESS')
    expect(await refundOf(id)).toMatchObject({ status: 'PAID' })
    expect(await orderOf(orderId)).toMatchObject({ refunded_fen: '3000', reserved_fen: '0' })
  })

  const exceptions = (subject: string) =>
    instance.app.db.query
      .selectFrom('payment_exception')
      .select(['kind', 'status', 'provider', 'amount_fen'])
      .where('subject', '=', subject)
      .execute()

  test('of another amount than was asked for is not taken for ours, and somebody has to look', async () => {
    provider('PROCESSING')
    const { id, orderId, refundNo } = await paying()
    await drain()
    expect((await tell(refundNo, 'SUCCESS', 2_999)).statusCode).toBe(200)
    expect(await exceptions(refundNo)).toEqual([
      { kind: 'REFUND_AMOUNT', status: 'OPEN', provider: 'WECHAT', amount_fen: '2999' },
    ])
    expect(await refundOf(id)).toMatchObject({ status: 'PAYING' })
    expect(await orderOf(orderId)).toMatchObject({ refunded_fen: '0', reserved_fen: '3000' })
  })

  test('as a provider tells who was not asked for it is not taken for ours, and somebody has to look', async () => {
    provider('PROCESSING')
    const { id, orderId, refundNo } = await paying()
    await drain()
    const told = { trade_no: 'A1', trade_status: 'TRADE_SUCCESS', refund_fee: '30.00', out_biz_no: refundNo }
    expect((await alipay(told)).statusCode).toBe(200)
    expect(await exceptions(refundNo)).toEqual([
      { kind: 'REFUND_UNKNOWN', status: 'OPEN', provider: 'ALIPAY', amount_fen: null },
    ])
    expect(await refundOf(id)).toMatchObject({ status: 'PAYING' })
    expect(await orderOf(orderId)).toMatchObject({ refunded_fen: '0', reserved_fen: '3000' })
    await tell(refundNo, 'SUCCESS')
    expect(await refundOf(id)).toMatchObject({ status: 'PAID' })
  })

  test('under a number that is not ours is acknowledged, changes no books, and somebody has to look', async () => {
    // What earlier refunds left to do is done by a timer: not while we compare.
    await drain()
    const books = () => fingerprints(instance, ['payment_exception', 'kept_count', 'signal'])
    const before = await books()
    for (let times = 0; times < 2; times += 1) expect((await tell('R2099010100001', 'SUCCESS')).statusCode).toBe(200)
    expect((await tell('R2099010100002', 'CLOSED')).statusCode).toBe(200)
    expect(await books()).toEqual(before)
    expect(await exceptions('R2099010100001')).toEqual([
      { kind: 'REFUND_UNKNOWN', status: 'OPEN', provider: 'WECHAT', amount_fen: '3000' },
    ])
    expect(await exceptions('R2099010100002')).toEqual([])
  })
})

test('all books are sound', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})
