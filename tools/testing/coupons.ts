import type { Caller } from './instance.ts'

/** A coupon of 20 yuan off anything, made by somebody who may. */
export async function newCoupon(clerk: Caller, limits: { total: number; perPerson: number }): Promise<string> {
  const { data } = await clerk.post<{ id: string }>('/products/coupon', {
    name: '抢券',
    kind: 'CASH',
    amountFen: 2_000,
    permille: null,
    thresholdFen: 0,
    scope: 'ALL',
    productIds: [],
    validity: 'AFTER_TAKING',
    validFrom: null,
    validTo: null,
    validDays: 30,
    ...limits,
  })
  return data.id
}
