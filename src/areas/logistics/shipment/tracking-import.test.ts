import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { makeKit, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Batch, sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { download } from '../../../../tools/testing/sheet.ts'

const PATH = '/logistics/shipment/import'
const HEAD = ['发货单号', '快递公司', '快递单号', '重量']
const GRANTS = {
  'order-sendGoods': ['list', 'detail', 'send', 'hold', 'import', 'undoImport'],
  'order-examineSend': ['list', 'detail', 'approve'],
}

let instance: TestInstance
let folder: string
let clerk: Caller
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-tracking-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  clerk = await person(instance, { grants: GRANTS })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A parcel that may leave, its number, and the goods in it. */
async function waiting() {
  const goods = await shelve(instance, 10)
  const { parcelId, orderId } = await sell(instance, { kitId: await makeKit(instance, [{ id: goods, quantity: 2 }]) })
  expect(await clerk.post(`/logistics/shipment-approval/${parcelId}/approve`)).toMatchObject({ code: 0 })
  return { id: parcelId, orderId, goods, no: (await stored(parcelId)).shipment_no }
}
const stored = (id: string) =>
  instance.app.db.query.selectFrom('shipment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const fulfilment = async (id: string) =>
  (
    await instance.app.db.query
      .selectFrom('sales_order')
      .select('fulfil_state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).fulfil_state

type Cell = string | number | null
async function brought(rows: Cell[][], by = clerk): Promise<Batch> {
  const file = Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows: [HEAD, ...rows] }] }))
  const { data } = await sendFile(instance, by, PATH, file)
  expect(data.mapping).toEqual({ shipmentNo: 0, carrier: 1, trackingNo: 2 })
  expect(await by.post(`${PATH}/${data.id}/check`, { mapping: data.mapping })).toMatchObject({ code: 0 })
  return settled(by, PATH, data.id)
}
const run = async ({ id }: Batch, by = clerk): Promise<Batch> => {
  expect(await by.post(`${PATH}/${id}/run`)).toMatchObject({ code: 0 })
  return settled(by, PATH, id)
}
const undo = async ({ id }: Batch): Promise<Batch> => {
  expect(await clerk.post(`${PATH}/${id}/undo`)).toMatchObject({ code: 0 })
  return settled(clerk, PATH, id)
}

