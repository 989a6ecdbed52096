import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locale } from '#areas/orders/order/locale.ts'
import { resource as orderResource } from '#areas/orders/order/model.ts'
import { formatInstant } from '#kit/model/time.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { download, readSheet } from '../../../../tools/testing/sheet.ts'
import { openRows } from '../database/cursor.ts'
import { openSlots } from '../work/slots.ts'
import { untilStalled } from './export.ts'

const EXPORT = { 'order-list': ['list', 'detail', 'export'], dictionary: ['list', 'export'] }

const orderTexts: Record<string, Record<string, string>> = locale

type OrderRow = {
  id: string
  orderNo: string
  amountFen: number
  paidFen: number
  reservedFen: number
  payState: string
  productName: string
  createdAt: string
  labels: Record<string, { name: string; note: string | null }>
}

let instance: TestInstance
let folder: string
let seller: Caller & { orgId: string }
let manager: Caller

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-export-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  seller = await person(instance, { name: '王销售', grants: EXPORT, scope: 'SELF' })
  manager = await person(instance, { grants: EXPORT })
  for (let index = 0; index < 12; index += 1) {
    await placeOrder(instance, {
      ownerId: seller.id,
      orgId: seller.orgId,
      paidFen: index * 1_999,
      memberName: `学员${index}`,
    })
  }
  await placeOrder(instance, { memberName: '=HYPERLINK("http://evil","x")', phone: '13812345678' })
  await placeOrder(instance, { memberName: ' ＝1+1' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const listed = async (by: Caller, filter = ''): Promise<OrderRow[]> => {
  const rows: OrderRow[] = []
  for (let current = 1; ; current += 1) {
    const { data } = await by.get<{ records: OrderRow[]; total: number }>(
      `/orders/order?current=${current}&size=10${filter}`,
    )
    rows.push(...data.records)
    if (data.records.length < 10) return rows
  }
}
const exported = async (by: Caller, filter = '') =>
  readSheet((await download(instance, by, `/orders/order/download?size=10${filter}`)).bytes)
const logged = (by: Caller) =>
  instance.app.db.query
    .selectFrom('operation_log')
    .select(['page', 'action', 'diff', 'request_id'])
    .where('actor_id', '=', by.id)
    .where('action', '=', 'export')
    .orderBy('id', 'desc')
    .execute()

describe('an export', () => {
  test.each([
    ['a seller', () => seller, 12],
    ['a manager', () => manager, 14],
  ])('holds for %s the rows of the list, in its order, with its masks', async (_who, by, count) => {
    const rows = await listed(by())
    const sheet = await exported(by())
    expect(rows).toHaveLength(count)
    const label = ({ name, note }: { name: string; note: string | null }) => `${name} (${note})`
    const harmless = (text: string) => (/^\s*[=＝]/.test(text) ? `'${text}` : text)
    const shown = ['Order no.', 'Member', 'Amount', 'Paid'].map(name => sheet.head.indexOf(name))
    expect(sheet.rows.map(cells => shown.map(index => cells[index]))).toEqual(
      rows.map(row => [row.orderNo, harmless(label(row.labels.memberId!)), row.amountFen / 100, row.paidFen / 100]),
    )
  })

  test('shows values as people see them, under heads in the language of the page', async () => {
    const [row] = await listed(seller, '&payState=PAID&sort=amountFen:desc')
    const english = await exported(seller, '&payState=PAID&sort=amountFen:desc')
    expect(english.head).toEqual(orderResource.list.columns.map(field => orderTexts['en-US']![`field.${field}`]))
    const cells = Object.fromEntries(english.head.map((name, index) => [name, english.rows[0]?.[index]]))
    expect(cells).toMatchObject({
      Paid: 219.89,
      Payment: 'Paid',
      Product: '年度会员',
      'Ordered at': formatInstant(new Date(row!.createdAt)),
    })
    const chinese = await readSheet((await download(instance, seller, '/orders/order/download', 'zh-CN')).bytes)
    expect(chinese.head).toEqual(orderResource.list.columns.map(field => orderTexts['zh-CN']![`field.${field}`]))
    const dictionary = await readSheet((await download(instance, manager, '/system/dictionary/download')).bytes)
    expect(dictionary.head).toEqual(['Name', 'Code', 'Note', 'Built in', 'Created'])
  })

  test('shows dictionary values by their label and flags as yes or no', async () => {
    const { db } = instance.app
    const sources = async () => {
      const sheet = await exported(seller)
      return new Set(sheet.rows.map(cells => cells[sheet.head.indexOf('Source')]))
    }
    expect(await sources()).toEqual(new Set(['Handwriting app']))
    const labels = JSON.stringify({ 'en-US': 'Our app' })
    await db.query.updateTable('dictionary_item').set({ labels }).where('value', '=', 'APP').execute()
    expect(await sources()).toEqual(new Set(['Our app']))
    const dictionary = await readSheet(
      (await download(instance, manager, '/system/dictionary/download?code=ORDER')).bytes,
    )
    expect(dictionary.rows.map(cells => cells.slice(0, 4))).toEqual([['Order source', 'ORDER_SOURCE', '', 'Yes']])
  })

  test('keeps to the filter, and refuses one the list does not know', async () => {
    const filter = '&payState=UNPAID'
    expect((await exported(seller, filter)).rows.map(cells => cells[0])).toEqual(
      (await listed(seller, filter)).map(row => row.orderNo),
    )
    expect((await exported(seller, filter)).rows).toHaveLength(1)
    expect(await download(instance, seller, '/orders/order/download?phone=1')).toMatchObject({
      status: 400,
      code: 4000,
    })
    expect(await download(instance, seller, '/orders/order/download?sort=orderNo;drop:asc')).toMatchObject({
      status: 400,
      code: 4000,
    })
  })

  test('of a list filtered by a phone number nobody has is empty, as the list is: never another list', async () => {
    const list = await manager.get<{ total: number; records: unknown[] }>('/orders/order?payState=PAID&nobody=1')
    expect(list.data).toMatchObject({ total: 0, records: [] })
    expect((await manager.get('/orders/order/counts?nobody=1')).data).toEqual({})
    const sheet = await readSheet((await download(instance, manager, '/orders/order/download?nobody=1')).bytes)
    expect(sheet.rows).toEqual([])
    expect(await manager.get('/orders/order?nobody=refused')).toMatchObject({ code: 0, data: { total: 0 } })
    expect(await manager.get('/orders/order?nobody=0')).toMatchObject({ code: 4000 })
  })

  test('makes no formula of a name that looks like one', async () => {
    const { bytes } = await download(instance, manager, '/orders/order/download')
    const { sheets } = await readXlsx(bytes, { readStyles: true })
    const names = sheets[0]!.rows.map(row => String(row[1]))
    expect(names).toContain(`'=HYPERLINK("http://evil","x") (138****5678)`)
    expect(names.some(name => name.startsWith("' ＝1+1"))).toBe(true)
    const formulas = [...(sheets[0]!.cells?.values() ?? [])].filter(cell => cell.formula !== undefined)
    expect(formulas).toEqual([])
  })

  test('shows no phone number in full', async () => {
    const { rows } = await exported(manager)
    expect(JSON.stringify(rows)).not.toMatch(/(?<!\d)1[3-9]\d{9}(?!\d)/)
    expect(JSON.stringify(rows)).toContain('138****5678')
  })

  test('carries who took it, when and by which request on its last line, and stands in the log with its number of rows', async () => {
    const answer = await download(instance, seller, '/orders/order/download?payState=UNPAID')
    const { watermark } = await readSheet(answer.bytes)
    const { account } = await instance.app.db.query
      .selectFrom('staff')
      .select('account')
      .where('id', '=', seller.id)
      .executeTakeFirstOrThrow()
    const request = String(answer.headers['x-request-id'])
    expect(watermark).toBe(
      `Exported by 王销售 (${account}) at ${formatInstant(instance.clock.now())} · request ${request}`,
    )
    const [entry] = await logged(seller)
    expect(entry).toEqual({
      page: 'order-list',
      action: 'export',
      diff: { rows: [null, 1], filter: [null, { payState: 'UNPAID' }] },
      request_id: request,
    })
  })

  test('answers with the name of the file, code and msg in its headers', async () => {
    const { headers, status } = await download(instance, seller, '/orders/order/download', 'zh-CN')
    const stamp = formatInstant(instance.clock.now()).replace(/[-:]/g, '').replace(' ', '-')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      code: '0',
      filename: encodeURIComponent(`订单列表-${stamp}.xlsx`),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(decodeURIComponent(String(headers.msg))).toBe('操作成功')
  })

  test('is refused to whoever may only look, and that refusal is logged', async () => {
    const reader = await person(instance, { grants: { 'order-list': ['list', 'detail'] } })
    expect(await download(instance, reader, '/orders/order/download')).toMatchObject({ status: 403, code: 4003 })
    expect(await logged(reader)).toHaveLength(1)
  })

  test('goes on one at a time for each person, on whatever instance, and one after another', async () => {
    const elsewhere = await openRows(instance.app.db)
    expect(await elsewhere.lock(`export:${seller.id}`)).toBe(true)
    expect(await download(instance, seller, '/orders/order/download')).toMatchObject({ code: 4029 })
    expect(await download(instance, manager, '/orders/order/download')).toMatchObject({ code: 0 })
    await elsewhere.close()
    await expect.poll(async () => (await download(instance, seller, '/orders/order/download')).code).toBe(0)
    expect(await download(instance, seller, '/orders/order/download')).toMatchObject({ code: 0 })
  })

  test('of three people at once on one instance, the third is asked to wait', async () => {
    const { exports } = instance.app
    expect([exports.take(), exports.take()]).toEqual([true, true])
    expect(await download(instance, seller, '/orders/order/download')).toMatchObject({ code: 4029 })
    exports.free()
    expect(await download(instance, seller, '/orders/order/download')).toMatchObject({ code: 0 })
    exports.free()
  })
})

describe('a reader that stops', () => {
  test('gives its place free, whether it hangs up or only takes nothing more', async () => {
    const ended: string[] = []
    const endless = () =>
      Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(65_536)
        })(),
      )
    const stalled = untilStalled(endless(), async () => void ended.push('stalled'), 500)
    stalled.on('error', () => {})
    const left = untilStalled(endless(), async () => void ended.push('left'))
    left.pipe(new PassThrough())
    left.destroy()
    await expect.poll(() => ended).toEqual(['left', 'stalled'])
    expect(stalled.destroyed).toBe(true)
  })

  test('is not one that takes little at a time, and learns of the end when its place is free', async () => {
    const chunks = Array.from({ length: 8 }, () => Buffer.alloc(65_536))
    let free = false
    const read = untilStalled(
      Readable.from(chunks),
      async () => {
        await delay(1_500)
        free = true
      },
      1_000,
    )
    let bytes = 0
    for await (const chunk of read) {
      bytes += chunk.length
      await delay(60)
    }
    expect({ bytes, free }).toEqual({ bytes: 8 * 65_536, free: true })
  })

  test('a place given free goes to whoever waits longest; who gives up waits no more', async () => {
    const slots = openSlots(1)
    expect([slots.take(), slots.take()]).toEqual([true, false])
    const order: string[] = []
    const gone = new AbortController()
    const first = slots.wait(gone.signal).catch(() => order.push('gave up'))
    const second = slots.wait(new AbortController().signal).then(() => order.push('second'))
    gone.abort()
    await first
    slots.free()
    await second
    expect(order).toEqual(['gave up', 'second'])
    expect(slots.take()).toBe(false)
    slots.free()
    expect(slots.take()).toBe(true)
  })
})
