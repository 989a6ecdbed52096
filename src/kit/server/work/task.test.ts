import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { download, readSheet } from '../../../../tools/testing/sheet.ts'
import { sweepFiles } from '../storage/file.ts'

const EXPORT = { 'order-list': ['list', 'detail', 'export'] }
const DAY_MS = 86_400_000

type Task = {
  id: string
  state: string
  title: string
  doneRows: number
  allRows: number
  error: string | null
  expiresAt: string | null
}

let instance: TestInstance
let folder: string
const folders: string[] = []
let manager: Caller

beforeAll(async () => {
  folder = await newFolder()
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  manager = await person(instance, { name: '李经理', grants: EXPORT })
  await addOrders(6_000)
})
afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true })
})

const newFolder = async () => {
  folders.push(await mkdtemp(join(tmpdir(), 'inkstone-task-')))
  return folders.at(-1)!
}

/** Copies of one order, with numbers of their own. */
async function addOrders(count: number, on = instance): Promise<void> {
  const id = await placeOrder(on)
  // In parts: one statement may take no longer than a call.
  for (let from = 1; from < count; from += 10_000) {
    await on.app.db.read.pool.query(
      `insert into sales_order (order_no, member_id, product_name, amount_fen, paid_fen, pay_state, source)
       select lpad((777000000000 + g)::text, 18, '0'), member_id, product_name, amount_fen, paid_fen, pay_state, source
       from sales_order, generate_series($2::int, $3::int) g where id = $1`,
      [id, from, Math.min(count - 1, from + 9_999)],
    )
  }
}

const ask = async (by: Caller, filter = ''): Promise<string> => {
  const answer = await download(instance, by, `/orders/order/download?${filter}`)
  expect(answer).toMatchObject({ code: 0, data: { taskId: expect.any(String) } })
  return answer.data!.taskId
}
const taskOf = async (by: Caller, id: string) => (await by.get<Task>(`/common/task/${id}`)).data

const begun = (by: Caller, id: string) => expect.poll(async () => (await taskOf(by, id)).state).toBe('RUNNING')

/** However long that takes on busy cores: a task that never ends is ended with its test. */
async function ended(by: Caller, id: string): Promise<Task> {
  for (;;) {
    const task = await taskOf(by, id)
    if (!['WAITING', 'RUNNING'].includes(task.state)) return task
    await delay(50)
  }
}
const filesOnDisk = () => readdir(join(folder, 'files')).catch(() => [])

/** Puts a task into the table as if another instance had it, so that the test decides what becomes of it. */
const plant = async (
  ownerId: string,
  state: 'WAITING' | 'RUNNING',
  silentSeconds: number,
  failures = 0,
): Promise<string> => {
  const request = {
    screen: 'orders/order',
    search: { payState: 'PAID' },
    language: 'en-US',
    requestId: 'r',
    address: '127.0.0.1',
  }
  const { rows } = await instance.app.db.read.pool.query(
    `insert into task (kind, title, owner_id, state, request, created_at, heartbeat_at, attempts, failures)
     values ('EXPORT', 'planted', $1, $2, $3, now(), clock_timestamp() - make_interval(secs => $4), 1, $5) returning id`,
    [ownerId, state, JSON.stringify(request), silentSeconds, failures],
  )
  return rows[0].id
}

describe('an export of more than 5 000 rows', () => {
  test('becomes a task that ends with every row, and its owner fetches the file', async () => {
    const id = await ask(manager)
    const task = await ended(manager, id)
    expect(task).toMatchObject({ state: 'DONE', doneRows: 6_000, allRows: 6_000, error: null })
    const file = await download(instance, manager, `/common/task/${id}/download`)
    const { rows, watermark } = await readSheet(file.bytes)
    expect(rows).toHaveLength(6_000)
    expect(new Set(rows.map(cells => cells[0])).size).toBe(6_000)
    expect(watermark).toContain('李经理')
    expect(file.headers).toMatchObject({
      code: '0',
      filename: encodeURIComponent(`${task.title}.xlsx`),
      'content-length': String(file.bytes.length),
    })
    const log = await instance.app.db.query
      .selectFrom('operation_log')
      .select('diff')
      .where('actor_id', '=', manager.id)
      .where('action', '=', 'export')
      .execute()
    expect(log).toEqual([{ diff: { rows: [null, 6_000], filter: [null, {}] } }])
  })

  test('keeps to the filter and to the scope of whoever asked', async () => {
    const id = await ask(manager, 'payState=PAID&payState=CLOSED')
    await placeOrder(instance, { paidFen: 0 })
    await ended(manager, id)
    const { rows, head } = await readSheet((await download(instance, manager, `/common/task/${id}/download`)).bytes)
    expect(new Set(rows.map(cells => cells[head.indexOf('Payment')]))).toEqual(new Set(['Paid']))
    const seller = await person(instance, { grants: EXPORT, scope: 'SELF' })
    await placeOrder(instance, { ownerId: seller.id, orgId: seller.orgId })
    const planted = await plant(seller.id, 'WAITING', 0)
    instance.app.tasks.wake()
    expect(await ended(seller, planted)).toMatchObject({ state: 'DONE', doneRows: 1 })
  })

  test('is one for each person at a time, also beside a small one', async () => {
    const eager = await person(instance, { grants: EXPORT })
    const id = await plant(eager.id, 'RUNNING', 0)
    expect(await download(instance, eager, '/orders/order/download')).toMatchObject({ status: 429, code: 4029 })
    expect(await download(instance, eager, '/orders/order/download?payState=UNPAID')).toMatchObject({
      status: 429,
      code: 4029,
    })
    await eager.post(`/common/task/${id}/cancel`)
    expect(await download(instance, eager, '/orders/order/download?payState=UNPAID')).toMatchObject({ code: 0 })
  })
})

