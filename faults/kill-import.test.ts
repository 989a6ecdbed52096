import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PHONES, phoneAt } from '../src/demo/builders.server.ts'
import { arrive } from '../src/engines/lead/server.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { type Batch, LIST_SAID, sendFile } from '../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { type Mortal, Processes } from '../tools/testing/process.ts'
import { rounds } from './rounds.ts'

const PAGE = 'member-salePhone'
const PATH = '/members/number-import'
const HEAD = ['手机号', '称呼', '来源', '渠道', '联系依据', '归属人账号']
const ROWS = rounds(100_000)
const PART = ROWS / 200
/** A dead runner is noticed after half a minute; the rest is a slow machine. */
const PATIENCE_MS = 180_000

let counter = PHONES.test + 2_000_000
function newPhone(): string {
  counter += 1
  return phoneAt(counter)
}
const line = (phone: string) => [phone, '', '公益课学校', 'SCHOOL', '学校报名', ''].join(',')

/** One in a hundred is no number, one in two hundred stands there twice, one in two hundred is somebody's already. */
function linesWith(known: readonly string[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < ROWS; at += 1) {
    if (at % 100 === 7) lines.push(line(`12${at}`))
    else if (at % 200 === 50) lines.push(line(known[(at - 50) / 200] as string))
    else if (at % 200 === 90) lines.push(lines.at(-1) as string)
    else lines.push(line(newPhone()))
  }
  return lines
}

describe('a server that is killed while it brings in a list of numbers', () => {
  const processes = new Processes()
  let keeper: TestInstance
  let clerk: Caller
  let server: Mortal
  let id: string

  beforeAll(async () => {
    const settings = await processes.settings({ SEED: 'none', LOG_LEVEL: 'error' })
    server = processes.mortal(settings)
    keeper = await openTestInstance({
      url: settings.DATABASE_URL as string,
      env: { DATA_DIR: settings.DATA_DIR as string },
    })
    // The work is the other process's alone: what this one would do, nobody could kill.
    await keeper.app.tasks.close()
    clerk = await person(keeper, { grants: { [PAGE]: ['list', 'detail', 'import', 'undoImport'] } })
    const known = Array.from({ length: PART }, newPhone)
    const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
    const { app } = keeper
    await app.db.write(tx =>
      arrive(
        ownChange(app, tx, app.clock.now(), 'test'),
        known.map(phone => ({ phone, cameBy: 'REGISTRATION', key: 'registration', ...came }) as const),
      ),
    )
    const file = Buffer.from([HEAD.join(','), ...linesWith(known)].join('\n'))
    const { data } = await sendFile(keeper, clerk, `${PATH}/import`, file, 'numbers.csv')
    id = data.id
    expect(await clerk.post(`${PATH}/import/${id}/check`, { mapping: data.mapping, said: LIST_SAID })).toMatchObject({
      code: 0,
    })
  }, 600_000)
  afterAll(() => processes.end())

  const read = async () => (await clerk.get<Batch>(`${PATH}/import/${id}`)).data
  const once = async (enough: (batch: Batch) => boolean): Promise<Batch> => {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(5)) {
      const batch = await read()
      if (enough(batch) || Date.now() > until) return batch
    }
  }

  test(
    'goes on after the restart: every number is brought in once, and the totals are exact',
    async () => {
      await server.start()
      expect(await once(({ state }) => state === 'CHECKED')).toMatchObject({
        state: 'CHECKED',
        goodRows: ROWS - 4 * PART,
        badRows: 4 * PART,
      })
      expect(await clerk.post(`${PATH}/import/${id}/run`)).toMatchObject({ code: 0 })
      const before = await once(({ doneRows }) => doneRows >= ROWS / 5)
      await server.kill()
      const dead = await read()
      expect(before.doneRows).toBeGreaterThan(0)
      expect(dead).toMatchObject({ state: 'RUNNING' })
      expect(dead.doneRows).toBeLessThan(ROWS - 4 * PART)
      await server.start()
      const batch = await once(({ state }) => state === 'DONE')
      await server.kill()
      expect(batch).toMatchObject({ state: 'DONE', allRows: ROWS, doneRows: ROWS - 4 * PART, failedRows: 0 })
      const [list] = (await clerk.get<{ records: object[] }>(PATH)).data.records
      const counted = { newRows: ROWS - 4 * PART, badRows: 2 * PART, repeatedRows: PART, knownRows: PART }
      expect(list).toMatchObject({ status: 'KEPT', allRows: ROWS, ...counted })
      const leads = await keeper.app.db.read.rows(
        `select count(*)::int as leads, count(distinct phone)::int as phones from lead where came_by = 'IMPORT'`,
        [],
      )
      expect(leads).toEqual([{ leads: ROWS - 4 * PART, phones: ROWS - 4 * PART }])
      expect(await findBroken(keeper.app.db, keeper.catalogue)).toEqual([])
    },
    3 * PATIENCE_MS,
  )
})
