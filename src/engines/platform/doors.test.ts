import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, type TestInstance } from '../../../tools/testing/instance.ts'
import { seal as sealed, signedQuery } from '../../../tools/testing/sealed.ts'
import { putInForce } from '../../../tools/testing/settings.ts'
import { openSealed } from './sealed.server.ts'
import { fenOf } from './xiaohongshu.server.ts'

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
}
const [DOUYIN, CHANNELS, XIAOHONGSHU] = [
  '/api/open/v1/douyin/webhook',
  '/api/open/v1/wechat-shop/messages',
  '/api/open/v1/xiaohongshu/push',
]
const hash = (kind: string, ...parts: (string | Buffer)[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash(kind)).digest('hex')

const seal = (message: string, receiver = APP_ID) => sealed(message, { receiver, aesKey: AES_KEY })

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
    await putInForce(instance, 'xhsOrder.push', 1)
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
  const pushOf = (msgTag: string, data: object) => ({ msgTag, sellerId: 'S1', data: JSON.stringify(data) })
  const xiaohongshu = (told: object[], timestamp = String(now())) =>
    knock(XIAOHONGSHU, JSON.stringify(told), {
      timestamp,
      'app-key': APP_ID,
      sign: hash('md5', `${XIAOHONGSHU}?app-key=${APP_ID}&timestamp=${timestamp}${SECRET}`),
    })

  const ofCertificate = (action: string, orderNo: string, at: number) => ({
    action,
    msg_time: at,
    certificate: { certificate_id: '7212557509230723106', order_id: orderNo, account_id: '7126518681177163816' },
  })

  test('of Douyin answers its challenge, and takes a purchase and its verification once however often they come', async () => {
    expect(await douyin('verify_webhook', { challenge: 7 }, 'M0')).toEqual({ status: 200, body: '{"challenge":7}' })
    const orderNo = '1043291650213950001'
    const paid = {
      order_id: orderNo,
      account_id: '71',
      pay_amount: 1_990,
      original_amount: 2_990,
      pay_time: now() - 60,
    }
    const told = { action: 'pay_success', msg_time: now() - 57, order: { ...paid, create_time: now() - 66 } }
    for (let n = 0; n < 2; n += 1)
      expect(await douyin('life_trade_order_notify', told, 'M1')).toMatchObject({ status: 200 })
    expect(await orderOf('DOUYIN', orderNo)).toMatchObject({ status: 'BOUGHT', amount_fen: '1990', version: 2 })
    const verified = ofCertificate('verify', orderNo, now() - 30)
    for (let n = 0; n < 2; n += 1) await douyin('life_trade_certificate_notify', verified, 'M2')
    expect(await orderOf('DOUYIN', orderNo)).toMatchObject({ status: 'VERIFIED', version: 3 })
    await douyin('life_trade_certificate_notify', ofCertificate('refund_success', orderNo, now() - 5), 'M3')
    expect(await noticesOf(orderNo)).toEqual([{ source: 'douyin' }])
  })

  test('of Douyin hears that a voucher is verified again under the id of the first time, and in any order', async () => {
    const orderNo = '1043291650213950002'
    const tell = (action: string, at: number, id: string) =>
      douyin('life_trade_certificate_notify', ofCertificate(action, orderNo, at), id)
    expect(await tell('verify', now() - 10, 'V1')).toMatchObject({ status: 200 })
    expect(await tell('verify_cancel', now() - 20, 'V2')).toMatchObject({ status: 200 })
    expect(await tell('verify', now() - 40, 'V1')).toMatchObject({ status: 200 })
    expect(await orderOf('DOUYIN', orderNo)).toMatchObject({
      status: 'VERIFIED',
      verified_at: new Date((now() - 10) * 1_000).toISOString().replace('.000Z', 'Z'),
    })
  })

  test.each(['life_hermes_akte_after_sale_audit', 'life_hermes_axte_after_sale_audit'])(
    'of Douyin hears that the money of a used voucher is wanted back (%s)',
    async event => {
      const orderNo = `10432916502139${event.length}${event.charCodeAt(13)}`
      const wanted = { account_id: '71', order_id: orderNo, certificate_id: '72', refund_amount: 1_990 }
      await douyin(event, { ...wanted, refund_time: now() - 9, apply_reason: { code: [1] } }, `W-${event}`)
      expect(await orderOf('DOUYIN', orderNo)).toMatchObject({ refund_state: 'ASKED' })
    },
  )

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

  test('of WeChat Channels reads messages as XML too, where the shop has chosen that', async () => {
    const orderNo = '3705115058471208929'
    const said = `<xml><ToUserName><![CDATA[gh_1]]></ToUserName><FromUserName><![CDATA[o1]]></FromUserName>
      <CreateTime>${now()}</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[channels_ec_order_pay]]></Event>
      <order_info><order_id>${orderNo}</order_id><pay_time>${now() - 9}</pay_time></order_info></xml>`
    const closed = seal(said)
    const envelope = `<xml><ToUserName><![CDATA[gh_1]]></ToUserName><Encrypt><![CDATA[${closed}]]></Encrypt></xml>`
    expect(await knock(address(closed), envelope, { 'content-type': 'text/xml' })).toEqual({
      status: 200,
      body: 'success',
    })
    expect(await orderOf('WECHAT_SHOP', orderNo)).toMatchObject({ status: 'BOUGHT', platform_status: '20' })
  })

  test('of Xiaohongshu, where it is switched on, reads milliseconds, and answers in its words', async () => {
    const orderNo = 'P768291112062421411'
    const at = instance.clock.now().getTime() - 60_000
    const order = { orderId: orderNo, packageId: orderNo, orderStatus: 4, updateTime: at, packageStatus: 4 }
    expect(await xiaohongshu([pushOf('msg_fulfillment_status_change', order)])).toEqual({
      status: 200,
      body: '{"success":true,"error_code":0,"error_msg":""}',
    })
    expect(await orderOf('XIAOHONGSHU', orderNo)).toMatchObject({ status: 'BOUGHT', platform_status: '4' })
  })

  test.each([
    ['msg_after_sale_create', 5, { after_sale: '2', refund_state: 'ASKED', refunded_fen: null }],
    ['msg_after_sale_create', 2, { after_sale: '2', refund_state: 'NONE', refunded_fen: null }],
    ['msg_after_sale_update', 1, { after_sale: '2', refund_state: 'ASKED', refunded_fen: null }],
    ['msg_after_sale_audit_pass', 1, { after_sale: '2', refund_state: 'ASKED', refunded_fen: null }],
    ['msg_after_sale_confirm_receive', 1, { after_sale: '2', refund_state: 'ASKED', refunded_fen: null }],
    ['msg_after_sale_audit_reject', 1, { after_sale: '4', refund_state: 'NONE', refunded_fen: null }],
    ['msg_after_sale_reject_receive', 1, { after_sale: '4', refund_state: 'NONE', refunded_fen: null }],
    ['msg_after_sale_transfer', 1, { after_sale: '6', refund_state: 'ASKED', refunded_fen: null }],
    ['msg_after_sale_closed', 1, { after_sale: '5', refund_state: 'NONE', refunded_fen: null }],
    ['msg_after_sale_refund_finished', 5, { after_sale: '3', refund_state: 'REFUNDED', refunded_fen: '1990' }],
  ])('of Xiaohongshu hears of an after-sale what its push is called (%s, type %i)', async (tag, returnType, left) => {
    const orderNo = `P-${tag}-${returnType}`
    const at = instance.clock.now().getTime() - 60_000
    const said = {
      refundFee: 19.9,
      orderId: orderNo,
      returnsId: `R-${tag}-${returnType}`,
      returnType,
      requestFrom: 1,
      updateTime: at,
    }
    for (let n = 0; n < 2; n += 1) expect(await xiaohongshu([pushOf(tag, said)])).toMatchObject({ status: 200 })
    expect(await orderOf('XIAOHONGSHU', orderNo)).toMatchObject(left)
    expect(await noticesOf(orderNo)).toHaveLength(left.refund_state === 'REFUNDED' ? 1 : 0)
  })

  test('refuses what another has signed, what is old and what it cannot read, and keeps nothing of it', async () => {
    const before = await kept()
    const paid = { action: 'pay_success', msg_time: now(), order: { order_id: '1' } }
    expect(await douyin('life_trade_order_notify', paid, 'M8', 'another')).toMatchObject({ status: 403 })
    expect(await douyin('life_trade_order_notify', { action: 'pay_success', order_id: '1' }, 'M9')).toMatchObject({
      status: 400,
    })
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

test('a door whose keys are not set, or that nobody has switched on, does not exist; switched on, it asks who is there', async () => {
  const instance = await openTestInstance({
    env: { SEED: 'none', CAPTCHA: 'on', XIAOHONGSHU_APP_ID: APP_ID, XIAOHONGSHU_APP_SECRET: SECRET },
  })
  for (const url of [DOUYIN, XIAOHONGSHU]) {
    const { statusCode } = await instance.http.inject({ method: 'POST', url, payload: {} })
    expect(statusCode).toBe(404)
  }
  await putInForce(instance, 'xhsOrder.push', 1)
  expect((await instance.http.inject({ method: 'POST', url: XIAOHONGSHU, payload: [] })).statusCode).toBe(403)
})
