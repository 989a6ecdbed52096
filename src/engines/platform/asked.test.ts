import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#kit/model/time.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { openTestInstance, person } from '../../../tools/testing/instance.ts'
import { channelsOrders } from './channels-orders.server.ts'
import { douyinSignature } from './douyin.server.ts'
import { douyinVouchers } from './douyin-vouchers.server.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Asked = {
  readonly path: string
  readonly query: URLSearchParams
  readonly token: string | undefined
  readonly body: unknown
}
type Answers = Readonly<Record<string, (asked: Asked) => unknown>>

/** A platform that answers by path, and remembers what it was asked; a number is a status without a word. */
async function platform(answers: Answers) {
  const asked: Asked[] = []
  const bodyOf = async (request: IncomingMessage) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    return text === '' ? undefined : JSON.parse(text)
  }
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://platform')
    const one = { path, query, token: request.headers['access-token'] as string, body: await bodyOf(request) }
    asked.push(one)
    const said = answers[path.split('/').filter(Boolean).at(-1) ?? '']?.(one) ?? 404
    if (typeof said === 'number') return response.writeHead(said).end()
    response.end(JSON.stringify(said))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const PATH = '/goodlife/v1/fulfilment/certificate'
const [ORDER, CERTIFICATE, PLAIN] = ['1065946966824669548', '7212557509230723106', '100123456789']
const CERTIFIED = { orderNo: ORDER, certificateId: CERTIFICATE, code: PLAIN }
const given = { client_token: () => ({ data: { access_token: 'clt.1', expires_in: 7200, error_code: 0 } }) }
const well = (data: object) => ({
  data: { error_code: 0, description: '', ...data },
  extra: { error_code: 0, logid: 'L1' },
})
const ready = () => well({ verify_token: 'T1', order_id: ORDER, certificates: [{ encrypted_code: 'sealed=' }] })
const done = () => well({ verify_results: [{ result: 0, msg: '', verify_id: 'V1', certificate_id: CERTIFICATE }] })
const result = (code: number, msg: string) => () => well({ verify_results: [{ result: code, msg }] })
const failing = (error_code: number, description: string) => () => ({
  data: { error_code, description },
  extra: { error_code, description, logid: '20241205143740CC' },
})

async function douyin(answers: Answers) {
  const { asked, url } = await platform({ ...given, ...answers })
  const shop = { url, clientKey: 'client', clientSecret: 'secret-of-ours', poiId: '71', clock: systemClock }
  return { asked, door: douyinVouchers(shop) }
}

