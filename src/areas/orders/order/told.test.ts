import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Hint } from '#kit/model/contract.ts'
import { buy, enrol, grantOf, offer, order, pay } from '../../../../tools/testing/commerce.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, openSocket, type TestSocket } from '../../../../tools/testing/live.ts'

let instance: TestInstance
let host: string
beforeAll(async () => {
  instance = await openTestInstance()
  host = await listen(instance)
})

/** The pages whose lists a change leaves a word about, each as often as it does. */
async function toldOf(change: () => Promise<unknown>): Promise<string[]> {
  const pages = async () => {
    const { rows } = await sql<{ page: string }>`
      select payload ->> 'page' as page from signal where topic = 'rows' order by id`.execute(instance.app.db.query)
    return rows.map(({ page }) => page)
  }
  const before = await pages()
  await change()
  return (await pages()).slice(before.length)
}

describe('the list of orders', () => {
  test('is told of what becomes of its orders, by whatever way and once for each change, and not of what meets none', async () => {
    const memberId = await enrol(instance)
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 30)])
    const placed = await order(instance, memberId, product)
    const paid = await toldOf(() => pay(instance, placed))
    expect(paid.filter(page => page === 'order-list')).toHaveLength(1)
    const { query } = instance.app.db
    const note = (id: string) => sql`update sales_order set note = '周末寄' where id = ${id}`.execute(query)
    expect(await toldOf(() => note(placed.orderId))).toEqual(['order-list'])
    expect(await toldOf(() => note('0'))).toEqual([])
  })

  test('hears of a payment on every desk of those who may list orders, and on no other', async () => {
    const [seller, stranger] = [
      await person(instance, { grants: { 'order-list': ['list'] } }),
      await person(instance, { grants: { 'member-list': ['list'] } }),
    ]
    const [mine, theirs] = [await openSocket(host, seller.token), await openSocket(host, stranger.token)]
    const words = ({ pushes }: TestSocket) => (pushes as Partial<Hint>[]).flatMap(({ rows }) => rows ?? [])
    await buy(instance, await enrol(instance), await offer(instance, [grantOf('MEMBER_DAYS', 30)]))
    await expect.poll(() => words(mine), { interval: 20, timeout: 15_000 }).toContain('order-list')
    await theirs.read()
    expect(words(theirs)).toEqual([])
    for (const socket of [mine, theirs]) socket.raw.close()
  })
})
