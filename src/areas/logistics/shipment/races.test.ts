import { beforeAll, describe, expect, test } from 'vitest'
import { Refused } from '#kit/model/refusal.ts'
import { findBroken } from '#kit/server/invariants.ts'
import { ownChange } from '#kit/server/operation.ts'
import { type Bought, enrol, pay } from '../../../../tools/testing/commerce.ts'
import { makeKit, orderKit, parcelsOf, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { serveWaiting } from './waiting.server.ts'

const GRANTS = {
  'order-sendGoods': ['list', 'send', 'hold', 'release', 'split', 'merge'],
  'order-examineSend': ['list', 'approve', 'reject'],
  'order-logistics': ['list', 'detail', 'receiveBack', 'resend', 'markLost'],
  'base-product': ['stockIn', 'stockOut', 'check', 'approveCheck'],
}

let instance: TestInstance
let other: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
  other = await openTestInstance({ url: instance.url, clock: instance.clock })
})

describe('the last hundred on the shelf', () => {
  const isShort = (error: unknown) => error instanceof Refused && error.refusal.code === 'engines/stock:short'

  test('of 200 sales at once over two instances, a hundred are made', async () => {
    const id = await shelve(instance, 100)
    const kitId = await makeKit(instance, [{ id, quantity: 1 }])
    const orders: Bought[] = []
    for (let n = 0; n < 200; n += 1) orders.push(await orderKit(instance, { kitId }))
    const results = await rush(orders.map((bought, n) => () => pay(n % 2 ? instance : other, bought)))
    expect(results.filter(result => result === 'made')).toHaveLength(100)
    expect(results.filter(isShort)).toHaveLength(100)
    expect(await stockOf(instance, id)).toEqual([100, 100])
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })

  test('whoever looks first and takes afterwards promises more than there is', async () => {
    const id = await shelve(instance, 100)
    const { query } = instance.app.db
    const naive = async (looked: Promise<unknown>[]) => {
      const row = query.selectFrom('base_product').select('available').where('id', '=', id).executeTakeFirstOrThrow()
      looked.push(row)
      const { available } = await row
      await Promise.all(looked)
      if ((available ?? 0) < 1) return
      await query
        .updateTable('base_product')
        .set(eb => ({ locked: eb('locked', '+', 1) }))
        .where('id', '=', id)
        .execute()
    }
    const looked: Promise<unknown>[] = []
    await Promise.all(Array.from({ length: 200 }, () => naive(looked)))
    expect((await stockOf(instance, id))[1]).toBe(200)
    await query.updateTable('base_product').set({ locked: 0 }).where('id', '=', id).execute()
  })
})

/** As many at once as the two instances have connections; the rest push behind them. */
async function rush(deeds: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const results: unknown[] = []
  const left = [...deeds]
  const work = async () => {
    for (let deed = left.pop(); deed; deed = left.pop()) {
      results.push(
        await deed().then(
          () => 'made',
          error => error,
        ),
      )
    }
  }
  await Promise.all(Array.from({ length: 12 }, work))
  return results
}

/** The same dice for every run: a failure can be looked at again. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

describe('whatever is done in whatever order', () => {
  const ROUNDS = 120
  test.each([7, 42])('goods promised are goods that open parcels hold (seed %i)', async seed => {
    const roll = dice(seed)
    const callers = [await person(instance, { grants: GRANTS }), await person(other, { grants: GRANTS })] as const
    const goods = [await shelve(instance, 20), await shelve(instance, 20)]
    const kitId = await makeKit(
      instance,
      goods.map((id, index) => ({ id, quantity: index + 1 })),
    )
    const members = [await enrol(instance), await enrol(instance)]
    const parcels: string[] = []
    const by = (): Caller => callers[roll(2)] as Caller
    const anyOf = (ids: readonly string[]): string => ids[roll(ids.length)] ?? '1'
    const some = () => ({ parts: [{ baseProductId: anyOf(goods), sku: '', name: '', quantity: 1 + roll(2) }] })
    const step = (path: string, name: string, body: object = {}) =>
      by().post(`/logistics/${path}/${anyOf(parcels)}/${name}`, body)
    const deeds: (() => Promise<unknown>)[] = [
      async () => {
        const sold = await sell(instance, { kitId, memberId: anyOf(members), mayWait: true })
        parcels.push(...(await parcelsOf(instance, sold.orderId)))
      },
      () => step('shipment-approval', 'approve'),
      () => step('shipment-approval', 'approve'),
      () => step('shipment-approval', 'reject', { reason: 'no' }),
      () => step('shipment', 'hold', { reason: 'wait' }),
      () => step('shipment', 'release'),
      () => step('shipment', 'split', some()),
      () => by().post('/logistics/shipment/merge', { ids: [anyOf(parcels), anyOf(parcels)] }),
      () => step('shipment', 'send', { carrier: 'SF', trackingNo: `R${seed}-${roll(1e9)}` }),
      () => step('tracking', 'receiveBack', some()),
      () => step('tracking', 'markLost', { reason: 'gone' }),
      () => step('tracking', 'resend', { ...some(), reason: 'again' }),
      () => by().post(`/logistics/base-product/${anyOf(goods)}/stockIn`, { quantity: 1 + roll(5), note: '' }),
      () => by().post(`/logistics/base-product/${anyOf(goods)}/check`, { counted: roll(20), note: '' }),
      () => by().post(`/logistics/base-product/${anyOf(goods)}/approveCheck`),
      () =>
        instance.app.db.write(tx => serveWaiting.work(ownChange(instance.app, tx, instance.app.clock.now(), 'test'))),
    ]
    for (let round = 0; round < ROUNDS; round += 1) {
      // Two at a time, as two people would.
      await Promise.all([deeds[roll(deeds.length)]?.(), deeds[roll(deeds.length)]?.()])
      if (round % 20 === 19) expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
    }
  })
})