describe('a voucher of Douyin', () => {
  test('is prepared by its code and verified at our shop, under a token that is asked for once', async () => {
    const { asked, door } = await douyin({ prepare: ready, verify: done })
    for (let n = 0; n < 2; n += 1) expect(await door.verify(CERTIFIED, 'key')).toEqual({ isDone: true, verifyId: 'V1' })
    expect(asked.map(({ path }) => path)).toEqual([
      '/oauth/client_token/',
      ...[`${PATH}/prepare/`, `${PATH}/verify/`, `${PATH}/prepare/`, `${PATH}/verify/`],
    ])
    expect(asked[0]?.body).toEqual({
      client_key: 'client',
      client_secret: 'secret-of-ours',
      grant_type: 'client_credential',
    })
    expect(asked[1]).toMatchObject({ token: 'clt.1' })
    expect(String(asked[1]?.query)).toBe(`code=${PLAIN}&poi_id=71`)
    expect(asked[2]).toMatchObject({
      token: 'clt.1',
      body: { verify_token: 'T1', poi_id: '71', encrypted_codes: ['sealed='] },
    })
  })

  test('that the platform has sealed already is verified as it is, under one token however often', async () => {
    const { asked, door } = await douyin({ verify: done })
    const sealed = { ...CERTIFIED, code: 'CgwIARDiHRj=' }
    for (let n = 0; n < 2; n += 1) await door.verify(sealed, 'key')
    const bodies = asked.filter(({ path }) => path.endsWith('/verify/')).map(({ body }) => body)
    expect(bodies[0]).toMatchObject({ encrypted_codes: ['CgwIARDiHRj='] })
    expect(bodies[1]).toEqual(bodies[0])
  })

  test('of several in one order is the one that is meant, or none', async () => {
    const both = [
      { encrypted_code: 'other=', certificate_id: '1' },
      { encrypted_code: 'mine=', certificate_id: CERTIFICATE },
    ]
    const { asked, door } = await douyin({
      prepare: () => well({ verify_token: 'T', certificates: both }),
      verify: done,
    })
    await door.verify(CERTIFIED, 'key')
    expect(asked.at(-1)?.body).toMatchObject({ encrypted_codes: ['mine='] })
    const unclear = await douyin({
      prepare: () => well({ verify_token: 'T', certificates: both.map(({ encrypted_code }) => ({ encrypted_code })) }),
      query: () => well({ certificates: [] }),
      verify: done,
    })
    expect(await unclear.door.verify(CERTIFIED, 'key')).toMatchObject({ isDone: false })
    expect(unclear.asked.some(({ path }) => path.endsWith('/verify/'))).toBe(false)
  })

  test('whose answer was lost is found to be verified when it is asked for again', async () => {
    const { door } = await douyin({ prepare: ready, verify: () => 502 })
    await expect(door.verify(CERTIFIED, 'key')).rejects.toThrow(AskAgain)
    const record = { certificate_id: CERTIFICATE, verify: { verify_id: 'V7', certificate_id: CERTIFICATE } }
    const query = () => well({ certificates: [record] })
    const used = await douyin({ prepare: ready, verify: result(1208, '券码已使用'), query })
    expect(await used.door.verify(CERTIFIED, 'key')).toEqual({ isDone: true, verifyId: 'V7' })
    const gone = await douyin({ prepare: () => well({ verify_token: 'T', certificates: [] }), query })
    expect(await gone.door.verify(CERTIFIED, 'key')).toEqual({ isDone: true, verifyId: 'V7' })
    const unused = await douyin({
      prepare: ready,
      verify: result(2, '券不可用'),
      query: () => well({ certificates: [] }),
    })
    expect(await unused.door.verify(CERTIFIED, 'key')).toEqual({ isDone: false, error: '券不可用' })
  })

  test('is refused in the platform’s words, with the number its people ask for; what says "later" is asked again', async () => {
    const refused = await douyin({ prepare: failing(2119005, '门店无权限') })
    expect(await refused.door.verify(CERTIFIED, 'key')).toEqual({
      isDone: false,
      error: '门店无权限 (20241205143740CC)',
    })
    const busy = await douyin({ prepare: failing(2100004, '系统繁忙，请稍后重试') })
    await expect(busy.door.verify(CERTIFIED, 'key')).rejects.toThrow(AskAgain)
    const expired = await douyin({ prepare: ready, verify: result(1204, '券已过期') })
    expect(await expired.door.verify(CERTIFIED, 'key')).toEqual({ isDone: false, error: '券已过期' })
  })

  test('under a token that has run out is asked for again, under a new one', async () => {
    const { asked, door } = await douyin({ prepare: failing(2190008, 'access_token过期,请刷新或重新授权') })
    for (let n = 0; n < 2; n += 1) await expect(door.verify(CERTIFIED, 'key')).rejects.toThrow(AskAgain)
    expect(asked.filter(({ path }) => path === '/oauth/client_token/')).toHaveLength(2)
  })

  test('is taken back by the number it was verified under, which the platform is asked for where nobody told it', async () => {
    const query = () => well({ certificates: [{ certificate_id: CERTIFICATE, verify: { verify_id: 'V7' } }] })
    const { asked, door } = await douyin({ cancel: () => well({}), query })
    for (const verifyId of ['V1', ''])
      expect(await door.cancel({ ...CERTIFIED, verifyId }, 'key')).toMatchObject({ isDone: true })
    const bodies = asked.filter(({ path }) => path.endsWith('/cancel/')).map(({ body }) => body)
    expect(bodies).toEqual(['V1', 'V7'].map(verify_id => ({ verify_id, certificate_id: CERTIFICATE })))
    const late = await douyin({ cancel: failing(2119009, '超过1小时不可撤销') })
    expect(await late.door.cancel({ ...CERTIFIED, verifyId: 'V1' }, 'key')).toMatchObject({ isDone: false })
  })
})

const CHANNELS_ORDER = {
  order_id: '3705115058471208928',
  status: 20,
  create_time: 1_658_505_600,
  update_time: 1_658_509_300,
  unionid: 'o-union',
  openid: 'o1',
  order_detail: {
    product_infos: [
      { product_id: 234_245, sku_id: 23_424, sku_cnt: 1, title: '体验课', out_sku_id: 'TRIAL', sale_price: 2_000 },
    ],
    pay_info: { prepay_id: '4', transaction_id: '1', prepay_time: 1_658_509_100, pay_time: 1_658_509_200 },
    price_info: { product_price: 2_000, order_price: 1_990, freight: 0, discounted_price: 10 },
    delivery_info: {
      deliver_method: 1,
      address_info: { tel_number: '138****0000', virtual_order_tel_number: '13800001234' },
    },
    ext_info: { customer_notes: '', live_id: 'export/Uz', order_scene: 2 },
    commission_infos: [
      { type: 1, nickname: '团长' },
      { type: 0, nickname: '墨香老师' },
    ],
  },
  aftersale_detail: { aftersale_order_list: [], on_aftersale_order_cnt: 0 },
}

