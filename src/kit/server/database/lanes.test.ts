import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Lanes, Overloaded } from './lanes.ts'

test('those who want the same thing get it one after the other, in the order they came; others do not wait for them', async () => {
  const lanes = new Lanes(1_000, 100)
  const done: string[] = []
  let atOnce = 0
  const want = (key: string, name: string, ms: number) =>
    lanes.run(key, async () => {
      if (key === 'order:1') atOnce += 1
      expect(atOnce).toBeLessThanOrEqual(1)
      await sleep(ms)
      if (key === 'order:1') atOnce -= 1
      done.push(name)
    })
  await Promise.all([
    want('order:1', 'first', 30),
    want('order:1', 'second', 1),
    want('order:1', 'third', 1),
    want('order:2', 'elsewhere', 1),
  ])
  expect(done).toEqual(['elsewhere', 'first', 'second', 'third'])
  expect(lanes.waiting).toBe(0)
})

test('the line goes on after one whose work failed', async () => {
  const lanes = new Lanes(1_000, 100)
  const failing = lanes.run('order:1', async () => {
    await sleep(5)
    throw new Error('broken')
  })
  const next = lanes.run('order:1', async () => 'served')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('served')
})

test('whoever has waited too long is told so, and the line closes up behind', async () => {
  const lanes = new Lanes(50, 100)
  const ended = Promise.withResolvers<string>()
  const slow = lanes.run('order:1', () => ended.promise)
  const late = lanes.run('order:1', async () => 'late')
  await expect(late).rejects.toThrow(Overloaded)
  const patient = lanes.run('order:1', async () => 'served')
  await expect(patient).rejects.toThrow(Overloaded)
  ended.resolve('slow')
  expect(await slow).toBe('slow')
  expect(await lanes.run('order:1', async () => 'served')).toBe('served')
  expect(lanes.waiting).toBe(0)
})

test('when too many wait already, one more is refused at once', async () => {
  const lanes = new Lanes(1_000, 1)
  const first = lanes.run('order:1', () => sleep(10, 'first'))
  const second = lanes.run('order:1', async () => 'second')
  await expect(lanes.run('order:1', async () => 'third')).rejects.toThrow(Overloaded)
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
})
