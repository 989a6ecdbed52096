import { beforeAll, expect, test } from 'vitest'
import { PUSHES } from '#kit/model/contract.ts'
import { openTestInstance, person, type TestInstance } from '../../tools/testing/instance.ts'
import { listen, openSocket } from '../../tools/testing/live.ts'
import { placeOrder } from '../../tools/testing/records.ts'
import { startSimulator } from './simulator.server.ts'

let instance: TestInstance
let host: string
beforeAll(async () => {
  instance = await openTestInstance()
  host = await listen(instance)
})

/** Gives these numbers one after the other, then halves. */
const chances =
  (...given: number[]) =>
  () =>
    given.shift() ?? 0.5

test('without any order there is nothing to play with', async () => {
  const simulator = startSimulator(instance.app, `http://${host}`)
  expect(await simulator.play()).toBeUndefined()
  await simulator.close()
})

test.each([
  [1, 0.1],
  [2, 0.7],
  [8, 0.95],
] as const)('type %i is played through the signed door and reaches a socket', async (type, kind) => {
  await placeOrder(instance)
  const admin = await person(instance, { superAdmin: true })
  const socket = await openSocket(host, admin.token)
  const simulator = startSimulator(instance.app, `http://${host}`, chances(0.5, kind))
  expect(await simulator.play()).toBe(PUSHES[type].event)
  await socket.next(push => push.type === type)
  await simulator.close()
  socket.raw.close()
})
