import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Refused } from '#kit/model/refusal.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { kuaidi100 } from './kuaidi100.server.ts'

const KEYS = {
  url: 'https://tracking.test',
  customer: 'CUSTOMER',
  key: 'key-of-ours',
  salt: 'salt-of-ours',
  callbackUrl: 'https://console.test/push',
}
const PARCEL = {
  carrier: 'ZTO',
  trackingNo: '78900012345',
  phone: '13800138000',
  province: 'ZJ',
  sentAt: new Date('2026-03-01T00:00:00Z'),
}
const md5 = (text: string) => createHash('md5').update(text).digest('hex').toUpperCase()

/** The service, answering this; what it was asked stands in `asked`. */
function service(answer: unknown, status = 200) {
  const asked: { url: string; form: URLSearchParams }[] = []
  const carrier = kuaidi100(KEYS, async (url, { body }) => {
    asked.push({ url, form: body })
    return new Response(JSON.stringify(answer), { status })
  })
  return { carrier, asked }
}
const TRACK = {
  status: '200',
  state: '3',
  com: 'zhongtong',
  nu: '78900012345',
  data: [
    { ftime: '2026-03-03 10:00:00', context: '已签收', statusCode: '301' },
    { ftime: '2026-03-02 08:30:00', context: '到达杭州', statusCode: '1001' },
    { time: '2026-03-01 18:00:00', context: '已揽收' },
    { ftime: 'no time', context: 'left out' },
  ],
}

describe('asking the tracking service', () => {
  test('the question is signed as it wants it, and names the carrier as it does', async () => {
    const { carrier, asked } = service(TRACK)
    await carrier.ask(PARCEL)
    const form = asked[0]?.form
    const param = form?.get('param') ?? ''
    expect(asked[0]?.url).toBe('https://tracking.test/poll/query.do')
    expect(JSON.parse(param)).toEqual({ com: 'zhongtong', num: '78900012345', phone: '8000', resultv2: '4' })
    expect(form?.get('customer')).toBe('CUSTOMER')
    expect(form?.get('sign')).toBe(md5(`${param}key-of-oursCUSTOMER`))
  })

  test('its answer is read oldest first, in Shanghai time', async () => {
    expect(await service(TRACK).carrier.ask(PARCEL)).toEqual([
      { at: new Date('2026-03-01T10:00:00Z'), status: 'TRANSIT', content: '已揽收' },
      { at: new Date('2026-03-02T00:30:00Z'), status: 'TRANSIT', content: '到达杭州' },
      { at: new Date('2026-03-03T02:00:00Z'), status: 'SIGNED', content: '已签收' },
    ])
  })

  test('nothing known yet is no event; nobody answering is asked again', async () => {
    const nothing = { result: false, returnCode: '500', message: '查询无结果，请隔段时间再查' }
    expect(await service(nothing).carrier.ask(PARCEL)).toEqual([])
    await expect(service({}, 502).carrier.ask(PARCEL)).rejects.toBeInstanceOf(AskAgain)
  })

  test('a parcel is followed once: a standing subscription is as good as a new one', async () => {
    const { carrier, asked } = service({ result: true, returnCode: '200', message: '提交成功' })
    await carrier.follow(PARCEL)
    expect(JSON.parse(asked[0]?.form.get('param') ?? '')).toMatchObject({
      company: 'zhongtong',
      number: '78900012345',
      key: 'key-of-ours',
      parameters: { callbackurl: 'https://console.test/push', salt: 'salt-of-ours' },
    })
    await service({ result: false, returnCode: '501', message: '重复订阅' }).carrier.follow(PARCEL)
    await expect(service({ result: false, returnCode: '600', message: '无权' }).carrier.follow(PARCEL)).rejects.toThrow(
      '600',
    )
  })
})

describe('what it pushes', () => {
  const param = JSON.stringify({ status: 'shutdown', lastResult: TRACK })
  const push = (sign: string) =>
    service({}).carrier.readPush(Buffer.from(new URLSearchParams({ param, sign }).toString()))

  test('is read when it is signed with our salt', () => {
    expect(push(md5(`${param}salt-of-ours`))).toMatchObject({
      carrier: 'ZTO',
      trackingNo: '78900012345',
      events: [{}, {}, { status: 'SIGNED' }],
    })
  })

  test('is refused when it is not', () => {
    expect(() => push(md5(`${param}another`))).toThrow(Refused)
    expect(() => push('')).toThrow(Refused)
  })
})