describe('a task', () => {
  test('cancelled before it begins to write stops at once, and the next one is taken', async () => {
    instance.app.exports.take()
    instance.app.exports.take()
    const id = await ask(manager)
    await begun(manager, id)
    expect(await manager.post(`/common/task/${id}/cancel`)).toMatchObject({ code: 0 })
    const next = await ask(manager)
    await begun(manager, next)
    instance.app.exports.free()
    instance.app.exports.free()
    expect(await ended(manager, next)).toMatchObject({ state: 'DONE' })
    expect(await taskOf(manager, id)).toMatchObject({ state: 'CANCELLED', expiresAt: null })
    expect(await download(instance, manager, `/common/task/${id}/download`)).toMatchObject({ code: 4006 })
    expect(await manager.post(`/common/task/${id}/cancel`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: The task has ended and cannot be cancelled',
    })
  })

  test('of a person who lost the right fails and says so, in the reader’s language', async () => {
    const former = await person(instance, { grants: { 'order-list': ['list'] } })
    const id = await plant(former.id, 'WAITING', 0)
    instance.app.tasks.wake()
    expect(await ended(former, id)).toMatchObject({
      state: 'FAILED',
      error: 'You no longer have permission to export from this page, so nothing was exported',
    })
    const answer = await instance.http.inject({
      url: `/api/common/task/${id}`,
      headers: { authtoken: former.token, 'accept-language': 'zh-CN' },
    })
    expect(answer.json().data.error).toBe('您已没有导出此页面的权限，任务未执行')
  })

  test('is nobody else’s: not to see, not to cancel, not to fetch', async () => {
    const id = await ask(manager)
    await ended(manager, id)
    const other = await person(instance, { superAdmin: true })
    expect(await other.get(`/common/task/${id}`)).toMatchObject({ status: 404, code: 4004 })
    const running = await plant(manager.id, 'RUNNING', 0)
    for (const task of [id, running])
      expect(await other.post(`/common/task/${task}/cancel`)).toMatchObject({ status: 404, code: 4004 })
    expect(await taskOf(manager, running)).toMatchObject({ state: 'RUNNING' })
    await manager.post(`/common/task/${running}/cancel`)
    expect(await download(instance, other, `/common/task/${id}/download`)).toMatchObject({ status: 404, code: 4004 })
    const { file_id } = await instance.app.db.query
      .selectFrom('task')
      .select('file_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(await other.post(`/common/file/${file_id}/link`)).toMatchObject({ status: 404 })
    // Its owner neither: a link would outlast the right and the seven days.
    expect(await manager.post(`/common/file/${file_id}/link`)).toMatchObject({ status: 404 })
    expect((await other.get<{ total: number }>('/common/task')).data.total).toBe(0)
  })

  test('list comes newest first, page by page', async () => {
    const owner = await person(instance)
    const ids = []
    for (let index = 0; index < 12; index += 1) ids.push(await plant(owner.id, 'RUNNING', 0))
    const first = await owner.get<{ records: Task[]; total: number }>('/common/task')
    expect(first.data.total).toBe(12)
    expect(first.data.records.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10))
    const second = await owner.get<{ records: Task[] }>('/common/task?current=2&size=10')
    expect(second.data.records.map(({ id }) => id)).toEqual([ids[1], ids[0]])
    expect(await owner.get('/common/task?size=11')).toMatchObject({ status: 400, code: 4000 })
    for (const id of ids) await owner.post(`/common/task/${id}/cancel`)
  })

  test('whose runner died is taken up again, but not for ever', async () => {
    const owner = await person(instance, { grants: EXPORT })
    const alive = await plant(owner.id, 'RUNNING', 20)
    const dead = await plant(owner.id, 'RUNNING', 31)
    const deadly = await plant(owner.id, 'RUNNING', 31, 2)
    instance.app.tasks.wake()
    expect(await ended(owner, dead)).toMatchObject({ state: 'DONE' })
    expect(await taskOf(owner, deadly)).toMatchObject({
      state: 'FAILED',
      error: expect.stringContaining(`task number ${deadly}`),
    })
    expect(await taskOf(owner, alive)).toMatchObject({ state: 'RUNNING' })
    await owner.post(`/common/task/${alive}/cancel`)
  })

  test('waits for a place while two exports are under way, and stops with its instance to be taken up by another', async () => {
    const second = await openTestInstance({ url: instance.url, env: { DATA_DIR: folder } })
    await second.app.tasks.close()
    expect([instance.app.exports.take(), instance.app.exports.take()]).toEqual([true, true])
    const owner = await person(instance, { grants: EXPORT })
    const id = await ask(owner)
    await begun(owner, id)
    expect(await taskOf(owner, id)).toMatchObject({ doneRows: 0 })
    await instance.app.tasks.close()
    expect(await taskOf(owner, id)).toMatchObject({ state: 'WAITING' })
    expect(instance.logged.filter(line => line.includes('a task broke'))).toEqual([])
    const third = await openTestInstance({ url: instance.url, env: { DATA_DIR: folder } })
    expect(third.app.exports.take()).toBe(true)
    expect(await ended(owner, id)).toMatchObject({ state: 'DONE' })
    instance.app.exports.free()
    instance.app.exports.free()
  })
})