describe('an order of the shop in WeChat Channels', () => {
  const shopAt = (url: string) => channelsOrders({ url, appId: 'wx1', secret: 'secret-of-ours', clock: systemClock })

  test('is asked for under a token that leaves others good, and read in fen and seconds', async () => {
    const { asked, url } = await platform({
      stable_token: () => ({ access_token: 'A1', expires_in: 7200 }),
      get: () => ({ errcode: 0, errmsg: 'ok', order: CHANNELS_ORDER }),
    })
    expect(await shopAt(url).orderOf(CHANNELS_ORDER.order_id)).toEqual({
      ...{ orderNo: '3705115058471208928', at: '2022-07-22T17:01:40.000Z', paidAt: '2022-07-22T17:00:00.000Z' },
      ...{ status: '20', product: '体验课', skuId: '23424', productCode: 'TRIAL', amountFen: 1_990 },
      ...{
        buyerMobile: '13800001234',
        isVirtual: true,
        unionid: 'o-union',
        room: 'export/Uz',
        author: '墨香老师',
        isRefundAsked: false,
      },
    })
    expect(asked[0]?.body).toEqual({
      grant_type: 'client_credential',
      appid: 'wx1',
      secret: 'secret-of-ours',
      force_refresh: false,
    })
    expect(asked[1]).toMatchObject({ path: '/channels/ec/order/get', body: { order_id: '3705115058471208928' } })
    expect(asked[1]?.query.get('access_token')).toBe('A1')
  })

  test('is asked for again under a new token, or later, as the platform says', async () => {
    let gets = 0
    const { asked, url } = await platform({
      stable_token: () => ({ access_token: 'A1', expires_in: 7200 }),
      get() {
        gets += 1
        return { errcode: gets > 1 ? -1 : 42_001, errmsg: 'expired' }
      },
    })
    for (let n = 0; n < 2; n += 1) await expect(shopAt(url).orderOf('1')).rejects.toThrow(AskAgain)
    expect(asked.filter(({ path }) => path.endsWith('stable_token'))).toHaveLength(2)
  })
})

test('of what Douyin tells in part the rest is asked for by itself, and its voucher can be verified then', async () => {
  const told = {
    certificate_id: CERTIFICATE,
    encrypted_code: 'sealed=',
    amount: { pay_amount: 1_990 },
    sku: { sku_id: 7, title: '体验课' },
  }
  const { url, asked } = await platform({ ...given, query: () => well({ certificates: [told] }), verify: done })
  const keys = {
    DOUYIN_CLIENT_KEY: 'client',
    DOUYIN_CLIENT_SECRET: 'secret-of-ours',
    DOUYIN_POI_ID: '71',
    DOUYIN_URL: url,
  }
  const instance = await openTestInstance({ env: keys })
  const at = Math.floor(instance.clock.now().getTime() / 1_000)
  const content = { action: 'pay_success', msg_time: at, order: { order_id: ORDER, pay_amount: 1_990, pay_time: at } }
  const payload = JSON.stringify({
    event: 'life_trade_order_notify',
    client_key: 'client',
    content: JSON.stringify(content),
  })
  const headers = { 'x-douyin-signature': douyinSignature('secret-of-ours', Buffer.from(payload)), 'msg-id': 'M1' }
  const answer = await instance.http.inject({
    method: 'POST',
    url: '/api/open/v1/douyin/webhook',
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  })
  expect(answer.statusCode).toBe(200)
  await instance.inbox.sweep()
  await instance.outbox.run()
  const row = () =>
    instance.app.db.query
      .selectFrom('platform_order')
      .selectAll()
      .where('order_no', '=', ORDER)
      .executeTakeFirstOrThrow()
  expect(await row()).toMatchObject({
    status: 'BOUGHT',
    product_name: '体验课',
    amount_fen: '1990',
    sku_id: '7',
    last4: null,
  })
  const desk = await person(instance, { grants: { 'dy-code': ['list', 'detail', 'verify'] } })
  expect(await desk.post(`/live/dy-code/${(await row()).id}/verify`, {})).toMatchObject({ code: 0 })
  await instance.outbox.run()
  expect(await row()).toMatchObject({ status: 'VERIFIED', verify_id: 'V1' })
  expect(asked.at(-1)?.body).toMatchObject({ encrypted_codes: ['sealed='], poi_id: '71' })
})
