import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Decision } from '#kit/model/decision.ts'
import { whyNot } from '#kit/model/workflow.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { makeKit, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { somebodyWaits } from '../../../../tools/testing/locks.ts'
import { type BaseProduct, workflow } from './model.ts'

const PAGE = 'base-product'
const KEEPER = ['list', 'detail', 'create', 'update', 'delete', 'stockIn', 'stockOut', 'check', 'withdrawCheck']

describe('who may do what with a product', () => {
  const open = (row: Partial<BaseProduct>, counter: string | undefined, actor: string) =>
    Object.keys(workflow.steps).filter(
      step =>
        !whyNot(
          workflow,
          step,
          { onHand: 5, locked: 0, ...row } as BaseProduct,
          { id: actor },
          counter === undefined ? undefined : { asked: { id: '1', applicantId: counter } },
        ),
    )
  test.each([
    ['at rest', {}, undefined, '1', 'stockIn stockOut check'],
    ['with everything promised', { locked: 5 }, undefined, '1', 'stockIn check'],
    ['counted by oneself', {}, '1', '1', 'stockIn stockOut withdrawCheck'],
    ['counted by a colleague', {}, '1', '2', 'approveCheck stockIn stockOut rejectCheck'],
  ])('%s', (_name, row, counter, actor, expected) => {
    expect(open(row, counter, actor).join(' ')).toBe(expected)
  })
})

