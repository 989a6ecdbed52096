import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { makeKit, sell, shelve } from '../../../../tools/testing/goods.ts'
import { openTestInstance, person } from '../../../../tools/testing/instance.ts'
import type { Tracked } from './model.ts'

const GRANTS = {
  'order-sendGoods': ['list', 'send'],
  'order-examineSend': ['list', 'approve'],
  'order-logistics': ['list', 'detail'],
}
const ENV = {
  KUAIDI100_CUSTOMER: 'CUSTOMER',
  KUAIDI100_KEY: 'key-of-ours',
  KUAIDI100_SALT: 'salt-of-ours',
  KUAIDI100_CALLBACK_URL: 'https://console.test/push',
}

describe('a tracking service that pushes', () => {
  test('comes to its own door, under its signature', async () => {
    const instance = await openTestInstance({ env: ENV })
    const clerk = await person(instance, { grants: GRANTS })
    const id = await shelve(instance, 5)
    const { parcelId } = await sell(instance, { kitId: await makeKit(instance, [{ id, quantity: 1 }]) })
    await clerk.post(`/logistics/shipment-approval/${parcelId}/approve`)
    await clerk.post(`/logistics/shipment/${parcelId}/send`, { carrier: 'YTO', trackingNo: 'YT100001' })
    const read = async () => (await clerk.get<Tracked>(`/logistics/tracking/${parcelId}`)).data
    const param = JSON.stringify({
      lastResult: {
        com: 'yuantong',
        nu: 'YT100001',
        state: '3',
        data: [{ ftime: '2026-03-12 10:00:00', context: '已签收', statusCode: '301' }],
      },
    })
    const push = (sign: string) =>
      instance.http.inject({
        method: 'POST',
        url: '/api/open/v1/kuaidi100/push',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ param, sign }).toString(),
      })
    expect((await push('WRONG')).statusCode).toBe(403)
    expect(await read()).toMatchObject({ status: 'SENT' })
    const right = createHash('md5').update(`${param}salt-of-ours`).digest('hex').toUpperCase()
    expect((await push(right)).json()).toEqual({ result: true, returnCode: '200', message: '成功' })
    expect(await read()).toMatchObject({ status: 'SIGNED', lastEvent: '已签收' })
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('finds no door while its keys are not set', async () => {
    const instance = await openTestInstance()
    const answer = await instance.http.inject({
      method: 'POST',
      url: '/api/open/v1/kuaidi100/push',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'param=%7B%7D&sign=X',
    })
    expect(answer.statusCode).toBe(404)
  })
})
