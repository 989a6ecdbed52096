import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { MAX_MATCHING, type Matching, TASK_ROWS_KEEP_DAYS, type Task, type TaskRow } from '#kit/model/task.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { refunded, sold } from '../../../../tools/testing/refunds.ts'
import { download, readSheet } from '../../../../tools/testing/sheet.ts'
import { sweepRows } from '../work/task-rows.ts'

const PAGE = 'order-refundApply'
const PATH = '/orders/refund-application'
const ALL = ['list', 'detail', 'approve', 'reject']

let instance: TestInstance
let manager: Caller & { orgId: string }
let seller: Caller & { orgId: string }

beforeAll(async () => {
  instance = await openTestInstance()
  manager = await person(instance, { grants: { [PAGE]: ALL } })
  seller = await person(instance, { grants: { [PAGE]: ALL }, scope: 'SELF' })
})

/** Applications of one seller, one for each amount; their numbers are known to people. */
async function applications(amounts: readonly number[], by: { id: string; orgId: string } = seller) {
  const made: { id: string; no: string }[] = []
  for (const fen of amounts) {
    const orderId = await sold(instance, { paidAt: '2026-03-01T02:00:00Z', paidFen: 10_000, seller: by })
    await refunded(instance, orderId, { askedAt: '2026-03-02T02:00:00Z', status: 'SUBMITTED', amounts: [fen] })
    const row = await instance.app.db.query
      .selectFrom('refund_application')
      .select(['id', 'refund_no as no'])
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    made.push(row)
  }
  return made
}
const of = (applicant: { id: string }, state = 'SUBMITTED') => `status=${state}&applicantId=${applicant.id}`
const asked = async (who: Caller, step: string, filter: string) =>
  (await who.get<Matching>(`${PATH}/steps/${step}?${filter}`)).data
const searchOf = (filter: string) => Object.fromEntries(new URLSearchParams(filter))
const confirm = (who: Caller, step: string, filter: string, { upTo, seal }: Matching, more: object = {}) =>
  who.post<{ taskId: string }>(`${PATH}/steps/${step}/matching`, { search: searchOf(filter), upTo, seal, ...more })
const begin = async (who: Caller, step: string, filter: string, more: object = {}) => {
  const answer = await confirm(who, step, filter, await asked(who, step, filter), more)
  expect(answer).toMatchObject({ code: 0 })
  return answer.data.taskId
}
const taskOf = async (who: Caller, id: string) => (await who.get<Task>(`/common/task/${id}`)).data
async function ended(who: Caller, id: string): Promise<Task> {
  for (const until = Date.now() + 20_000; ; await delay(30)) {
    const task = await taskOf(who, id)
    if (!['WAITING', 'RUNNING'].includes(task.state) || Date.now() > until) return task
  }
}
const rowsOf = async (who: Caller, id: string) =>
  (await who.get<{ records: TaskRow[]; total: number }>(`/common/task/${id}/rows`)).data.records
