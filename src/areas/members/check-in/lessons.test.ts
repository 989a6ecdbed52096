import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usageOf } from '#engines/entitlement/usage.server.ts'
import { dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'

type Lesson = { title: string; kind: string; percent: number; status: string }

let instance: TestInstance
let seller: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  seller = await person(instance, { grants: { 'member-list': ['list', 'detail'] } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

/** A pupil who has bought so many lessons, and with which line of an order. */
async function pupilWith(lessons: number): Promise<{ memberId: string; lineId: string }> {
  const memberId = await enrol(instance)
  const productId = await offer(instance, [grantOf('LESSONS', lessons)])
  const { orderId } = await buy(instance, memberId, productId)
  const { id } = await instance.app.db.query
    .selectFrom('order_line')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return { memberId, lineId: id }
}
const tell = (type: string, data: object) =>
  sendEvent(instance, 'app', { id: randomUUID(), type, data: data as Record<string, unknown> })
const attend = (memberId: string, lesson: string, more: object = {}) =>
  tell('lesson.attended', { memberId, lesson, title: '横画的轻重', ...more })
const progress = (memberId: string, lesson: string, percent: number, more: object = {}) =>
  tell('lesson.progressed', { memberId, lesson, title: '左右结构', percent, ...more })
const told = async (memberId: string) => {
  await instance.inbox.sweep()
  const { data } = await seller.get<{ records: Lesson[] }>(`/members/member/${memberId}/lessons`)
  return data.records.map(({ kind, percent, status }) => `${kind} ${percent} ${status}`)
}
const usedOf = async ({ memberId, lineId }: { memberId: string; lineId: string }) =>
  (await usageOf(instance.app.db.query, memberId, [lineId], dayOf(instance.clock.now()))).map(
    ({ usedUnits, totalUnits, leftUnits }) => [usedUnits, totalUnits, leftUnits],
  )

describe('a lesson', () => {
  test('is spent when the pupil comes to it, once however often it is told, and refunds count it', async () => {
    const pupil = await pupilWith(10)
    await Promise.all(Array.from({ length: 6 }, () => attend(pupil.memberId, 'live-1')))
    await attend(pupil.memberId, 'live-2')
    expect(await told(pupil.memberId)).toEqual(['LIVE 100 COUNTED', 'LIVE 100 COUNTED'])
    expect(await usedOf(pupil)).toEqual([[2, 10, 8]])
  })

  test('that is watched counts when it was watched to the end; what is told late turns nothing back', async () => {
    const pupil = await pupilWith(3)
    await progress(pupil.memberId, 'rec-1', 60)
    await instance.inbox.sweep()
    expect(await told(pupil.memberId)).toEqual(['RECORDED 60 BEGUN'])
    expect(await usedOf(pupil)).toEqual([[0, 3, 3]])
    await progress(pupil.memberId, 'rec-1', 100)
    await instance.inbox.sweep()
    await progress(pupil.memberId, 'rec-1', 80)
    expect(await told(pupil.memberId)).toEqual(['RECORDED 100 COUNTED'])
    expect(await usedOf(pupil)).toEqual([[1, 3, 2]])
  })

  test('of somebody who has none left is kept and costs nothing', async () => {
    const pupil = await pupilWith(1)
    await attend(pupil.memberId, 'live-1')
    await instance.inbox.sweep()
    await attend(pupil.memberId, 'live-2')
    expect((await told(pupil.memberId)).sort()).toEqual(['LIVE 100 COUNTED', 'LIVE 100 FREE'])
    expect(await usedOf(pupil)).toEqual([[1, 1, 0]])
  })

  test('of a course package costs nothing of its own: courses go by days', async () => {
    const pupil = await pupilWith(2)
    await progress(pupil.memberId, 'rec-1', 100, { coursePackage: 'BASIC' })
    expect(await told(pupil.memberId)).toEqual(['RECORDED 100 FREE'])
    expect(await usedOf(pupil)).toEqual([[0, 2, 2]])
  })

  test('that is still to come is not believed', async () => {
    const { memberId } = await pupilWith(1)
    const tomorrow = new Date(instance.clock.now().getTime() + 86_400_000).toISOString()
    await attend(memberId, 'live-1', { at: tomorrow })
    expect(await told(memberId)).toEqual([])
  })
})
