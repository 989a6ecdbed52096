import { describe, expect, test } from 'vitest'
import { dayFault, discountFault, isShort, lastDayOf, priceBy, whyNotExtend } from './price.model.ts'

const TODAY = '2026-11-18'
const LINK = { status: 'ACTIVE', expiresOn: '2026-11-20', productId: '1', priceFen: 900, hasDiscount: false }
const ORDER = { productId: '1', todayFen: 1_000, quantity: 1, hasCoupon: false }

describe('what an order costs by a link', () => {
  test.each([
    ['the price went up: the one that was promised holds', {}, {}, 'LOCKED', 900],
    ['the price went down: nobody pays more by a link than without', {}, { todayFen: 800 }, 'LOCKED', 800],
    ['on its last day it still holds', { expiresOn: TODAY }, {}, 'LOCKED', 900],
    ['a day later it does not', { expiresOn: '2026-11-17' }, {}, 'NOT_IN_FORCE', 1_000],
    ['closed, it does not', { status: 'CLOSED' }, {}, 'NOT_IN_FORCE', 1_000],
    ['expired, it does not, whatever its day', { status: 'EXPIRED' }, {}, 'NOT_IN_FORCE', 1_000],
    ['it is the price of one product', {}, { productId: '2' }, 'OTHER_PRODUCT', 1_000],
    ['and of none the shop calls by a name of its own', {}, { productId: null }, 'OTHER_PRODUCT', 1_000],
    ['a coupon may come on top of a promised price', {}, { hasCoupon: true }, 'LOCKED', 900],
    ['a discount is sold', { hasDiscount: true }, {}, 'DISCOUNTED', 900],
    ['for one piece, the others at what everybody pays', { hasDiscount: true }, { quantity: 3 }, 'DISCOUNTED', 2_900],
    ['a promise is for every piece', {}, { quantity: 3 }, 'LOCKED', 2_700],
    ['the price of the day too', {}, { quantity: 3, productId: '2' }, 'OTHER_PRODUCT', 3_000],
    ['but once', { hasDiscount: true, status: 'USED' }, {}, 'ALREADY_USED', 1_000],
    ['and not with a coupon besides', { hasDiscount: true }, { hasCoupon: true }, 'WITH_COUPON', 1_000],
    ['where everybody pays as little, it is not used up', { hasDiscount: true }, { todayFen: 900 }, 'LOCKED', 900],
  ])('%s', (_what, link, order, outcome, amountFen) => {
    expect(priceBy({ ...LINK, ...link }, { ...ORDER, ...order }, TODAY)).toEqual({ outcome, amountFen })
  })
})

describe('which discount a link can be made with', () => {
  const agreed = {
    ...{ kind: 'DISCOUNT', status: 'APPROVED', ownerId: '7', productId: '1' },
    usableUntil: TODAY as string | null,
  }
  const wanted = { ownerId: '7', productId: '1', today: TODAY }
  test.each([
    ['one that was agreed to, to its last day', {}, undefined],
    ['no other application', { kind: 'GIFT' }, 'discount-not-agreed'],
    ['none that waits', { status: 'SUBMITTED', usableUntil: null }, 'discount-not-agreed'],
    ["no colleague's", { ownerId: '8' }, 'discount-of-another'],
    ['none for another product', { productId: '2' }, 'discount-other-product'],
    ['none that is over', { usableUntil: '2026-11-17' }, 'discount-over'],
  ])('%s', (_what, part, code) => {
    expect(discountFault({ ...agreed, ...part }, wanted)?.code).toBe(code)
  })
})

describe('to what day a link may be in force', () => {
  test.each([
    [TODAY, null, undefined],
    ['2026-11-17', null, 'day-past'],
    ['2026-12-18', null, undefined],
    ['2026-12-19', null, 'too-long'],
    ['2026-11-25', '2026-11-25', undefined],
    ['2026-11-26', '2026-11-25', 'beyond-discount'],
  ])('%s, with a discount to %s: %s', (day, discountUntil, code) => {
    expect(dayFault(day, { today: TODAY, lastDay: lastDayOf(TODAY, 30), discountUntil })?.code).toBe(code)
  })

  test('what is no longer sold, or agreed to, or locked for as long as may be, is not promised for longer', () => {
    const standing = { today: TODAY, onSale: true, discountUntil: null, lastDay: TODAY }
    expect(whyNotExtend({}, {}, standing)).toBeUndefined()
    expect(whyNotExtend({}, {}, { ...standing, discountUntil: TODAY })).toBeUndefined()
    expect(whyNotExtend({}, {}, { ...standing, onSale: false })?.code).toBe('product-off-sale')
    expect(whyNotExtend({}, {}, { ...standing, discountUntil: '2026-11-17' })?.code).toBe('discount-over')
    expect(whyNotExtend({}, {}, { ...standing, lastDay: '2026-11-17' })?.code).toBe('lock-over')
  })
})

test('an order is short where the shop says it sold for less than it costs here', () => {
  expect([isShort(900, 899), isShort(900, 900), isShort(900, 901), isShort(900, null)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