const stateOf = async (id: string) =>
  (
    await instance.app.db.query
      .selectFrom('refund_application')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status
/** Somebody else changes the record, and has not finished: whoever comes to it waits. */
async function changing(id: string): Promise<() => Promise<void>> {
  const client = await instance.app.db.read.pool.connect()
  await client.query('begin')
  await client.query(`update refund_application set status = 'WITHDRAWN', version = version + 1 where id = $1`, [id])
  return async () => {
    await client.query('commit')
    client.release()
  }
}

describe('a step taken for all that match', () => {
  test('tells count and sum before, runs as a task, and says of each row what became of it, refused ones first', async () => {
    const applicant = await person(instance, { grants: {} })
    const made = await applications([1_000, 2_000, 3_000], applicant)
    const own = await applications([5_000], manager)
    const before = await asked(
      manager,
      'approve',
      `status=SUBMITTED&applicantId=${applicant.id}&applicantId=${manager.id}`,
    )
    expect(before).toMatchObject({ count: 4, sumFen: 6_000, closed: [{ count: 1 }] })
    const answer = await manager.post<{ taskId: string }>(`${PATH}/steps/approve/matching`, {
      search: { status: 'SUBMITTED', applicantId: [applicant.id, manager.id] },
      upTo: before.upTo,
      seal: before.seal,
    })
    const id = answer.data.taskId
    expect(await ended(manager, id)).toMatchObject({
      kind: 'STEPS',
      state: 'DONE',
      doneRows: 4,
      failedRows: 1,
      allRows: 4,
    })
    const inChinese = await instance.http.inject({
      url: `/api/common/task/${id}`,
      headers: { authtoken: manager.token, 'accept-language': 'zh-CN' },
    })
    expect(inChinese.json().data.title).toBe('退款申请 · 同意退款')
    const rows = await rowsOf(manager, id)
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      [own[0]?.no, 'REFUSED'],
      ...made.map(({ no }) => [no, 'DONE']),
    ])
    // Four eyes: the guard of the single step was asked for each row.
    expect(rows[0]?.reason).toContain('own')
    expect(await Promise.all(made.map(row => stateOf(row.id)))).toEqual(made.map(() => 'L1_APPROVED'))
    const sheet = await readSheet((await download(instance, manager, `/common/task/${id}/download`)).bytes)
    expect(sheet.rows.map(cells => cells[0])).toEqual(rows.map(({ name }) => name))
    const own_tasks = await manager.get<{ records: Task[] }>('/common/task')
    expect(own_tasks.data.records.map(task => task.id)).toContain(id)
  })

  test('leaves out what has moved on since, and says so', async () => {
    const applicant = await person(instance, { grants: {} })
    const [first, second] = await applications([1_000, 2_000], applicant)
    const finish = await changing(first?.id ?? '')
    const id = await begin(manager, 'approve', of(applicant))
    await finish()
    expect(await ended(manager, id)).toMatchObject({ doneRows: 2, failedRows: 1 })
    const [left, done] = await rowsOf(manager, id)
    expect(left).toMatchObject({ name: first?.no, state: 'REFUSED' })
    expect(left?.reason).toContain('no longer matches')
    expect(done).toMatchObject({ name: second?.no, state: 'DONE', reason: null })
    expect(await stateOf(first?.id ?? '')).toBe('WITHDRAWN')
    expect(await stateOf(second?.id ?? '')).toBe('L1_APPROVED')
  })

  test('is refused when it would be other rows or another sum than was told; what came in later is not part of it', async () => {
    const applicant = await person(instance, { grants: {} })
    const [first] = await applications([1_000, 2_000], applicant)
    const before = await asked(manager, 'approve', of(applicant))
    const [later] = await applications([4_000], applicant)
    await instance.app.db.query
      .updateTable('refund_application')
      .set({ amount_fen: 900 })
      .where('id', '=', first?.id ?? '')
      .execute()
    expect(await confirm(manager, 'approve', of(applicant), before)).toMatchObject({ code: 4009 })
    const again = await asked(manager, 'approve', of(applicant))
    expect(again).toMatchObject({ count: 3, sumFen: 6_900 })
    const upToFirstTwo = { ...again, upTo: String(BigInt(later?.id ?? '0') - 1n) }
    expect(await confirm(manager, 'approve', of(applicant), upToFirstTwo)).toMatchObject({ code: 4009 })
    const id = (await confirm(manager, 'approve', of(applicant), again)).data.taskId
    const [newest] = await applications([4_000], applicant)
    await ended(manager, id)
    expect(await stateOf(newest?.id ?? '')).toBe('SUBMITTED')
    expect(await stateOf(later?.id ?? '')).toBe('L1_APPROVED')
  })

  test('never reaches beyond the scope and the rights of whoever asks', async () => {
    const other = await person(instance, { grants: {} })
    const [theirs] = await applications([1_000], other)
    const [mine] = await applications([1_000], seller)
    expect(await asked(seller, 'reject', of(other))).toMatchObject({ count: 0 })
    expect(await asked(seller, 'reject', 'status=SUBMITTED')).toMatchObject({ count: await countOf(seller) })
    const id = await begin(seller, 'reject', 'status=SUBMITTED', { reason: 'test' })
    await ended(seller, id)
    expect(await stateOf(theirs?.id ?? '')).toBe('SUBMITTED')
    // His own applications are not his to reject.
    expect(await stateOf(mine?.id ?? '')).toBe('SUBMITTED')
    const reader = await person(instance, { grants: { [PAGE]: ['list'] } })
    expect(await reader.get(`${PATH}/steps/approve?status=SUBMITTED`)).toMatchObject({ code: 4003 })
    expect(await manager.get(`/common/task/${id}/rows`)).toMatchObject({ code: 4004 })
  })

  const waitingForRecords = async (): Promise<number> =>
    (
      await instance.app.db.count.pool.query(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows[0].n

  test('stops where the right ends: rows left are not touched', async () => {
    const leaving = await person(instance, { grants: { [PAGE]: ALL } })
    const applicant = await person(instance, { grants: {} })
    const [first, second] = await applications([1_000, 2_000], applicant)
    const finish = await changing(first?.id ?? '')
    const id = await begin(leaving, 'approve', of(applicant))
    // The first row is under way once it waits for the record somebody else is changing.
    await expect.poll(waitingForRecords, { timeout: 15_000 }).toBeGreaterThan(0)
    await instance.app.db.write(async tx => {
      await tx.deleteFrom('staff_role').where('staff_id', '=', leaving.id).execute()
      await instance.app.sessions.changed(tx, [leaving.id])
    })
    await finish()
    const kept = instance.app.db.query.selectFrom('task').select(['state', 'done_rows']).where('id', '=', id)
    await expect.poll(() => kept.executeTakeFirst(), { timeout: 15_000 }).toEqual({ state: 'FAILED', done_rows: 1 })
    expect(await stateOf(second?.id ?? '')).toBe('SUBMITTED')
  })

  test('is one at a time for each person, needs the reason of its step, and knows no other filter than the list', async () => {
    const applicant = await person(instance, { grants: {} })
    await applications([1_000], applicant)
    const before = await asked(manager, 'reject', of(applicant))
    expect(await confirm(manager, 'reject', of(applicant), before)).toMatchObject({ code: 4005 })
    expect(await manager.get(`${PATH}/steps/reject?ownerId=1`)).toMatchObject({ code: 4000 })
    await instance.app.db.read.pool.query(
      `insert into task (kind, title, owner_id, state, request, created_at, heartbeat_at) values ('STEPS', 'x', $1, 'RUNNING', '{}', now(), clock_timestamp())`,
      [manager.id],
    )
    expect(await confirm(manager, 'reject', of(applicant), before, { reason: 'no' })).toMatchObject({ code: 4029 })
    await instance.app.db.read.pool.query(`delete from task where owner_id = $1 and title = 'x'`, [manager.id])
  })

  test('is refused where it is confirmed, at the field, when no record could take what was entered', async () => {
    const keeper = await person(instance, { grants: { 'member-list': ['list', 'assignOwner', 'gift'] } })
    const { rows } = await instance.app.db.read.pool.query(
      `insert into member (name, phone, source, owner_id, org_id) values ('某某', '13900000001', 'APP', $1, $2) returning id`,
      [keeper.id, keeper.orgId],
    )
    const filter = `ownerId=${keeper.id}`
    const members = '/members/member/steps'
    const confirmWith = async (step: string, entered: object) => {
      const { upTo, seal } = (await keeper.get<Matching>(`${members}/${step}?${filter}`)).data
      const body = { search: searchOf(filter), upTo, seal, reason: 'moves away', ...entered }
      return keeper.post(`${members}/${step}/matching`, body)
    }
    expect(rows).toHaveLength(1)
    const nobody = await confirmWith('assignOwner', { newOwnerId: '999999999' })
    expect(nobody).toMatchObject({ code: 4005, data: { fields: { newOwnerId: expect.any(String) } } })
    expect(nobody.msg).toContain('New owner')
    expect(nobody.msg).not.toContain('newOwnerId')
    const noColleague = await person(instance, { grants: {} })
    expect(await confirmWith('assignOwner', { newOwnerId: noColleague.id })).toMatchObject({
      code: 4005,
      data: { fields: { newOwnerId: expect.stringContaining('not part of this colleague') } },
    })
    expect(await confirmWith('gift', { giftKind: 'DAYS', quantity: null, couponId: null })).toMatchObject({
      code: 4005,
      data: { fields: { quantity: expect.any(String) } },
    })
    const tasks = await keeper.get<{ total: number }>('/common/task')
    expect(tasks.data.total).toBe(0)
  })

  test('asked for twice with one key is one task', async () => {
    const applicant = await person(instance, { grants: {} })
    await applications([1_000], applicant)
    const { upTo, seal } = await asked(manager, 'approve', of(applicant))
    const body = { search: searchOf(of(applicant)), upTo, seal }
    const send = () =>
      manager.post<{ taskId: string }>(`${PATH}/steps/approve/matching`, body, { 'idempotency-key': 'once-only' })
    const first = await send()
    expect((await send()).data).toEqual(first.data)
    await ended(manager, first.data.taskId)
  })

  test('can be stopped, keeps what is done, and goes on with the rest', async () => {
    const applicant = await person(instance, { grants: {} })
    const made = await applications(
      Array.from({ length: 30 }, () => 100),
      applicant,
    )
    const id = await begin(manager, 'approve', of(applicant))
    await expect.poll(async () => (await taskOf(manager, id)).doneRows, { interval: 5 }).toBeGreaterThan(0)
    const stopped = await manager.post(`/common/task/${id}/cancel`)
    if (stopped.code === 0) {
      const done = (await rowsOf(manager, id)).filter(({ state }) => state === 'DONE').length
      await delay(300)
      expect((await rowsOf(manager, id)).filter(({ state }) => state === 'DONE')).toHaveLength(done)
      expect(await manager.post(`/common/task/${id}/resume`)).toMatchObject({ code: 0 })
    }
    expect(await ended(manager, id)).toMatchObject({ state: 'DONE', doneRows: 30, failedRows: 0 })
    const log = await instance.app.db.query
      .selectFrom('operation_log')
      .select('record_id')
      .where('action', '=', 'approve')
      .where(
        'record_id',
        'in',
        made.map(row => row.id),
      )
      .execute()
    expect(log).toHaveLength(30)
  })

  test('that was stopped goes on only when no other of its person is under way', async () => {
    const busy = await person(instance, { grants: { [PAGE]: ALL } })
    const insert = (title: string, state: string) =>
      instance.app.db.read.pool.query<{ id: string }>(
        `insert into task (kind, title, owner_id, state, request, created_at, heartbeat_at)
         values ('STEPS', $1, $2, $3, '{"screen": "orders/refund-application", "step": "approve", "search": {}, "input": {}}', now(), clock_timestamp())
         returning id`,
        [title, busy.id, state],
      )
    const stopped = (await insert('stopped', 'CANCELLED')).rows[0]?.id ?? ''
    await instance.app.db.read.pool.query(
      `insert into task_row (task_id, no, record_id, name) values ($1, 1, 999999999, 'x')`,
      [stopped],
    )
    const other = (await insert('other', 'RUNNING')).rows[0]?.id ?? ''
    expect(await busy.post(`/common/task/${stopped}/resume`)).toMatchObject({ code: 4029 })
    expect(await taskOf(busy, stopped)).toMatchObject({ state: 'CANCELLED' })
    await instance.app.db.read.pool.query(`delete from task where id = $1`, [other])
    expect(await busy.post(`/common/task/${stopped}/resume`)).toMatchObject({ code: 0 })
    await ended(busy, stopped)
  })

  test(`keeps what became of each row for ${TASK_ROWS_KEEP_DAYS} days, and its sums for good`, async () => {
    const applicant = await person(instance, { grants: {} })
    const made = await applications([1_000, 2_000], applicant)
    const id = await begin(manager, 'approve', of(applicant))
    const before = await ended(manager, id)
    const sweepAfter = (days: number) =>
      instance.app.db.write(tx => sweepRows(tx, new Date(Date.parse(before.endedAt ?? '') + days * 86_400_000)))
    await sweepAfter(TASK_ROWS_KEEP_DAYS)
    expect(await rowsOf(manager, id)).toHaveLength(made.length)
    await sweepAfter(TASK_ROWS_KEEP_DAYS + 1)
    expect(await rowsOf(manager, id)).toEqual([])
    expect(await taskOf(manager, id)).toEqual(before)
    expect(before).toMatchObject({ state: 'DONE', doneRows: 2, failedRows: 0, allRows: 2 })
  })

  test(`takes no more than ${MAX_MATCHING} at once, and says so`, async () => {
    const applicant = await person(instance, { grants: {} })
    const [row] = await applications([100], applicant)
    await instance.app.db.read.pool.query(
      `insert into refund_application (refund_no, order_id, member_id, amount_fen, reason, route, status, applicant_id, created_at, days_since_paid, products, terms)
       select 'R9' || lpad(g::text, 12, '0'), order_id, member_id, 1, reason, route, 'WITHDRAWN', applicant_id, created_at, days_since_paid, products, terms
       from refund_application, generate_series(1, ${MAX_MATCHING}) g where id = $1`,
      [row?.id],
    )
    const answer = await manager.get(`${PATH}/steps/approve?applicantId=${applicant.id}`)
    expect(answer).toMatchObject({ code: 4006 })
    expect(answer.msg).toContain('10,000')
  })
})

const countOf = async (who: Caller) => (await who.get<{ total: number }>(`${PATH}?status=SUBMITTED`)).data.total
