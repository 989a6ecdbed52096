import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, insist, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { events } from '../lead-form/server.ts'
import type { AdLine } from './model.ts'
import { jobs } from './server.ts'

const PATH = '/traffic/ad-line'
const HEAD = ['日期', '账号', '计划编号', '计划', '消耗', '展现', '点击']

let instance: TestInstance
let folder: string
let clerk: Caller
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-ads-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  clerk = await person(instance, { grants: { redBookLine: ['list', 'detail', 'create', 'update', 'import'] } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

const LINE = { day: '2026-03-02', account: 'OFFICIAL', planName: '体验课', spendFen: 10_000, views: 1_000, clicks: 25 }
const create = (plan: string, fields: Partial<AdLine> = {}) =>
  clerk.post<{ id: string }>(PATH, { ...LINE, plan, ...fields })
const linesOf = async (plan: string) => (await clerk.get<{ records: AdLine[] }>(`${PATH}?query=${plan}`)).data.records
let counter = PHONES.test + 85_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}
/** Somebody sends a form of this plan at that time. */
const send = (plan: string, at: string, phone = newPhone()) =>
  insist(() =>
    instance.app.db.write(async tx => {
      const now = instance.app.clock.now()
      const formNo = `ad-${plan}-${counter}-${Date.parse(at)}`
      const data = { formNo, kind: 'FORM', at, phone, campaign: plan }
      await events[0]?.apply({ app: instance.app, tx, now, source: 'xiaohongshu', key: formNo }, data)
    }),
  )
const count = () =>
  insist(() =>
    instance.app.db.write(tx =>
      Promise.resolve(jobs[0]?.work(ownChange(instance.app, tx, instance.app.clock.now(), 'test'), {} as never)),
    ),
  )

test('a share without a base is none, not nought', async () => {
  await create('P0', { spendFen: 0, views: 0, clicks: 0 } as Partial<AdLine>)
  expect(await linesOf('P0')).toMatchObject([{ ctr: null, cplFen: null, roi: null, leads: 0 }])
  await create('P1')
  expect(await linesOf('P1')).toMatchObject([{ ctr: 25, cplFen: null, roi: 0 }])
})

test('forms of that day and plan are its leads; somebody who sends three is one', async () => {
  await create('P2')
  const phone = newPhone()
  await send('P2', '2026-03-02T03:00:00Z', phone)
  await send('P2', '2026-03-02T05:00:00Z', phone)
  await send('P2', '2026-03-02T10:00:00Z')
  // The next day there: a line of its own, which nobody has entered.
  await send('P2', '2026-03-02T17:00:00Z')
  await count()
  expect(await linesOf('P2')).toMatchObject([{ leads: 2, cplFen: 5_000, added: 0, paid: 0, gmvFen: 0 }])
})

test('a day, account and plan has one line, and no more clicks than views', async () => {
  await create('P3')
  expect(await create('P3')).toMatchObject({ code: 4005 })
  expect(await create('P4', { clicks: 2_000 })).toMatchObject({ code: 4005 })
})

test("the platform's report told again replaces what was told before", async () => {
  const bring = async (rows: readonly (readonly string[])[]) => {
    const file = Buffer.from([HEAD, ...rows].map(cells => cells.join(',')).join('\n'))
    const { data } = await sendFile(instance, clerk, `${PATH}/import`, file, 'spend.csv')
    expect(await clerk.post(`${PATH}/import/${data.id}/check`, { mapping: data.mapping })).toMatchObject({ code: 0 })
    await settled(clerk, `${PATH}/import`, data.id)
    expect(await clerk.post(`${PATH}/import/${data.id}/run`)).toMatchObject({ code: 0 })
    return settled(clerk, `${PATH}/import`, data.id)
  }
  await bring([['2026-03-05', '官方号', 'P9', '控笔', '100.00', '1000', '20']])
  const second = await bring([
    ['2026-03-05', '官方号', 'P9', '', '120.50', '1100', '30'],
    ['2026-03-05', '官方号', 'P9', '', '1.00', '1', '1'],
    ['2026-03-06', '官方号', 'P9', '', '1.00', '1', '2'],
  ])
  expect(second).toMatchObject({ state: 'DONE', doneRows: 1, badRows: 2 })
  expect(await linesOf('P9')).toMatchObject([{ planName: '控笔', spendFen: 12_050, views: 1_100, clicks: 30 }])
})
