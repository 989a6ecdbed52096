import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { App } from '../app.ts'
import { findBroken } from './invariants.ts'
import { AskAgain, defineDelivery, deliver, type Outbox, openOutbox } from './outbox.ts'

const SECOND_MS = 1_000
const LONGER_THAN_ANY_WAIT_MS = 31 * 60_000

describe('calls to the outside', () => {
  let instance: TestInstance
  /** Keys in the order they were called under, and those whose outcome was stored. */
  let called: string[]
  let settled: string[]
  let answer: (key: string) => Promise<void>

  beforeAll(async () => {
    instance = await openTestInstance()
    // Its own would take our rows, and know nothing of their kind.
    await instance.outbox.close()
  })
  beforeEach(async () => {
    await instance.app.db.query.deleteFrom('payment_exception').execute()
    await instance.app.db.query.deleteFrom('outbox').execute()
    called = []
    settled = []
    answer = async () => {}
  })

  const delivery = defineDelivery<null, void>({
    kind: 'test',
    async call(_app, _payload, key) {
      called.push(key)
      await answer(key)
    },
    settle: async (_change, _payload) => void settled.push(called.at(-1) ?? ''),
  })
  const open = (app: App = instance.app) => openOutbox(app, [delivery])
  const wish = (key: string) =>
    instance.app.db.write(tx => deliver({ tx, now: instance.app.clock.now() }, { kind: 'test', key, payload: null }))
  const stored = (key: string) =>
    instance.app.db.query
      .selectFrom('outbox')
      .select(['status', 'attempts', 'error'])
      .where('key', '=', key)
      .executeTakeFirstOrThrow()

  test('are made once, in the order they fell due', async () => {
    const outbox = open()
    for (const key of ['a', 'b', 'c']) await wish(key)
    await outbox.run()
    await outbox.run()
    expect([called, settled]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
    expect(await stored('b')).toMatchObject({ status: 'DONE', attempts: 1 })
    await outbox.close()
  })

  test('that fail are made again later, later each time, with what went wrong beside them', async () => {
    const outbox = open()
    answer = async () => {
      throw new Error('nobody answers')
    }
    await wish('a')
    for (const [waitMs, times] of [
      [0, 1],
      [4 * SECOND_MS, 1],
      [2 * SECOND_MS, 2],
      [8 * SECOND_MS, 2],
      [3 * SECOND_MS, 3],
    ] as const) {
      instance.clock.forward(waitMs)
      await outbox.run()
      expect(called).toHaveLength(times)
    }
    expect(await stored('a')).toEqual({ status: 'WAITING', attempts: 3, error: 'nobody answers' })
    answer = async () => {}
    instance.clock.forward(LONGER_THAN_ANY_WAIT_MS)
    await outbox.run()
    expect(await stored('a')).toMatchObject({ status: 'DONE', error: '' })
    await outbox.close()
  })

  test.each([
    ['succeeds', async () => {}],
    [
      'fails',
      async () => {
        throw new Error('nobody answers')
      },
    ],
  ] as const)('wanted again while the first is under way are made again, though the first %s', async (_how, end) => {
    const outbox = open()
    answer = async key => {
      answer = async () => {}
      await wish(key)
      await end()
    }
    await wish('a')
    await outbox.run()
    expect(called).toEqual(['a', 'a'])
    expect(await stored('a')).toMatchObject({ status: 'DONE', attempts: 1 })
    await outbox.close()
  })

  /** Runs it again and again, as time passes, until it is no longer tried; gives the hours that took. */
  async function triedFor(outbox: Outbox): Promise<number> {
    const begun = instance.clock.now().getTime()
    for (let rounds = 0; rounds < 1_000; rounds += 1) {
      const before = called.length
      await outbox.run()
      if (called.length === before) break
      instance.clock.forward(LONGER_THAN_ANY_WAIT_MS)
    }
    return (instance.clock.now().getTime() - begun) / 3_600_000
  }

  test.each([
    ['that never succeed are tried for a day, then somebody is told', new Error('nobody answers'), [24, 48]],
    ['that are never decided are asked about for a week, then somebody is told', new AskAgain('under way'), [168, 240]],
  ] as const)('%s, who may have them made again', async (_name, error, [least, most]) => {
    const outbox = open()
    answer = async () => {
      throw error
    }
    await wish('lost')
    const hours = await triedFor(outbox)
    expect(hours).toBeGreaterThan(least)
    expect(hours).toBeLessThan(most)
    expect(await stored('lost')).toMatchObject({ status: 'GIVEN_UP', error: error.message })
    const finance = await person(instance, { superAdmin: true })
    const { data } = await finance.get<{ records: object[] }>('/finance/payment-exception?kind=CALL&status=OPEN')
    expect(data.records).toMatchObject([{ subject: 'test:lost', detail: `test: ${error.message}` }])
    const [{ id } = { id: '' }] = data.records as { id: string }[]
    answer = async () => {}
    const again = () => finance.post(`/finance/payment-exception/${id}/tryAgain`, { reason: 'the line is mended' })
    expect(await again()).toMatchObject({ code: 0 })
    await outbox.run()
    expect(await stored('lost')).toMatchObject({ status: 'DONE', error: '' })
    expect(await again()).toMatchObject({ code: 4006 })
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
    await outbox.close()
  })

  test('that fail with words no database keeps are told without them, and made again', async () => {
    const outbox = open()
    answer = async () => {
      throw new Error('bad \0 bytes \ud800 came')
    }
    await wish('a')
    await outbox.run()
    expect(await stored('a')).toMatchObject({ status: 'WAITING', attempts: 1, error: 'bad  bytes \ufffd came' })
    await outbox.close()
  })

  test('that were answered "not yet" are asked again without a warning', async () => {
    const outbox = open()
    answer = async () => {
      throw new AskAgain('under way')
    }
    const before = instance.logged.length
    await wish('a')
    await outbox.run()
    expect(await stored('a')).toMatchObject({ status: 'WAITING', error: 'under way' })
    expect(instance.logged.slice(before).join('')).not.toContain('failed')
    await outbox.close()
  })

  test('are each made by one instance, however many look', async () => {
    const outboxes = [open(), open(), open()]
    const keys = Array.from({ length: 30 }, (_, nth) => `k${nth}`)
    for (const key of keys) await wish(key)
    await Promise.all(outboxes.map(outbox => outbox.run()))
    expect(called.toSorted()).toEqual(keys.toSorted())
    await Promise.all(outboxes.map(outbox => outbox.close()))
  })

  test('of one kind wait for none of another, and for each other: what many wait for keeps nothing else from leaving', async () => {
    const held = Promise.withResolvers<void>()
    let atOnce = 0
    const slow = defineDelivery<null, void>({
      kind: 'slow',
      async call(_app, _payload, key) {
        called.push(key)
        atOnce += 1
        expect(atOnce).toBe(1)
        await held.promise
        atOnce -= 1
      },
      settle: async () => {},
    })
    const outbox = openOutbox(instance.app, [slow, delivery], false)
    const wishFor = (kind: string, key: string) =>
      instance.app.db.write(tx => deliver({ tx, now: instance.app.clock.now() }, { kind, key, payload: null }))
    for (const key of ['s1', 's2', 's3']) await wishFor('slow', key)
    await wishFor('test', 'q1')
    const first = outbox.run()
    await vi.waitFor(() => expect(called).toEqual(expect.arrayContaining(['s1', 'q1'])))
    // Also what is wished for while the others are still spoken.
    await wishFor('test', 'q2')
    const second = outbox.run()
    await vi.waitFor(() => expect(called).toContain('q2'))
    expect(called).not.toContain('s2')
    held.resolve()
    await Promise.all([first, second])
    expect(called.toSorted()).toEqual(['q1', 'q2', 's1', 's2', 's3'])
    await outbox.close()
  })

  // A run that has just found nothing more was taken for one that would find what came after.
  test('wished for while a run comes to its end are made before whoever asked for them is answered', async () => {
    const found = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const slow = instance.app.db.query.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        found.resolve()
        await letGo.promise
        return result
      },
    })
    const outbox = open({ ...instance.app, db: { ...instance.app.db, query: slow } })
    const first = outbox.run()
    await found.promise
    await wish('late')
    const second = outbox.run()
    letGo.resolve()
    await second
    expect(called).toEqual(['late'])
    await first
    await outbox.close()
  })
})
