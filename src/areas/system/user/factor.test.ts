import { beforeAll, describe, expect, test } from 'vitest'
import {
  caller,
  cloneDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { listen, openSocket } from '../../../../tools/testing/live.ts'
import { beginFactor } from '../../../kit/server/auth/factor.ts'

const PATH = '/system/user'
const REASON = { reason: 'the phone was lost' }
const WITHIN_MS = 1_000

describe('a second factor reset by an administrator', () => {
  let first: TestInstance
  let second: TestInstance
  beforeAll(async () => {
    const { url } = await cloneDatabase()
    first = await openTestInstance({ url })
    second = await openTestInstance({ url })
  })

  const withFactor = async (options: Parameters<typeof person>[1] = {}) => {
    const somebody = await person(first, options)
    const { db } = first.app
    await db.write(async tx => {
      const { id: sessionId } = await tx
        .selectFrom('session')
        .select('id')
        .where('staff_id', '=', somebody.id)
        .executeTakeFirstOrThrow()
      const who = { id: somebody.id, account: 'x', sessionId }
      await beginFactor(tx, first.app, who, { hasFactor: false, isFreshToEnrol: false }, first.clock.now())
      const { secret } = await tx
        .selectFrom('second_factor_begun')
        .select('secret')
        .where('staff_id', '=', somebody.id)
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('second_factor')
        .values({ staff_id: somebody.id, secret, since: first.clock.now(), last_step: '0' })
        .execute()
      await tx.updateTable('staff').set({ has_factor: true }).where('id', '=', somebody.id).execute()
    })
    return somebody
  }
  const reset = (by: { post: Awaited<ReturnType<typeof person>>['post'] }, id: string, body: object = REASON) =>
    by.post(`${PATH}/${id}/resetFactor`, body)

  test('ends sessions and sockets on the other instance within a second, and the person is told', async () => {
    const admin = await person(first, { superAdmin: true })
    const somebody = await withFactor()
    const there = caller(second, somebody.id, somebody.token)
    expect(await there.get('/auth/userInfo')).toMatchObject({ code: 0 })
    const socket = await openSocket(await listen(second), somebody.token)
    expect(await reset(admin, somebody.id)).toMatchObject({ code: 0 })
    const begun = performance.now()
    await socket.closed
    expect(performance.now() - begun).toBeLessThan(WITHIN_MS)
    expect(await there.get('/auth/userInfo')).toMatchObject({ code: 4001 })
    const kept = await first.app.db.query
      .selectFrom('second_factor')
      .select('staff_id')
      .where('staff_id', '=', somebody.id)
      .execute()
    expect(kept).toEqual([])
    const told = await first.app.db.query
      .selectFrom('message')
      .select(['title', 'status'])
      .where('staff_id', '=', somebody.id)
      .execute()
    expect(told).toEqual([{ title: '您的二次验证已被重置', status: 'UNREAD' }])
  })

  test('needs a reason, and is never one’s own', async () => {
    const admin = await withFactor({ superAdmin: true })
    const somebody = await withFactor()
    expect(await reset(admin, somebody.id, {})).toMatchObject({ code: 4005 })
    expect(await reset(admin, admin.id)).toMatchObject({ code: 4006 })
  })

  test('is refused to whoever could then do more by the password', async () => {
    const clerk = await person(first, { grants: { 'iam-user': ['list', 'detail', 'resetFactor'] } })
    const admin = await withFactor({ superAdmin: true })
    const cashier = await withFactor({ grants: { 'order-refundApply': ['list'] } })
    expect(await reset(clerk, admin.id)).toMatchObject({ code: 4006 })
    expect(await reset(clerk, cashier.id)).toMatchObject({ code: 4006 })
  })
})