describe('an export of 100 000 rows', () => {
  let owner: Caller
  beforeAll(async () => {
    folder = await newFolder()
    instance = await openTestInstance({ env: { DATA_DIR: folder } })
    owner = await person(instance, { grants: EXPORT })
    await addOrders(100_000)
  })

  test('grows the memory of the server by little', async () => {
    const start = process.memoryUsage.rss()
    let peak = start
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 10)
    const started = Date.now()
    const id = await ask(owner)
    expect(await ended(owner, id)).toMatchObject({ state: 'DONE', doneRows: 100_000 })
    clearInterval(sampling)
    console.log(`100 000 rows: ${Date.now() - started} ms, +${Math.round((peak - start) / 1_048_576)} MB`)
    expect(peak - start).toBeLessThan(150 * 1_048_576)
  })

  test('cancelled in the middle leaves nothing on the disk', async () => {
    const before = await filesOnDisk()
    const id = await ask(owner)
    for (
      let task = await taskOf(owner, id);
      task.doneRows === 0 && task.state !== 'DONE';
      task = await taskOf(owner, id)
    )
      await delay(50)
    expect(await filesOnDisk()).toHaveLength(before.length + 1)
    await owner.post(`/common/task/${id}/cancel`)
    expect(await taskOf(owner, id)).toMatchObject({ state: 'CANCELLED' })
    await expect.poll(filesOnDisk).toEqual(before)
  })

  test('can be fetched for seven days and while the right lasts, and is then swept', async () => {
    const { data } = await owner.get<{ records: Task[] }>('/common/task')
    const { id } = data.records.find(({ state }) => state === 'DONE')!
    const again = async () => {
      const { token } = await instance.app.db.write(tx =>
        instance.app.sessions.open(tx, owner.id, { address: '127.0.0.1', device: 'test' }),
      )
      return caller(instance, owner.id, token)
    }
    instance.clock.forward(7 * DAY_MS - 1_000)
    const files = await filesOnDisk()
    await sweepFiles(instance.app)
    expect(await download(instance, await again(), `/common/task/${id}/download`)).toMatchObject({ code: 0 })
    const role = await instance.app.db.query
      .selectFrom('staff_role')
      .selectAll()
      .where('staff_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    await instance.app.db.query.deleteFrom('staff_role').where('staff_id', '=', owner.id).execute()
    expect(await download(instance, await again(), `/common/task/${id}/download`)).toMatchObject({
      status: 403,
      code: 4003,
    })
    await instance.app.db.query.insertInto('staff_role').values(role).execute()
    instance.clock.forward(1_000)
    expect(await download(instance, await again(), `/common/task/${id}/download`)).toMatchObject({ code: 4006 })
    instance.clock.forward(1)
    await sweepFiles(instance.app)
    expect(files.length - (await filesOnDisk()).length).toBe(1)
  })
})
