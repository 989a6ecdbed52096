import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { makeKit, sell, shelve } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { download } from '../../../../tools/testing/sheet.ts'
import { PRINTED_AT_ONCE } from './model.ts'

const GRANTS = {
  'order-sendGoods': ['list', 'detail', 'print', 'hold', 'release'],
  'order-examineSend': ['list', 'approve'],
}
const DESK = '/logistics/shipment'

describe('paper for the warehouse', () => {
  let instance: TestInstance
  let clerk: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    clerk = await person(instance, { grants: GRANTS })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const waiting = async (): Promise<string> => {
    const id = await shelve(instance, 10)
    const { parcelId } = await sell(instance, { kitId: await makeKit(instance, [{ id, quantity: 2 }]) })
    await clerk.post(`/logistics/shipment-approval/${parcelId}/approve`)
    return parcelId
  }
  const stored = (id: string) =>
    instance.app.db.query
      .selectFrom('shipment')
      .select(['printed_at', 'reprint', 'version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const prints = async (id: string) =>
    (
      await instance.app.db.query
        .selectFrom('operation_log')
        .select('id')
        .where('record_id', '=', id)
        .where('action', '=', 'print')
        .execute()
    ).length

  test('labels are a page each; the parcels count as printed, and each print is logged', async () => {
    const ids = [await waiting(), await waiting()]
    const answer = await clerk.post(`${DESK}/labels`, { ids })
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.body.slice(0, 5)).toBe('%PDF-')
    expect(answer.body.match(/\/Type \/Page\b/g)).toHaveLength(2)
    for (const id of ids) {
      expect((await stored(id)).printed_at).not.toBeNull()
      expect(await prints(id)).toBe(1)
    }
  })

  test('a new label settles that an old one is outdated', async () => {
    const id = await waiting()
    const outdated = { printed_at: instance.clock.now(), reprint: true }
    await instance.app.db.query.updateTable('shipment').set(outdated).where('id', '=', id).execute()
    await clerk.post(`${DESK}/labels`, { ids: [id] })
    expect(await stored(id)).toMatchObject({ reprint: false })
  })

  test('a pick list is logged and prints no label', async () => {
    const id = await waiting()
    const answer = await clerk.post(`${DESK}/pick-list`, { ids: [id] })
    expect(answer.body.slice(0, 5)).toBe('%PDF-')
    expect((await stored(id)).printed_at).toBeNull()
    expect(await prints(id)).toBe(1)
  })

  test('what is held gets no label, and neither does anything asked for with it', async () => {
    const [free, held] = [await waiting(), await waiting()]
    await clerk.post(`${DESK}/${held}/hold`, { reason: '等家长确认' })
    const before = await stored(free)
    expect(await clerk.post(`${DESK}/labels`, { ids: [free, held] })).toMatchObject({ code: 4006 })
    expect(await stored(free)).toEqual(before)
    expect(await prints(free)).toBe(0)
  })

  describe('for many parcels is made by a task', () => {
    const ids: string[] = []
    beforeAll(async () => {
      for (let nth = 0; nth <= PRINTED_AT_ONCE; nth += 1) ids.push(await waiting())
    })
    const ended = async (taskId: string) => {
      for (;;) {
        const { data } = await clerk.get<{ state: string; error: string | null; doneRows: number }>(
          `/common/task/${taskId}`,
        )
        if (!['WAITING', 'RUNNING'].includes(data.state)) return data
        await delay(50)
      }
    }
    /** Something happens after the labels were drawn and before they count. */
    const printWhile = async (happens: () => Promise<unknown>) => {
      const { packs } = instance.app
      const run = packs.get('logistics/shipment')
      if (!run) throw new Error('nobody makes paper of parcels')
      packs.set('logistics/shipment', async task => {
        const outcome = await run(task)
        await happens()
        return outcome
      })
      try {
        const { data } = await clerk.post<{ taskId: string }>(`${DESK}/labels`, { ids })
        return { taskId: data.taskId, ...(await ended(data.taskId)) }
      } finally {
        packs.set('logistics/shipment', run)
      }
    }
    const [first, second] = [() => ids[0] as string, () => ids[1] as string]

    test('of which nothing counts where one of them may not leave by then', async () => {
      const { state, error } = await printWhile(() => clerk.post(`${DESK}/${second()}/hold`, { reason: '等家长确认' }))
      expect({ state, error }).toMatchObject({ state: 'FAILED', error: expect.stringMatching(/已挂起|is on hold/) })
      expect((await stored(first())).printed_at).toBeNull()
      expect(await prints(first())).toBe(0)
      await clerk.post(`${DESK}/${second()}/release`)
    })

    test('whose file waits among the tasks; what was changed after it was drawn needs its label again', async () => {
      const { taskId, ...done } = await printWhile(() =>
        instance.app.db.query
          .updateTable('shipment')
          .set(eb => ({ receiver_address: '西湖区另一条路 2 号', version: eb('version', '+', 1) }))
          .where('id', '=', second())
          .execute(),
      )
      expect(done).toMatchObject({ state: 'DONE', doneRows: ids.length })
      const { bytes, headers } = await download(instance, clerk, `/common/task/${taskId}/download`)
      expect(headers['content-type']).toBe('application/pdf')
      expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(ids.length)
      expect(await stored(first())).toMatchObject({ printed_at: expect.anything(), reprint: false })
      expect(await stored(second())).toMatchObject({ printed_at: expect.anything(), reprint: true })
      for (const id of ids) expect(await prints(id)).toBe(1)
    })
  })

  test('who may not print gets nothing', async () => {
    const id = await waiting()
    const reader = await person(instance, { grants: { 'order-sendGoods': ['list', 'detail'] } })
    expect(await reader.post(`${DESK}/labels`, { ids: [id] })).toMatchObject({ status: 403 })
    expect(await prints(id)).toBe(0)
  })
})
