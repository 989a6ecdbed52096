import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { makeKit, parcelsOf, sell, shelve } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { serveWaiting } from './waiting.server.ts'

const GRANTS = {
  'order-sendGoods': ['list', 'send', 'hold', 'release', 'split', 'merge'],
  'order-examineSend': ['list', 'approve', 'reject'],
  'order-logistics': ['list', 'detail', 'receiveBack', 'resend', 'markLost'],
  'base-product': ['detail', 'stockIn', 'stockOut', 'check', 'approveCheck'],
}

let instance: TestInstance
let other: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
  other = await openTestInstance({ url: instance.url, clock: instance.clock })
})

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
      async () => {
        const path = `/logistics/base-product/${anyOf(goods)}`
        const { askedId } = (await by().get<{ askedId?: string }>(path)).data
        if (askedId) await by().post(`${path}/approveCheck`, { askedId })
      },
      () =>
        instance.app.db.write(tx =>
          atOnce(serveWaiting)(ownChange(instance.app, tx, instance.app.clock.now(), 'test')),
        ),
    ]
    for (let round = 0; round < ROUNDS; round += 1) {
      // Two at a time, as two people would.
      await Promise.all([deeds[roll(deeds.length)]?.(), deeds[roll(deeds.length)]?.()])
      if (round % 20 === 19) expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
    }
  })
})
