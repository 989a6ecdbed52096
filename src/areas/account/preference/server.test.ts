import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const PATH = '/account/preference'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

describe('display choices', () => {
  test('are kept from machine to machine, key by key', async () => {
    const me = await person(instance)
    await me.put(PATH, { density: 'small', columns: { 'orders/order': ['orderNo', 'amountFen'] } })
    expect(await me.put(PATH, { density: 'large', theme: { colour: '#1890ff' } })).toMatchObject({ code: 0 })
    const kept = {
      density: 'large',
      columns: { 'orders/order': ['orderNo', 'amountFen'] },
      theme: { colour: '#1890ff' },
    }
    expect((await me.get<object>(PATH)).data).toEqual(kept)
    expect((await me.get<{ preference: object }>('/auth/userInfo')).data.preference).toEqual(kept)
    expect((await me.put<object>(PATH, { theme: null, columns: null })).data).toEqual({ density: 'large' })
  })

  test("two tabs that change different keys at once keep both, and nobody sees another's", async () => {
    const me = await person(instance)
    await Promise.all(Array.from({ length: 10 }, (_, tab) => me.put(PATH, { [`tab${tab}`]: tab })))
    expect(Object.keys((await me.get<object>(PATH)).data)).toHaveLength(10)
    expect((await (await person(instance)).get<object>(PATH)).data).toEqual({})
  })

  test('more than 20 KB, or nested without end, is refused and changes nothing', async () => {
    const me = await person(instance)
    await me.put(PATH, { density: 'small' })
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    for (const body of [{ big: '墨'.repeat(7_000) }, nested(20)])
      expect(await me.put(PATH, body)).toMatchObject({ status: 422, code: 4005 })
    expect((await me.put(PATH, nested(3_000))).status).toBeLessThan(500)
    expect((await me.get<object>(PATH)).data).toEqual({ density: 'small' })
    expect(await me.put(PATH, { big: 'x'.repeat(20_000) })).toMatchObject({ code: 0 })
  })
})

describe('notifications', () => {
  const notices = '/account/settings-notifications'

  test('offered are the kinds a person can get; muted ones are remembered beside other choices', async () => {
    const me = await person(instance, { grants: { 'order-list': ['list'], 'member-share': ['list'] } })
    await me.put(PATH, { density: 'small' })
    expect((await me.get<object>(notices)).data).toEqual({ offered: [2, 9], muted: [], mailDecisions: false })
    expect((await me.put<object>(notices, { muted: [9, 9] })).data).toEqual({
      offered: [2, 9],
      muted: [9],
      mailDecisions: false,
    })
    expect((await me.get<object>(PATH)).data).toEqual({ density: 'small', mutedPushes: [9] })
    expect((await me.put<object>(notices, { muted: [] })).data).toEqual({
      offered: [2, 9],
      muted: [],
      mailDecisions: false,
    })
  })

  test('what is no notification cannot be muted', async () => {
    const me = await person(instance)
    for (const type of [3, 8, 99, '2']) expect(await me.put(notices, { muted: [type] })).toMatchObject({ code: 4005 })
    expect(await me.put(PATH, { mutedPushes: ['all'] })).toMatchObject({ code: 4005 })
    expect((await me.get<object>(notices)).data).toMatchObject({ muted: [] })
  })
})
