import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import type { OwnLogin, OwnSession } from './model.ts'

const PATH = '/account/settings-sessions'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
})

const twoDevices = async () => {
  const { id, account } = await employ(instance)
  const at = async (device: string, address: string) =>
    caller(instance, id, (await signIn(instance, account, { device, address })).data)
  return {
    account,
    desk: await at('Firefox at the desk', '10.0.0.1'),
    phone: await at('Safari on a phone', '10.0.0.2'),
  }
}

describe('signed-in devices', () => {
  test('are listed with device, address and time, and the one that asks is marked', async () => {
    const { desk } = await twoDevices()
    const { data } = await desk.get<OwnSession[]>(PATH)
    expect(data.map(({ device, address, current }) => [device, address, current])).toEqual([
      ['Safari on a phone', '10.0.0.2', false],
      ['Firefox at the desk', '10.0.0.1', true],
    ])
    expect(data.every(({ since, activeAt }) => Date.parse(since) > 0 && Date.parse(activeAt) > 0)).toBe(true)
  })

  test('one is signed out from another, at once', async () => {
    const { desk, phone } = await twoDevices()
    await phone.get(PATH)
    const other = (await desk.get<OwnSession[]>(PATH)).data.find(({ current }) => !current)
    expect(await desk.remove(`${PATH}/${other?.id}`)).toMatchObject({ code: 0 })
    expect(await phone.get(PATH)).toMatchObject({ code: 4001 })
    expect((await desk.get<OwnSession[]>(PATH)).data).toHaveLength(1)
    expect(await desk.remove(`${PATH}/${other?.id}`)).toMatchObject({ status: 404 })
  })

  test("somebody else's session is not there, and goes on", async () => {
    const [mine, theirs] = [await twoDevices(), await twoDevices()]
    const [session] = (await theirs.desk.get<OwnSession[]>(PATH)).data
    expect(await mine.desk.remove(`${PATH}/${session?.id}`)).toMatchObject({ status: 404, code: 4004 })
    expect(await theirs.phone.get(PATH)).toMatchObject({ code: 0 })
  })

  test('expired ones are not listed', async () => {
    const own = await openTestInstance({ env: { CAPTCHA: 'off' } })
    const { id, account } = await employ(own)
    await signIn(own, account)
    own.clock.forward(8 * 86_400_000)
    const late = caller(own, id, (await signIn(own, account)).data)
    expect((await late.get<OwnSession[]>(PATH)).data).toHaveLength(1)
  })
})

describe('recent sign-ins', () => {
  test('good and bad ones are shown to their owner, and to nobody else', async () => {
    const { account, desk } = await twoDevices()
    await signIn(instance, account, { password: 'wrong guess', address: '10.6.6.6' })
    const { data } = await desk.get<OwnLogin[]>(`${PATH}/logins`)
    expect(data.map(({ address, result }) => [address, result])).toEqual([
      ['10.6.6.6', 'CREDENTIALS'],
      ['10.0.0.2', 'SUCCESS'],
      ['10.0.0.1', 'SUCCESS'],
    ])
    const other = await twoDevices()
    expect((await other.desk.get<OwnLogin[]>(`${PATH}/logins`)).data).toHaveLength(2)
  })
})