describe('the shelf', () => {
  let instance: TestInstance
  let keeper: Caller
  let manager: Caller
  const path = '/logistics/base-product'
  const take = (by: Caller, id: string, step: string, body: object = {}) => by.post(`${path}/${id}/${step}`, body)
  /** Decides on the count this person sees, or saw. */
  const seen = async (by: Caller, id: string) =>
    (await by.get<{ askedId?: string }>(`${path}/${id}`)).data.askedId ?? '1'
  const decide = async (by: Caller, id: string, step: string, body: object = {}) =>
    take(by, id, step, { askedId: await seen(by, id), ...body })
  const movements = async (id: string) =>
    (
      await keeper.get<{ records: { cause: string; quantity: number; balanceAfter: number }[] }>(
        `${path}/${id}/movements`,
      )
    ).data.records.map(({ cause, quantity, balanceAfter }) => [cause, quantity, balanceAfter])

  beforeAll(async () => {
    instance = await openTestInstance()
    keeper = await person(instance, { grants: { [PAGE]: KEEPER } })
    manager = await person(instance, { grants: { [PAGE]: [...KEEPER, 'approveCheck', 'rejectCheck'] } })
  })

  test('goods come in and go out, and the book tells what lay there after each movement', async () => {
    const id = await shelve(instance, 0)
    expect(await take(keeper, id, 'stockIn', { quantity: 30, note: '到货' })).toMatchObject({ code: 0 })
    expect(await take(keeper, id, 'stockOut', { quantity: 4, note: '破损' })).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([26, 0])
    expect(await movements(id)).toEqual([
      ['OUT', -4, 26],
      ['IN', 30, 30],
    ])
  })

  test('what is promised to parcels does not leave by another door', async () => {
    const id = await shelve(instance, 10)
    await sell(instance, { kitId: await makeKit(instance, [{ id, quantity: 7 }]) })
    expect(await take(keeper, id, 'stockOut', { quantity: 4, note: '' })).toMatchObject({
      code: 4005,
      data: { fields: { quantity: 'Not enough stock. Add stock first, or reduce the quantity.' } },
    })
    expect(await stockOf(instance, id)).toEqual([10, 7])
    expect(await take(keeper, id, 'stockOut', { quantity: 3, note: '' })).toMatchObject({ code: 0 })
  })

  test('a count changes the book only when somebody else confirms it', async () => {
    const id = await shelve(instance, 10)
    await take(manager, id, 'check', { counted: 8, note: '月末' })
    expect(await stockOf(instance, id)).toEqual([10, 0])
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({
      code: 4006,
      msg: 'This could not be done: You submitted it yourself; a colleague has to decide',
    })
    expect(await decide(keeper, id, 'approveCheck')).toMatchObject({ status: 403 })
    expect(await stockOf(instance, id)).toEqual([10, 0])
    const other = await person(instance, { grants: { [PAGE]: [...KEEPER, 'approveCheck'] } })
    expect(await decide(other, id, 'approveCheck')).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([8, 0])
  })

  test('what a count found is added to the book; goods that moved since stay moved', async () => {
    const id = await shelve(instance, 10)
    await take(keeper, id, 'check', { counted: 12, note: '' })
    await take(keeper, id, 'stockIn', { quantity: 5, note: '' })
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({ code: 0 })
    expect(await movements(id)).toEqual([
      ['CHECK', 2, 17],
      ['IN', 5, 15],
      ['IN', 10, 10],
    ])
    const checks = await keeper.get<{ status: string; book: number; counted: number }[]>(`${path}/${id}/checks`)
    expect(checks.data).toMatchObject([{ status: 'APPROVED', book: 10, counted: 12 }])
  })

  test('what a count found missing after the goods have left is refused, and the count goes on waiting', async () => {
    const id = await shelve(instance, 10)
    await take(keeper, id, 'check', { counted: 3, note: '' })
    await take(keeper, id, 'stockOut', { quantity: 5, note: '' })
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('below zero'),
    })
    expect(await stockOf(instance, id)).toEqual([5, 0])
    expect(await checks(id)).toMatchObject([{ status: 'WAITING', book: 10 }])
  })

  test('a count may fall below what is promised: the shortage and the parcels it touches are shown', async () => {
    const id = await shelve(instance, 10)
    const { parcelId } = await sell(instance, { kitId: await makeKit(instance, [{ id, quantity: 7 }]) })
    await take(keeper, id, 'check', { counted: 5, note: '' })
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({ code: 0 })
    const { data } = await keeper.get<{ onHand: number; locked: number; available: number }>(`${path}/${id}`)
    expect(data).toMatchObject({ onHand: 5, locked: 7, available: -2, isLow: true })
    const held = await keeper.get<{ id: string; quantity: number }[]>(`${path}/${id}/held`)
    expect(held.data.map(row => [row.id, row.quantity])).toEqual([[parcelId, 7]])
  })

  test('a second count waits until the first is decided; a rejected one changes nothing', async () => {
    const id = await shelve(instance, 10)
    await take(keeper, id, 'check', { counted: 1, note: '' })
    expect(await take(keeper, id, 'check', { counted: 2, note: '' })).toMatchObject({ code: 4006 })
    expect(await decide(manager, id, 'rejectCheck', { reason: '数错了' })).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([10, 0])
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({ code: 4006 })
  })

  const checks = async (id: string) =>
    (await keeper.get<{ status: string; book: number | null; decider: string | null }[]>(`${path}/${id}/checks`)).data

  test('a count is withdrawn by whoever counted, by nobody else, and may be counted anew', async () => {
    const id = await shelve(instance, 10)
    await take(keeper, id, 'check', { counted: 1, note: '' })
    expect(await decide(manager, id, 'withdrawCheck')).toMatchObject({
      code: 4006,
      msg: 'This could not be done: Only whoever submitted it can withdraw it',
    })
    expect(await decide(keeper, id, 'withdrawCheck')).toMatchObject({ code: 0 })
    expect(await checks(id)).toMatchObject([{ status: 'WITHDRAWN', decider: null }])
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({ code: 4006 })
    expect(await take(keeper, id, 'check', { counted: 9, note: '' })).toMatchObject({ code: 0 })
    expect(await take(keeper, id, 'withdrawCheck/undo')).toMatchObject({ code: 4006 })
    expect(await stockOf(instance, id)).toEqual([10, 0])
  })

  test('a no is taken back by whoever said it, the count waits again, and whoever counted is told of both', async () => {
    const id = await shelve(instance, 10)
    const counter = await person(instance, { grants: { [PAGE]: KEEPER } })
    const told = async () => (await counter.get<Decision[]>('/workbench/workbench/decisions')).data[0]
    await take(counter, id, 'check', { counted: 7, note: '' })
    await decide(manager, id, 'rejectCheck', { reason: '数错了' })
    expect(await told()).toMatchObject({ state: 'Reject count', tone: 'failed', reason: '数错了' })
    expect(await take(manager, id, 'rejectCheck/undo')).toMatchObject({ code: 0 })
    expect(await told()).toMatchObject({ state: 'Count awaiting confirmation again' })
    expect(await checks(id)).toMatchObject([{ status: 'WAITING', book: 10, decider: null }])
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([7, 0])
  })

  test('a count nobody decides on within a week is over, and whoever counted is told', async () => {
    const counter = await person(instance, { grants: { [PAGE]: KEEPER } })
    const [id, older] = [await shelve(instance, 10), await shelve(instance, 10)]
    for (const product of [id, older]) await take(counter, product, 'check', { counted: 1, note: '' })
    const end = (expires_at: Date | null, product: string) =>
      instance.app.db.query
        .updateTable('stock_check')
        .set({ expires_at })
        .where('base_product_id', '=', product)
        .execute()
    await end(instance.clock.now(), id)
    await end(null, older)
    expect(await decide(manager, id, 'approveCheck')).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('time to decide'),
    })
    expect(await checks(id)).toMatchObject([{ status: 'WAITING' }])
    await instance.house.runJobs()
    expect(await checks(id)).toMatchObject([{ status: 'EXPIRED', decider: null }])
    expect(await checks(older)).toMatchObject([{ status: 'WAITING' }])
    const { data } = await counter.get<Decision[]>('/workbench/workbench/decisions')
    expect(data).toMatchObject([{ state: 'Count expired', tone: 'idle', by: '' }])
    expect(await take(counter, id, 'check', { counted: 9, note: '' })).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([10, 0])
  })

  test('of two who confirm a count at once, one does it', async () => {
    const id = await shelve(instance, 10)
    await take(keeper, id, 'check', { counted: 4, note: '' })
    const askedId = await seen(manager, id)
    const answers = await Promise.all([1, 2].map(() => take(manager, id, 'approveCheck', { askedId })))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 4006])
    expect(await stockOf(instance, id)).toEqual([4, 0])
  })

  test.each(['approveCheck', 'rejectCheck', 'withdrawCheck'])(
    '%s is about the count that was shown, never about another that took its place',
    async step => {
      const id = await shelve(instance, 10)
      await take(keeper, id, 'check', { counted: 10, note: '' })
      const askedId = await seen(manager, id)
      await decide(keeper, id, 'withdrawCheck')
      await take(keeper, id, 'check', { counted: 999, note: '' })
      const by = step === 'withdrawCheck' ? keeper : manager
      const reason = step === 'rejectCheck' ? { reason: '数错了' } : {}
      expect(await take(by, id, step, { askedId, ...reason })).toMatchObject({
        code: 4009,
        msg: expect.stringContaining('no longer waiting'),
      })
      expect(await take(by, id, step, reason)).toMatchObject({ code: 4005 })
      expect(await stockOf(instance, id)).toEqual([10, 0])
      expect(await checks(id)).toMatchObject([{ status: 'WAITING', counted: 999 }, { status: 'WITHDRAWN' }])
    },
  )

  test('whoever confirms a count in the moment it expires is told so', async () => {
    const id = await shelve(instance, 10)
    await take(keeper, id, 'check', { counted: 4, note: '' })
    const askedId = await seen(manager, id)
    let confirmed: Promise<unknown> | undefined
    await instance.app.db.write(async tx => {
      await tx
        .updateTable('stock_check')
        .set({ status: 'EXPIRED', decided_at: instance.clock.now() })
        .where('id', '=', askedId)
        .execute()
      confirmed = take(manager, id, 'approveCheck', { askedId })
      await somebodyWaits(waiting => sql.raw(waiting).execute(tx))
    })
    expect(await confirmed).toMatchObject({ code: 4009, msg: expect.stringContaining('no longer waiting') })
    expect(await stockOf(instance, id)).toEqual([10, 0])
  })

  test('a new name reaches the kits that hold the product', async () => {
    const id = await shelve(instance, 1)
    const kit = await makeKit(instance, [{ id, quantity: 2 }])
    const { data } = await keeper.get<{ version: number; name: string }>(`${path}/${id}`)
    const changed = { name: '新名字', unit: '支', warnAt: 3, costFen: 1, valueFen: 2, version: data.version }
    expect(await keeper.put(`${path}/${id}`, changed)).toMatchObject({ code: 0 })
    const row = await instance.app.db.query
      .selectFrom('goods_kit')
      .select('parts')
      .where('id', '=', kit)
      .executeTakeFirstOrThrow()
    expect(row.parts).toMatchObject([{ baseProductId: id, name: '新名字', quantity: 2 }])
  })

  test('a product in a kit or with a book cannot be deleted, a fresh one can', async () => {
    const [used, moved, fresh] = [await shelve(instance, 0), await shelve(instance, 1), await shelve(instance, 0)]
    await makeKit(instance, [{ id: used, quantity: 1 }])
    expect((await keeper.remove(`${path}/${used}`)).code).toBe(4006)
    expect((await keeper.remove(`${path}/${moved}`)).msg).toBe(
      'This could not be done: It has stock movements and cannot be deleted',
    )
    expect((await keeper.remove(`${path}/${fresh}`)).code).toBe(0)
  })

  test('the books are in order after all of this', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