describe('a file of tracking numbers', () => {
  test('takes no carrier that was disabled, neither when it is checked nor after', async () => {
    const able = (enabled: boolean) =>
      instance.app.db.query.updateTable('dictionary_item').set({ enabled }).where('value', '=', 'DBL').execute()
    const [first, second] = [await waiting(), await waiting()]
    const batch = await brought([[first.no, 'Deppon Express', 'DB9000001', 1]])
    expect(batch).toMatchObject({ goodRows: 1, badRows: 0 })
    await able(false)
    expect(await run(batch)).toMatchObject({ state: 'DONE', doneRows: 0, failedRows: 1 })
    expect(await stored(first.id)).toMatchObject({ status: 'WAITING', carrier: null })
    expect(await brought([[second.no, '德邦快递', 'DB9000002', 1]])).toMatchObject({ goodRows: 0, badRows: 1 })
    await able(true)
  })

  test('sends its good parcels, gives the bad rows back with the reason, and is undone while nobody moved them', async () => {
    const [first, second, held, gone] = [await waiting(), await waiting(), await waiting(), await waiting()]
    await clerk.post(`/logistics/shipment/${held.id}/hold`, { reason: '地址待确认' })
    await clerk.post(`/logistics/shipment/${gone.id}/send`, { carrier: 'SF', trackingNo: 'SF0000001' })
    const batch = await brought([
      [first.no, '顺丰速运', 'sf 1000 001', 1],
      ['S00000000000', 'SF', 'SF2000001', 1],
      [second.no, '中通快递', 'ZT2000002', null],
      [held.no, 'SF', 'SF2000003', 1],
      [gone.no, 'SF', 'SF2000004', 1],
      [first.no, 'SF', 'SF2000005', 1],
      [second.no, '骆驼快递', 7.7e17, 1],
      [gone.no, 'SF', 'SF0000001', 1],
    ])
    expect(batch).toMatchObject({ state: 'CHECKED', goodRows: 2, badRows: 6 })
    expect((await stored(first.id)).status).toBe('WAITING')

    const done = await run(batch)
    expect(done).toMatchObject({ state: 'DONE', doneRows: 2, failedRows: 0 })
    expect(await stored(first.id)).toMatchObject({ status: 'SENT', carrier: 'SF', tracking_no: 'SF1000001' })
    expect(await stored(second.id)).toMatchObject({ status: 'SENT', carrier: 'ZTO', tracking_no: 'ZT2000002' })
    expect([await stockOf(instance, first.goods), await fulfilment(first.orderId)]).toEqual([[8, 0], 'SENT'])
    const errors = await download(instance, clerk, `${PATH}/${batch.id}/errors`, 'zh-CN')
    expect((await readXlsx(errors.bytes)).sheets[0]?.rows).toEqual([
      ['行号', '列', '原因', ...HEAD],
      [3, '', '没有这张发货单，或不在您的数据范围内', 'S00000000000', 'SF', 'SF2000001', '1'],
      [5, '', '当前状态为“已挂起”，不能执行此操作', held.no, 'SF', 'SF2000003', '1'],
      [6, '', '当前状态为“已发出”，不能执行此操作', gone.no, 'SF', 'SF2000004', '1'],
      [7, '发货单号', '与第 2 行重复', first.no, 'SF', 'SF2000005', '1'],
      [
        8,
        '快递公司; 快递单号',
        '“骆驼快递”不是可选的内容，请检查; 数字已被表格软件缩写而丢失末位，请把该列设为文本格式后重新填写',
        second.no,
        '骆驼快递',
        '7.7e+17',
        '1',
      ],
      [9, '发货单号; –', '与第 6 行重复; 当前状态为“已发出”，不能执行此操作', gone.no, 'SF', 'SF0000001', '1'],
    ])

    expect(await undo(batch)).toMatchObject({ state: 'UNDONE', error: null })
    for (const { id, goods, orderId } of [first, second]) {
      expect(await stored(id)).toMatchObject({ status: 'WAITING', carrier: null, tracking_no: null, sent_at: null })
      expect([await stockOf(instance, goods), await fulfilment(orderId)]).toEqual([[10, 2], 'WAITING'])
    }
    expect(await stored(gone.id)).toMatchObject({ status: 'SENT', tracking_no: 'SF0000001' })
    const again = await run(await brought([[first.no, 'SF', 'SF1000001', 1]]))
    expect(again).toMatchObject({ state: 'DONE', doneRows: 1 })
  })

  test('stays when the carrier has told of one of its parcels, and none is taken back', async () => {
    const [still, moving] = [await waiting(), await waiting()]
    const batch = await run(
      await brought([
        [still.no, 'SF', 'SF3000001', 1],
        [moving.no, 'SF', 'SF3000002', 1],
      ]),
    )
    const event = { shipment_id: moving.id, at: instance.clock.now(), status: 'PICKED', content: '已揽收' }
    await instance.app.db.query.insertInto('tracking_event').values(event).execute()
    expect(await undo(batch)).toMatchObject({ state: 'DONE', error: expect.stringContaining(moving.no) })
    expect([(await stored(still.id)).status, (await stored(moving.id)).status]).toEqual(['SENT', 'SENT'])
    expect(await stockOf(instance, still.goods)).toEqual([8, 0])
  })

  test('refuses at the last moment what somebody sent meanwhile', async () => {
    const [taken, free] = [await waiting(), await waiting()]
    const batch = await brought([
      [taken.no, 'SF', 'SF4000001', 1],
      [free.no, 'SF', 'SF4000002', 1],
    ])
    expect(batch).toMatchObject({ goodRows: 2 })
    await clerk.post(`/logistics/shipment/${taken.id}/send`, { carrier: 'SF', trackingNo: 'SF4000009' })
    expect(await run(batch)).toMatchObject({ state: 'DONE', doneRows: 1, failedRows: 1 })
    expect((await stored(taken.id)).tracking_no).toBe('SF4000009')
    expect((await stored(free.id)).tracking_no).toBe('SF4000002')
  })

  test('knows only the parcels its sender may see', async () => {
    const parcel = await waiting()
    const stranger = await person(instance, { grants: GRANTS, scope: 'SELF' })
    expect(await brought([[parcel.no, 'SF', 'SF5000001', 1]], stranger)).toMatchObject({ goodRows: 0, badRows: 1 })
    expect((await stored(parcel.id)).status).toBe('WAITING')
  })

  test('leaves the books in order', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
