import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import type { Hint } from '#kit/model/contract.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, openSocket, type TestSocket } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'

let instance: TestInstance
let host: string
let seller: Caller & { orgId: string }
beforeAll(async () => {
  instance = await openTestInstance()
  host = await listen(instance)
  seller = await person(instance, { grants: { 'sale-chart': ['list'] }, scope: 'SELF' })
})

/** How many words of it this leaves for the instances. */
async function told(change: () => Promise<unknown>): Promise<number> {
  const words = async () => {
    const found = await sql<{ n: number }>`
      select count(*)::int as n from signal where topic = 'figures' and payload ->> 'page' = 'sale-chart'`.execute(
      instance.app.db.query,
    )
    return found.rows[0]?.n ?? 0
  }
  const before = await words()
  await change()
  return (await words()) - before
}

let counter = PHONES.test + 2_900_000
async function lead(): Promise<string> {
  counter += 1
  const phone = phoneAt(counter)
  const came = { phone, name: null, source: 'APP', channel: 'STORE', consent: 'SELF', cameBy: 'FORM' as const }
  const owner = { id: seller.id, orgId: seller.orgId }
  const [arrived] = await instance.app.db.write(tx =>
    arrive(ownChange(instance.app, tx, new Date(), 'test'), [{ ...came, key: phone, owner }]),
  )
  return String(arrived?.leadId)
}

describe('a board of sales on a wall', () => {
  test('is told once by each change: an order was paid, a lead came into hands, something was done with it, a target was set', async () => {
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 30)])
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
    expect(await told(() => buy(instance, memberId, product))).toBeGreaterThan(0)
    let leadId = ''
    expect(
      await told(async () => {
        leadId = await lead()
      }),
    ).toBe(1)
    const { query } = instance.app.db
    const act = sql`
      insert into lead_act (lead_id, owner_id, org_id, act, way, done_at)
      values (${leadId}, ${seller.id}, ${seller.orgId}, 'FOLLOW_UP', 'PHONE', now())`
    expect(await told(() => act.execute(query))).toBe(1)
    const target = sql`
      with one as (insert into consultant (staff_id, owner_id, org_id) values (${seller.id}, ${seller.id}, ${seller.orgId}) returning id)
      insert into consultant_target (consultant_id, month, target_fen) select id, '2026-11-01', 100 from one`
    expect(await told(() => target.execute(query))).toBe(1)
    // What is no figure of it is no news to it.
    expect(await told(() => sql`update lead set name = '林' where id = ${leadId}`.execute(query))).toBe(0)
  })

  test('hears of it if its person may list the board, and nobody else does', async () => {
    const other = await person(instance, { grants: { 'order-list': ['list'] } })
    const [wall, stranger] = [await openSocket(host, seller.token), await openSocket(host, other.token)]
    const words = ({ pushes }: TestSocket) => (pushes as Partial<Hint>[]).flatMap(({ figures }) => figures ?? [])
    await lead()
    await expect.poll(() => words(wall), { interval: 20 }).toContain('sale-chart')
    await stranger.read()
    expect(words(stranger)).toEqual([])
    for (const socket of [wall, stranger]) socket.raw.close()
  })
})
