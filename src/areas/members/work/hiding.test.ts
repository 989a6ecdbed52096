import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { UNDO_MS } from '#kit/server/change/undo.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { handIn, judgedWork } from '../../../../tools/testing/works.ts'
import type { Work } from './model.ts'

const PATH = '/members/work'
const ACTIONS = ['list', 'detail', 'take', 'askReview', 'overturn', 'handOver', 'markExcellent', 'hide', 'showAgain']

let instance: TestInstance
let manager: Caller
let teacher: Caller
beforeAll(async () => {
  // What is told to the app stays where it can be read.
  instance = await openTestInstance({ isSending: false })
  manager = await person(instance, { grants: { 'opus-list': ACTIONS } })
  teacher = await person(instance, { grants: { 'opus-list': ACTIONS } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const read = async (id: string) => (await manager.get<Work>(`${PATH}/${id}`)).data
const step = (id: string, name: string, body: object = {}) => {
  // What is told of one work is told at different times.
  instance.clock.forward(1_000)
  return manager.post(`${PATH}/${id}/${name}`, body)
}
const hide = (id: string) => step(id, 'hide', { reason: '家长要求' })
const showAgain = (id: string) => step(id, 'showAgain', { reason: '家长改了主意' })
/** In which states the app was told of it, the latest last. */
async function told(id: string): Promise<string[]> {
  const { rows } = await instance.app.db.read.pool.query(
    `select payload ->> 'state' as state from outbox where kind = 'work-told' and payload ->> 'workId' = $1 order by id`,
    [id],
  )
  return rows.map(({ state }) => state)
}
async function consent(act: 'given' | 'withdrawn', memberId: string): Promise<void> {
  instance.clock.forward(1_000)
  const said = { memberId, by: '陈家长', purposes: ['DISPLAY'] }
  const data = act === 'given' ? { ...said, textVersion: 'C2025-03' } : said
  await sendEvent(instance, 'app', { id: randomUUID(), type: `consent.${act}`, data })
  await instance.inbox.sweep()
}
async function excellent(): Promise<{ id: string; memberId: string }> {
  const memberId = await enrol(instance)
  await consent('given', memberId)
  const id = await judgedWork(instance, { memberId, commenterId: teacher.id })
  expect(await step(id, 'markExcellent')).toMatchObject({ code: 0 })
  return { id, memberId }
}

describe('a work that is hidden', () => {
  test('is no longer shown as excellent, and is so again when its hiding is taken back', async () => {
    const { id } = await excellent()
    expect(await hide(id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'HIDDEN', isExcellent: false })
    expect(await step(id, 'hide/undo')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'RELEASED', isExcellent: true })
    expect(await told(id)).toEqual(['HIDDEN', 'RELEASED'])
  })

  test('comes back without being excellent where showing it was agreed to no longer meanwhile', async () => {
    const { id, memberId } = await excellent()
    await hide(id)
    await consent('withdrawn', memberId)
    expect(await step(id, 'hide/undo')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'RELEASED', isExcellent: false })
  })

  test('is shown again after any time, for a reason, as what it was, and is marked excellent anew by whoever may', async () => {
    const { id } = await excellent()
    await hide(id)
    instance.clock.forward(UNDO_MS + 1_000)
    expect((await step(id, 'hide/undo')).code).not.toBe(0)
    expect(await step(id, 'showAgain')).toMatchObject({ code: 4005 })
    expect(await showAgain(id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'RELEASED', isExcellent: false, score: 96 })
    expect(await told(id)).toEqual(['HIDDEN', 'RELEASED'])
    const { data } = await manager.get<{ action: string; reason: string | null }[]>(`${PATH}/${id}/timeline`)
    expect(data.find(({ action }) => action === 'showAgain')).toMatchObject({ reason: '家长改了主意' })
    expect(await step(id, 'markExcellent')).toMatchObject({ code: 0 })
    expect((await showAgain(id)).code).not.toBe(0)
  })

  test('waits in the queue again where it was waiting, for anybody, also where its comment was overturned', async () => {
    const waiting = await handIn(instance, await enrol(instance))
    await step(waiting, 'handOver', { toId: teacher.id })
    const { id: overturned } = await excellent()
    await step(overturned, 'askReview')
    expect(await step(overturned, 'overturn', { reason: '看错了' })).toMatchObject({ code: 0 })
    for (const id of [waiting, overturned]) {
      await hide(id)
      expect(await showAgain(id)).toMatchObject({ code: 0 })
      expect(await read(id)).toMatchObject({ status: 'SUBMITTED', assigneeId: null })
      // There is nothing yet that the pupil could see.
      expect(await told(id)).toEqual(['HIDDEN'])
    }
  })

  test('that was sent back before is sent back again, and its being shown can be taken back', async () => {
    const id = await handIn(instance, await enrol(instance))
    await step(id, 'take')
    await step(id, 'send-back', { reason: '太暗' })
    await hide(id)
    await showAgain(id)
    expect(await read(id)).toMatchObject({ status: 'RETURNED', returnedFor: '太暗' })
    expect(await step(id, 'showAgain/undo')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'HIDDEN' })
    expect(await told(id)).toEqual(['RETURNED', 'HIDDEN', 'RETURNED', 'HIDDEN'])
  })
})
