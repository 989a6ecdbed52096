import { beforeAll, describe, expect, test } from 'vitest'
import { randomFrom } from '#demo/builders.server.ts'
import type { Brought } from '#engines/platform/knocking.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { putInForce } from '../../../../tools/testing/settings.ts'
import { atDoors } from './demo-doors.server.ts'

const ORDERS = 25
const PLATFORMS = ['DOUYIN', 'WECHAT_SHOP', 'XIAOHONGSHU'] as const

describe('platforms that are played at their own doors', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance()
  })
  const bring = async ({ path, headers, body }: Brought) =>
    (await instance.http.inject({ method: 'POST', url: path, headers, payload: body })).statusCode
  const play = async (nth: number, seed: number) => {
    const [scene] = atDoors[nth] ?? []
    const event = await scene?.(instance.app, randomFrom(seed), {})
    return event && 'brought' in event ? event.brought : undefined
  }

  test('keep still while a door is shut', async () => {
    expect(await play(2, 1)).toBeUndefined()
  })

  test.each(PLATFORMS.map((platform, nth) => [platform, nth] as const))(
    'bring what %s tells, in any order and repeated, under a signature its door takes',
    async (platform, nth) => {
      await putInForce(instance, 'xhsOrder.push', 1)
      let [calls, once] = [0, 0]
      for (let seed = 0; seed < ORDERS; seed += 1) {
        const brought = (await play(nth, seed)) ?? []
        for (const call of brought) expect(await bring(call)).toBe(200)
        calls += brought.length
        once += new Set(brought).size
      }
      expect(calls).toBeGreaterThan(once)
      const forged = (await play(nth, 99))?.[0] as Brought
      expect(
        await bring({
          ...forged,
          path: forged.path.replace(/msg_signature=\w/, 'msg_signature=x'),
          headers: { ...forged.headers, sign: 'x', 'x-douyin-signature': 'x' },
        }),
      ).toBe(403)
      await instance.inbox.sweep()
      const rows = await instance.app.db.read.rows(
        `select status, refund_state, count(*)::int as n from platform_order where platform = $1 group by 1, 2`,
        [platform],
      )
      expect(rows.reduce((all, { n }) => all + Number(n), 0)).toBe(ORDERS)
      // Whatever came first, each was paid; some of the money is wanted back, or back.
      expect(rows.map(({ status }) => status)).not.toContain('UNPAID')
      expect(rows.some(({ refund_state: state }) => state === 'REFUNDED')).toBe(true)
    },
  )

  test('leave nothing refused or waiting, one notice for each refund, and every promise kept', async () => {
    const outcomes = await instance.app.db.read.rows('select distinct outcome from inbox_event', [])
    expect(outcomes).toEqual([{ outcome: 'APPLIED' }])
    const [notices] = await instance.app.db.read.rows(
      `select count(*)::int as n, (select count(*)::int from platform_order where refund_state = 'REFUNDED') as orders from refund_notice`,
      [],
    )
    expect(notices?.n).toBe(notices?.orders)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
