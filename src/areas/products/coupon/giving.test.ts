import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { deedsOf, dryRun, putInForce, refusedFor } from '../../../../tools/testing/chain-in-force.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { newCoupon } from '../../../../tools/testing/coupons.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { handIn, triage } from '../../../../tools/testing/works.ts'

const SENDS = 'THEN(sendCoupon.bind("coupon", "首作奖励"))'
const EVENT = 'workHandedIn'

describe('a chain that sends a coupon', () => {
  let instance: TestInstance
  let clerk: Caller
  let couponId: string
  let write: (source: string) => Promise<void>
  beforeAll(async () => {
    instance = await openTestInstance({ isSending: false })
    clerk = await person(instance, { grants: { 'coupon-list': ['list', 'detail', 'create', 'stop'] } })
    couponId = await newCoupon(clerk, { name: '首作奖励', total: 2, perPerson: 2 })
    write = await putInForce(instance, EVENT, SENDS)
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
  const takenOf = async () => (await clerk.get<{ taken: number }>(`/products/coupon/${couponId}`)).data.taken
  async function handedIn(memberId: string): Promise<string> {
    const id = await handIn(instance, memberId)
    await instance.outbox.run()
    return id
  }

  test('cannot be published where no coupon, or more than one, is issued under the name', async () => {
    const source = (name: string) => `THEN(sendCoupon.bind("coupon", "${name}"))`
    await newCoupon(clerk, { name: '同名' })
    await newCoupon(clerk, { name: '同名' })
    for (const name of ['没有的券', '同名'])
      expect(await refusedFor(instance, null, source(name))).toContain('line 1, column 32')
  })

  test('sends nothing when it is tried, and is refused for refunds, also by way of another chain', async () => {
    expect(await dryRun(instance, SENDS)).toMatchObject({ error: null })
    await instance.outbox.run()
    expect(await takenOf()).toBe(0)
    expect(await refusedFor(instance, 'refundSubmitted', SENDS)).toContain('line 1, column 6')
    expect(await refusedFor(instance, 'refundSubmitted', `THEN(${EVENT})`)).toContain('line 1, column 6')
  })

  test('gives the member of the work one, and none again when it runs again for that work', async () => {
    const memberId = await enrol(instance)
    const id = await handedIn(memberId)
    await triage(instance, id)
    expect(await takenOf()).toBe(1)
    expect(await deedsOf(instance, EVENT, id)).toEqual(['sendCoupon DONE', 'sendCoupon ALREADY'])
    const held = await instance.app.db.query
      .selectFrom('member_coupon')
      .select(['member_id', 'issued_by'])
      .where('coupon_id', '=', couponId)
      .execute()
    expect(held).toEqual([{ member_id: memberId, issued_by: null }])
  })

  test('gives no more than there are, nor one that was stopped', async () => {
    await handedIn(await enrol(instance))
    const late = await handedIn(await enrol(instance))
    expect(await deedsOf(instance, EVENT, late)).toEqual(['sendCoupon USED_UP'])
    const { version } = (await clerk.get<{ version: number }>(`/products/coupon/${couponId}`)).data
    expect(await clerk.post(`/products/coupon/${couponId}/stop`, { version })).toMatchObject({ code: 0 })
    const later = await handedIn(await enrol(instance))
    expect(await deedsOf(instance, EVENT, later)).toEqual(['sendCoupon UNKNOWN'])
    expect(await takenOf()).toBe(2)
  })

  test('tells of a coupon with a name that is too long to be told whole', async () => {
    const name = `${'奖'.repeat(19)}😀😀`
    await newCoupon(clerk, { name })
    await write(`THEN(sendCoupon.bind("coupon", "${name}"))`)
    expect(await deedsOf(instance, EVENT, await handedIn(await enrol(instance)))).toEqual(['sendCoupon DONE'])
  })
})
