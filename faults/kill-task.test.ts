import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Matching, Task } from '../src/kit/model/task.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { type Mortal, Processes } from '../tools/testing/process.ts'
import { refunded, sold } from '../tools/testing/refunds.ts'
import { rounds } from './rounds.ts'

const PAGE = 'order-refundApply'
const PATH = '/orders/refund-application'
const ROWS = rounds(120)
/** A dead runner is noticed after half a minute; the rest is a slow machine. */
const PATIENCE_MS = 180_000

describe('a server that is killed while it works on many records', () => {
  const processes = new Processes()
  let keeper: TestInstance
  let manager: Caller
  let server: Mortal
  const refunds: string[] = []

  beforeAll(async () => {
    const settings = await processes.settings({ SEED: 'none', LOG_LEVEL: 'error' })
    server = processes.mortal(settings)
    keeper = await openTestInstance({ url: settings.DATABASE_URL as string })
    // The work is the other process's alone: what this one would do, nobody could kill.
    await keeper.app.tasks.close()
    manager = await person(keeper, { grants: { [PAGE]: ['list', 'detail', 'approve'] } })
    const seller = await person(keeper, { grants: {} })
    for (let nth = 0; nth < ROWS; nth += 1) {
      const orderId = await sold(keeper, { paidAt: '2026-03-01T02:00:00Z', paidFen: 10_000, seller })
      await refunded(keeper, orderId, { askedAt: '2026-03-02T02:00:00Z', status: 'SUBMITTED', amounts: [100 + nth] })
      const made = keeper.app.db.query.selectFrom('refund_application').select('id').where('order_id', '=', orderId)
      refunds.push((await made.executeTakeFirstOrThrow()).id)
    }
  }, 600_000)
  afterAll(() => processes.end())

  const taskOf = async (id: string) => (await manager.get<Task>(`/common/task/${id}`)).data
  const doneBy = async (id: string, enough: (task: Task) => boolean): Promise<Task> => {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(20)) {
      const task = await taskOf(id)
      if (enough(task) || Date.now() > until) return task
    }
  }

  test(
    'goes on after the restart, and every record was worked on exactly once',
    async () => {
      const filter = 'status=SUBMITTED'
      const { upTo, seal, count } = (await manager.get<Matching>(`${PATH}/steps/approve?${filter}`)).data
      expect(count).toBe(ROWS)
      const body = { search: { status: 'SUBMITTED' }, upTo, seal }
      const { taskId } = (await manager.post<{ taskId: string }>(`${PATH}/steps/approve/matching`, body)).data
      await server.start()
      const before = await doneBy(taskId, ({ doneRows }) => doneRows >= ROWS / 4)
      await server.kill()
      const dead = await taskOf(taskId)
      expect(before.doneRows).toBeGreaterThan(0)
      expect(dead).toMatchObject({ state: 'RUNNING' })
      expect(dead.doneRows).toBeLessThan(ROWS)
      await server.start()
      const task = await doneBy(taskId, ({ state }) => state === 'DONE' || state === 'FAILED')
      await server.kill()
      expect(task).toMatchObject({ state: 'DONE', doneRows: ROWS, failedRows: 0 })
      const { query } = keeper.app.db
      const lines = await query
        .selectFrom('operation_log')
        .select(({ fn }) => ['record_id', fn.countAll<string>().as('times')])
        .where('page', '=', PAGE)
        .where('action', '=', 'approve')
        .where('record_id', 'is not', null)
        .groupBy('record_id')
        .execute()
      expect(new Map(lines.map(line => [line.record_id, line.times]))).toEqual(new Map(refunds.map(id => [id, '1'])))
      const states = await query.selectFrom('refund_application').select('status').distinct().execute()
      expect(states).toEqual([{ status: 'L1_APPROVED' }])
      expect(await findBroken(keeper.app.db, keeper.catalogue)).toEqual([])
    },
    2 * PATIENCE_MS,
  )
})
