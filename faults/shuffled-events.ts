import { randomFrom } from '../src/demo/builders.server.ts'
import type { Source } from '../src/kit/server/live/event.ts'

export type Told = {
  readonly source: Source
  readonly at: number
  readonly id: string
  readonly type: string
  readonly data: Record<string, unknown>
}
export type Buyer = { readonly id: string; readonly phone: string }

const MINUTE_MS = 60_000
const SHOPS = ['douyin', 'wechat-shop', 'xiaohongshu'] as const
/** What a story begins with; how long it takes stays below it. */
const STORY_MS = 3 * 60 * MINUTE_MS

/**
 * What platforms and the app tell of so many orders in the hours before `now`, in the order it happened: bought, claimed,
 * recognised, verified and taken back, wanted back and paid back. Some buyers are members, some nobody knows; of these some leave
 * a form, register, order in the app and pay for it, which may all be told before they are anybody.
 */
export function storiesOf(events: number, buyers: readonly Buyer[], productCode: string, now: number): Told[] {
  const random = randomFrom(41)
  const told: Told[] = []
  for (let nth = 0; told.length < events; nth += 1) {
    const source = SHOPS[nth % SHOPS.length] as (typeof SHOPS)[number]
    const orderNo = `C${String(nth).padStart(12, '0')}`
    const buyer = random.chance(0.7) ? random.pick(buyers) : undefined
    let at = now - STORY_MS + random.whole(0, 60) * MINUTE_MS
    const tell = (type: string, data: object, from: Source = source) => {
      at += random.whole(1, 8) * MINUTE_MS
      const id = `${orderNo}-${told.length}`
      told.push({ source: from, at, id, type, data: { ...data, at: new Date(at).toISOString() } })
    }
    const untimed = (type: string, data: object) => {
      at += random.whole(1, 8) * MINUTE_MS
      told.push({ source: 'app', at, id: `${orderNo}-${told.length}`, type, data: { ...data } })
    }
    const byName = buyer && random.chance(0.5) ? `union-${buyer.id}` : undefined
    tell('platform-order.told', {
      orderNo,
      product: '体验课',
      productCode,
      amountFen: 1_990,
      paidAt: new Date(at).toISOString(),
      status: '20',
      ...(byName ? { unionid: byName } : buyer ? { buyerMobile: buyer.phone } : {}),
      ...(source === 'douyin' ? { certificate: { id: `K${nth}`, last4: String(nth % 10_000).padStart(4, '0') } } : {}),
    })
    const phone = buyer?.phone ?? `1998${String(nth % 5_000_000).padStart(7, '0')}`
    const joins = buyer === undefined && random.chance(0.6)
    if (joins && random.chance(0.5))
      tell('lead-form.submitted', { formNo: `F${nth}`, kind: 'FORM', phone, city: '杭州' }, 'xiaohongshu')
    if (random.chance(0.6)) tell('voucher.claimed', { orderNo, product: '体验课', phone })
    if (byName) tell('voucher.registered', { memberId: buyer?.id, product: '体验课', unionid: byName }, 'app')
    tell('platform-order.told', { orderNo, status: '100', author: `达人${nth % 7}` })
    if (source === 'douyin' && random.chance(0.6)) tell('voucher.verified', { orderNo, verifyId: `V${nth}` })
    if (source === 'douyin' && random.chance(0.2)) tell('voucher.verified', { orderNo, isCancelled: true })
    if (random.chance(0.3)) tell('platform-order.told', { orderNo, isRefundAsked: true, afterSale: '2' })
    if (random.chance(0.3)) tell('voucher.refunded', { orderNo, amountFen: 1_990 })
    if (!joins) continue
    untimed('member.registered', { phone, name: '新学员', source: 'DOUYIN', channel: 'DOUYIN_LIVE' })
    if (random.chance(0.5)) tell('voucher.registered', { phone, product: '体验课', platform: source, orderNo }, 'app')
    if (!random.chance(0.5)) continue
    const ownNo = `7${String(nth).padStart(17, '0')}`
    untimed('order.placed', { orderNo: ownNo, phone, productCode, source: 'APP' })
    const paid = { orderNo: ownNo, provider: 'WECHAT', providerNo: `P${nth}`, amountFen: 1_990 }
    if (random.chance(0.7)) untimed('order.paid', { ...paid, paidAt: new Date(at).toISOString() })
  }
  return told.sort((one, other) => one.at - other.at)
}

/** As platforms bring them: in any order, three of ten again, and some after everything else though they are an hour old. */
export function shuffled(told: readonly Told[]): Told[] {
  const random = randomFrom(43)
  const isLate = (index: number) => index % 20 === 7
  const mixed = (list: Told[]): Told[] => {
    for (let last = list.length - 1; last > 0; last -= 1) {
      const other = random.whole(0, last)
      ;[list[last], list[other]] = [list[other] as Told, list[last] as Told]
    }
    return list
  }
  const again = told.filter(() => random.chance(0.3))
  return [
    ...mixed([...told.filter((_, index) => !isLate(index)), ...again]),
    ...told.filter((_, index) => isLate(index)),
  ]
}
