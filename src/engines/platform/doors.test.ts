import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, type TestInstance } from '../../../tools/testing/instance.ts'
import { seal as sealed, signedQuery } from '../../../tools/testing/sealed.ts'
import { douyinSignature } from './douyin.server.ts'
import { openSealed, sealSignature } from './sealed.server.ts'
import { fenOf, xiaohongshuSign } from './xiaohongshu.server.ts'

const AES_KEY = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
const [APP_ID, TOKEN, SECRET] = ['wx-of-ours', 'token-of-ours', 'secret-of-ours']
const KEYS = {
  DOUYIN_CLIENT_KEY: 'client-of-ours',
  DOUYIN_CLIENT_SECRET: SECRET,
  WECHAT_SHOP_APP_ID: APP_ID,
  WECHAT_SHOP_TOKEN: TOKEN,
  WECHAT_SHOP_AES_KEY: AES_KEY,
  XIAOHONGSHU_APP_ID: APP_ID,
  XIAOHONGSHU_APP_SECRET: SECRET,
  XIAOHONGSHU_PUSH: 'on',
}
const [DOUYIN, CHANNELS, XIAOHONGSHU] = [
  '/api/open/v1/douyin/webhook',
  '/api/open/v1/wechat-shop/messages',
  '/api/open/v1/xiaohongshu/push',
]
const hash = (kind: string, ...parts: (string | Buffer)[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash(kind)).digest('hex')

const seal = (message: string, receiver = APP_ID) => sealed(message, { receiver, aesKey: AES_KEY })

describe('the signature', () => {
  test('of Douyin is SHA-1 over the secret and the bytes right behind it', () => {
    expect(douyinSignature('s', Buffer.from('{"a":1}'))).toBe(hash('sha1', 's{"a":1}'))
  })

  test('of WeChat Channels is SHA-1 over token, time, nonce and sealed message in the order of the alphabet', () => {
    expect(sealSignature('c', 'a', 'd', 'b')).toBe(hash('sha1', 'abcd'))
  })

  test('of Xiaohongshu is MD5 over what is called, its parameters by name, and the secret', () => {
    const parameters = { version: '2.0', timestamp: '1700000000', appId: 'A' }
    expect(xiaohongshuSign('order.getOrderDetail', parameters, 's')).toBe(
      hash('md5', 'order.getOrderDetail?appId=A&timestamp=1700000000&version=2.0s'),
    )
  })
})

test('a sealed message opens for whom it is meant alone, whole', () => {
  const message = '{"a":"练字"}'
  expect(openSealed(AES_KEY, APP_ID, seal(message))).toBe(message)
  expect(() => openSealed(AES_KEY, APP_ID, seal(message, 'wx-of-others'))).toThrow()
  expect(() => openSealed(AES_KEY, APP_ID, seal(message).slice(0, 24))).toThrow()
  expect(() => openSealed(AES_KEY, APP_ID, 'no message at all')).toThrow()
})

test('yuan become fen without a half fen', () => {
  expect([19.9, '0.29', 1.005, '100'].map(fenOf)).toEqual([1_990, 29, 100, 10_000])
})

describe('a door', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance({ env: KEYS })
  })
  const knock = async (url: string, payload: string, headers: Record<string, string> = {}) => {
    const answer = await instance.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
    await instance.inbox.sweep()
    return { status: answer.statusCode, body: answer.body }
  }
  const orderOf = (platform: 'DOUYIN' | 'WECHAT_SHOP' | 'XIAOHONGSHU', orderNo: string) =>
    instance.app.db.query
      .selectFrom('platform_order')
      .selectAll()
      .where('platform', '=', platform)
      .where('order_no', '=', orderNo)
      .executeTakeFirst()
  const kept = async () =>
    Number((await instance.app.db.read.rows('select count(*)::int as n from inbox_event', []))[0]?.n)
  const noticesOf = (orderNo: string) =>
    instance.app.db.query.selectFrom('refund_notice').select('source').where('order_no', '=', orderNo).execute()
  const now = () => Math.floor(instance.clock.now().getTime() / 1_000)

  const douyin = (event: string, content: object, messageId: string, secret = SECRET) => {
    const body = JSON.stringify({ event, client_key: 'client-of-ours', content: JSON.stringify(content) })
    return knock(DOUYIN, body, { 'x-douyin-signature': hash('sha1', secret, body), 'msg-id': messageId })
  }
  const address = (message: string, token = TOKEN) =>
    `${CHANNELS}?${signedQuery(message, { token, timestamp: String(now()) })}`
  const channels = (message: string, token = TOKEN) => {
    const closed = seal(message)
    return knock(address(closed, token), JSON.stringify({ ToUserName: 'gh_1', Encrypt: closed }))
  }
  const xiaohongshu = (told: object[], timestamp = String(now())) =>
    knock(XIAOHONGSHU, JSON.stringify(told), {
      timestamp,
      'app-key': APP_ID,
      sign: hash('md5', `${XIAOHONGSHU}?app-key=${APP_ID}&timestamp=${timestamp}${SECRET}`),
    })

  test('of Douyin answers its challenge, and takes a purchase and its verification once however often they come', async () => {
    expect(await douyin('verify_webhook', { challenge: 7 }, 'M0')).toEqual({ status: 200, body: '{"challenge":7}' })
    const orderNo = '1043291650213950001'
    const paid = { action: 'pay_success', order_id: orderNo, pay_amount: 1_990, pay_time: now() - 60 }
    for (let n = 0; n < 2; n += 1)
      expect(await douyin('life_trade_order_notify', paid, 'M1')).toMatchObject({ status: 200 })
    expect(await orderOf('DOUYIN', orderNo)).toMatchObject({ status: 'BOUGHT', amount_fen: '1990', version: 2 })
    const verified = { action: 'verify', order_id: orderNo, certificate_id: '77', verify_id: 'V9' }
    await douyin('life_trade_certificate_notify', verified, 'M2')
    expect(await orderOf('DOUYIN', orderNo)).toMatchObject({ status: 'VERIFIED', verify_id: 'V9' })
    await douyin('life_trade_certificate_notify', { ...verified, action: 'refund_success' }, 'M3')
    expect(await noticesOf(orderNo)).toEqual([{ source: 'douyin' }])
  })

  test('of WeChat Channels greets whoever knows the token, and keeps order numbers too long for a number', async () => {
    const echo = seal('hello')
    const greeting = await instance.http.inject({
      method: 'GET',
      url: `${address(echo)}&echostr=${encodeURIComponent(echo)}`,
    })
    expect(greeting.body).toBe('hello')
    const message = (event: string, more: string) =>
      `{"ToUserName":"gh_1","FromUserName":"o1","CreateTime":${now()},"MsgType":"event","Event":"${event}",${more}}`
    const orderNo = '3705115058471208928'
    const info = (more: string) => `"order_info":{"order_id":${orderNo}${more}}`
    expect(await channels(message('channels_ec_order_pay', info(`,"pay_time":${now() - 9}`)))).toEqual({
      status: 200,
      body: 'success',
    })
    expect(await orderOf('WECHAT_SHOP', orderNo)).toMatchObject({ status: 'BOUGHT', platform_status: '20' })
    const back = (status: string) =>
      channels(
        message(
          'channels_ec_aftersale_update',
          `"finder_shop_aftersale_status_update":{"status":"${status}","after_sale_order_id":1,"order_id":${orderNo}}`,
        ),
      )
    await back('MERCHANT_PROCESSING')
    expect(await orderOf('WECHAT_SHOP', orderNo)).toMatchObject({ refund_state: 'ASKED', status: 'BOUGHT' })
    for (let n = 0; n < 2; n += 1) await back('MERCHANT_REFUND_SUCCESS')
    expect(await orderOf('WECHAT_SHOP', orderNo)).toMatchObject({
      status: 'REFUNDED',
      after_sale: 'MERCHANT_REFUND_SUCCESS',
    })
    expect(await noticesOf(orderNo)).toEqual([{ source: 'wechat-shop' }])
  })

  test('of Xiaohongshu, where it is switched on, reads milliseconds and yuan', async () => {
    const orderNo = 'P768291112062421411'
    const at = instance.clock.now().getTime() - 60_000
    const order = { orderId: orderNo, orderStatus: 4, updateTime: at }
    expect(await xiaohongshu([{ msgTag: 'msg_fulfillment_status_change', data: JSON.stringify(order) }])).toMatchObject(
      {
        status: 200,
      },
    )
    expect(await orderOf('XIAOHONGSHU', orderNo)).toMatchObject({ status: 'BOUGHT', platform_status: '4' })
    const refund = { orderId: orderNo, returnsId: 'R1', status: 4, refundStatus: 2, refundAmountYuan: '19.90' }
    await xiaohongshu([{ msgTag: 'msg_after_sale_transfer', data: JSON.stringify({ ...refund, updateTime: at + 1 }) }])
    expect(await orderOf('XIAOHONGSHU', orderNo)).toMatchObject({ refunded_fen: '1990', after_sale: '3' })
  })

  test('refuses what another has signed, what is old and what it cannot read, and keeps nothing of it', async () => {
    const before = await kept()
    const paid = { action: 'pay_success', order_id: '1' }
    expect(await douyin('life_trade_order_notify', paid, 'M8', 'another')).toMatchObject({ status: 403 })
    expect(await douyin('life_trade_order_notify', { action: 'pay_success' }, 'M9')).toMatchObject({ status: 400 })
    expect(await channels('{}', 'another')).toMatchObject({ status: 403 })
    expect(await channels('<xml/>')).toMatchObject({ status: 400 })
    expect(await xiaohongshu([], String(now() - 600))).toMatchObject({ status: 403 })
    expect(await kept()).toBe(before)
  })

  test('hears of what is no concern of ours, and keeps nothing of it', async () => {
    const before = await kept()
    expect(await douyin('life_product_status_change', {}, 'M10')).toMatchObject({ status: 200 })
    expect(await xiaohongshu([{ msgTag: 'msg_item_create', data: '{}' }])).toMatchObject({ status: 200 })
    expect(await kept()).toBe(before)
  })
})

test('a door whose keys are not set, or that nobody has switched on, does not exist', async () => {
  const instance = await openTestInstance({ env: { XIAOHONGSHU_APP_ID: APP_ID, XIAOHONGSHU_APP_SECRET: SECRET } })
  for (const url of [DOUYIN, XIAOHONGSHU]) {
    const { statusCode } = await instance.http.inject({ method: 'POST', url, payload: {} })
    expect(statusCode).toBe(404)
  }
})
