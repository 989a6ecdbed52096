import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Batch, catalogueWith, dictionaryImport, sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { download } from '../../../../tools/testing/sheet.ts'
import { sweepImports } from './batch.ts'

const PATH = '/system/dictionary/import'
const HEAD = ['类型编码', '类型名称', '备注', '内置']
const MAPPING = { code: 0, name: 1, note: 2, builtIn: 3 }
const GRANTS = { dictionary: ['list', 'detail', 'import', 'undoImport'] }

let instance: TestInstance
let folder: string
let clerk: Caller
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-import-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder }, catalogue: await catalogueWith(dictionaryImport) })
  clerk = await person(instance, { name: '陈文员', grants: GRANTS })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Cell = string | number | boolean | Date | null
const xlsx = async (rows: Cell[][]) => Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows }] }))
const csv = (rows: Cell[][]) => Buffer.from(rows.map(row => row.join(',')).join('\r\n'))

async function uploaded(bytes: Buffer, by = clerk) {
  const answer = await sendFile(instance, by, PATH, bytes)
  expect(answer).toMatchObject({ code: 0 })
  return answer.data
}
async function checked(rows: Cell[][], by = clerk): Promise<Batch> {
  const { id } = await uploaded(await xlsx([HEAD, ...rows]), by)
  expect(await by.post(`${PATH}/${id}/check`, { mapping: MAPPING })).toMatchObject({ code: 0 })
  return settled(by, PATH, id)
}
async function ran(rows: Cell[][], by = clerk): Promise<Batch> {
  const { id } = await checked(rows, by)
  expect(await by.post(`${PATH}/${id}/run`)).toMatchObject({ code: 0 })
  return settled(by, PATH, id)
}
type Shown = { no: number; cells: string[]; faults: { column: string | null; reason: string }[] }
const rowsOf = async (id: string, kind: 'good' | 'bad', current = 1) =>
  (await clerk.get<{ records: Shown[] }>(`${PATH}/${id}/rows?kind=${kind}&current=${current}`)).data.records
const reasons = async (id: string) =>
  (await rowsOf(id, 'bad')).map(({ no, faults }) =>
    [no, ...faults.map(({ column, reason }) => `${column ?? 'row'} | ${reason}`)].join(' '),
  )
const errorFile = async (id: string, language?: string) =>
  (await readXlsx((await download(instance, clerk, `${PATH}/${id}/errors`, language)).bytes)).sheets[0]!.rows
const codes = async (prefix: string) =>
  (
    await instance.app.db.query
      .selectFrom('dictionary_type')
      .select(['code', 'name', 'note', 'built_in'])
      .where('code', 'like', `${prefix}%`)
      .orderBy('code')
      .execute()
  ).map(row => Object.values(row))
const logged = (action: string) =>
  instance.app.db.query
    .selectFrom('operation_log')
    .select(['page', 'action', 'diff', 'record_id'])
    .where('actor_id', '=', clerk.id)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirst()

describe('a file', () => {
  test.each([
    ['Chinese', HEAD],
    ['traditional Chinese', ['型別編碼', '型別名稱', '備註', '內建']],
    ['English, with stars and spaces', ['* CODE', ' Name ', 'Note', 'Built in']],
    ['Portuguese', ['Código*', 'Nome', 'Observação', 'Integrado']],
  ])('has its columns told by heads in %s', async (_language, head) => {
    const { mapping, sample } = await uploaded(await xlsx([head, ['A', 'a', '', 'no']]))
    expect(mapping).toMatchObject({ code: 0, name: 1 })
    expect(sample).toEqual([['A', 'a', '', 'no']])
  })

  test('may be CSV in UTF-8 with or without a mark, or in GB18030', async () => {
    const text = '类型编码,类型名称,备注,内置\r\nA,"楷书, 行书",,是\r\n'
    // 楷书 and 行书 in GB18030; heads by their bytes too.
    const gb = Buffer.from(
      'c0e0d0cdb1e0c2eb2cc0e0d0cdc3fbb3c62cb1b8d7a22cc4dad6c30d0a412c22bfacCAe92c20d0d0cae9222c2ccac70d0a',
      'hex',
    )
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), gb]) {
      const { mapping, sample } = await uploaded(bytes)
      expect({ mapping, sample }).toEqual({
        mapping: MAPPING,
        sample: [['A', '楷书, 行书', '', '是']],
      })
    }
  })

  test('that is something else, is broken or holds no rows is refused, and nothing is kept', async () => {
    const whole = await xlsx([HEAD, ['A', 'a', '', '否']])
    const before = await instance.app.db.query.selectFrom('import_batch').select('id').execute()
    const wrong = [
      Buffer.from('\x89PNG\r\n\x1a\n'),
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(0),
      Buffer.from([0xff, 0xff, 0xff]),
      whole.subarray(0, whole.length - 30),
      await xlsx([HEAD]),
      Buffer.from('类型编码,类型名称\n'),
      await xlsx([Array.from({ length: 101 }, (_, at) => `c${at}`), ['x']]),
    ]
    for (const bytes of wrong) expect(await sendFile(instance, clerk, PATH, bytes)).toMatchObject({ code: 4005 })
    expect(await instance.app.db.query.selectFrom('import_batch').select('id').execute()).toEqual(before)
  })

  test('has the columns this person chose last time, on this page', async () => {
    const head = ['Signatur', 'Bezeichnung', 'Bemerkung', 'fest']
    const rows = [head, ['REMEMBERED', 'x', '', 'no']]
    const first = await uploaded(await xlsx(rows))
    expect(first.mapping).toEqual({})
    const mapping = { code: 0, name: 1, builtIn: 3 }
    await clerk.post(`${PATH}/${first.id}/check`, { mapping })
    await settled(clerk, PATH, first.id)
    expect((await uploaded(await xlsx(rows))).mapping).toEqual(mapping)
    expect((await uploaded(await xlsx(rows), await person(instance, { grants: GRANTS }))).mapping).toEqual({})
  })

  test('is checked only when every field that must be filled has a column of its own', async () => {
    const { id } = await uploaded(await xlsx([HEAD, ['A', 'a', '', '否']]))
    expect(await clerk.post(`${PATH}/${id}/check`, { mapping: { code: 0, name: 0 } })).toMatchObject({
      code: 4005,
      data: {
        fields: { name: expect.stringContaining('another field'), builtIn: expect.stringContaining('Required') },
      },
    })
    expect(await clerk.post(`${PATH}/${id}/check`, { mapping: { code: 0, colour: 1 } })).toMatchObject({ code: 4005 })
    expect((await clerk.get<Batch>(`${PATH}/${id}`)).data).toMatchObject({ state: 'UPLOADED', allRows: 0 })
  })
})

describe('checking', () => {
  test('tells for each row what is wrong, by its number in the file, and changes nothing', async () => {
    await ran([['TAKEN', 'Taken', '', 'no']])
    const batch = await checked([
      ['GOOD_1', ' Good ', '', '是'],
      ['', 'No code', '', 'no'],
      [null, null, null, null],
      ['small', 'Small', '', 'no'],
      ['TAKEN', 'Again', '', 'no'],
      ['GOOD_1', 'Twice', '', 'no'],
      ['GOOD_2', 'Good', 'x'.repeat(201), 'perhaps'],
      [1.38e16, 'Number', '', 'no'],
      ['GOOD_3', 12.5, new Date('2026-03-01T00:00:00Z'), true],
    ])
    expect(batch).toMatchObject({ error: null, state: 'CHECKED', allRows: 8, goodRows: 2, badRows: 6, doneRows: 0 })
    expect(await reasons(batch.id)).toEqual([
      '3 类型编码 | Required',
      '5 类型编码 | Wrong format',
      '6 row | Already in use. Choose another.',
      '7 类型编码 | The same as row 2',
      '8 备注 | At most 200 characters 内置 | "perhaps" is not one of the options',
      '9 类型编码 | The spreadsheet shortened this number and lost its last digits. Format the column as text and enter it again.',
    ])
    expect((await rowsOf(batch.id, 'good')).map(({ no, cells }) => [no, ...cells])).toEqual([
      [2, 'GOOD_1', ' Good ', '', '是'],
      [10, 'GOOD_3', '12.5', '2026-03-01', 'true'],
    ])
    expect(await codes('GOOD_')).toEqual([])
  })

  test('may be done again with other columns, and then counts anew', async () => {
    const { id, mapping } = await uploaded(await xlsx([HEAD, ['AGAIN', 'SWAPPED', '', 'no']]))
    await clerk.post(`${PATH}/${id}/check`, { mapping })
    await settled(clerk, PATH, id)
    await clerk.post(`${PATH}/${id}/check`, { mapping: { ...mapping, code: 1, name: 0 } })
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'CHECKED', allRows: 1, goodRows: 1 })
    await clerk.post(`${PATH}/${id}/run`)
    await settled(clerk, PATH, id)
    expect(await codes('SWAPPED')).toEqual([['SWAPPED', 'AGAIN', '', false]])
  })

  test('stops at more than 100 000 rows', async () => {
    const rows = Array.from({ length: 100_001 }, (_, at) => [`N${at}`, 'x', '', 'no'])
    const { id, mapping } = await uploaded(csv([HEAD, ...rows]))
    await clerk.post(`${PATH}/${id}/check`, { mapping })
    expect(await settled(clerk, PATH, id, 30_000)).toMatchObject({
      state: 'UPLOADED',
      error: 'At most 100000 rows at once. Split the file and upload the parts.',
    })
  })
})

describe('running', () => {
  test('applies the good rows and leaves the others, which the error file holds as they were', async () => {
    const batch = await ran([
      ['RUN_1', '一', '', '是'],
      ['bad code', '=1+1', '_x005F_x0041_', 'no'],
      ['RUN_2', '二', 'n', '否'],
    ])
    expect(batch).toMatchObject({ state: 'DONE', goodRows: 2, badRows: 1, doneRows: 2, failedRows: 0, error: null })
    expect(await codes('RUN_')).toEqual([
      ['RUN_1', '一', '', true],
      ['RUN_2', '二', 'n', false],
    ])
    expect(await errorFile(batch.id)).toEqual([
      ['Row', 'Column', 'Reason', ...HEAD],
      [3, '类型编码', 'Wrong format', 'bad code', '=1+1', '_x0041_', 'no'],
    ])
    expect((await errorFile(batch.id, 'zh-CN'))[1]?.slice(0, 3)).toEqual([3, '类型编码', '格式不正确'])
    expect(await logged('import')).toMatchObject({
      page: 'dictionary',
      record_id: null,
      diff: { batch: [null, batch.id], rows: [null, 2], refused: [null, 1] },
    })
  })

  test('names each column at fault as the file heads it, and what is wrong there, in the same order', async () => {
    const own = ['My code', 'My name', '', 'Mine?']
    const { id } = await uploaded(await xlsx([own, ['small', 'x', 'y'.repeat(201), 'perhaps']]))
    await clerk.post(`${PATH}/${id}/check`, { mapping: { code: 0, name: 1, note: 2, builtIn: 3 } })
    await settled(clerk, PATH, id)
    const [first] = await rowsOf(id, 'bad')
    // A column without a head is called as its field is.
    expect(first?.faults).toEqual([
      { column: 'My code', reason: 'Wrong format' },
      { column: 'Note', reason: 'At most 200 characters' },
      { column: 'Mine?', reason: '"perhaps" is not one of the options' },
    ])
    expect((await errorFile(id))[1]?.slice(0, 3)).toEqual([
      2,
      'My code; Note; Mine?',
      'Wrong format; At most 200 characters; "perhaps" is not one of the options',
    ])
  })

  test('a reason quotes a cell as it stood there, also one a spreadsheet would read as another sign', async () => {
    const { id } = await checked([['QUOTE_1', 'x', '', '_x005F_x0041_']])
    expect((await errorFile(id))[1]?.slice(0, 3)).toEqual([2, '内置', '"_x0041_" is not one of the options'])
  })

  test('a row that is refused only then does not stop the others', async () => {
    const rows = Array.from({ length: 40 }, (_, at): Cell[] => [`LATE_${String(at).padStart(2, '0')}`, 'x', '', 'no'])
    const { id } = await checked(rows)
    for (const code of ['LATE_00', 'LATE_17', 'LATE_39'])
      await instance.app.db.query.insertInto('dictionary_type').values({ code, name: 'first' }).execute()
    await clerk.post(`${PATH}/${id}/run`)
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'DONE', doneRows: 37, failedRows: 3 })
    expect(await reasons(id)).toEqual([2, 19, 41].map(no => `${no} 类型编码 | Already in use. Choose another.`))
    expect((await codes('LATE_')).filter(([, name]) => name === 'x')).toHaveLength(37)
    expect((await errorFile(id)).map(([no]) => no)).toEqual(['Row', 2, 19, 41])
  })

  test('asked for twice at once happens once', async () => {
    const { id } = await checked([['ONCE', 'x', '', 'no']])
    const answers = await Promise.all(Array.from({ length: 5 }, () => clerk.post(`${PATH}/${id}/run`)))
    expect(answers.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(1)
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'DONE', doneRows: 1, failedRows: 0 })
    expect(await clerk.post(`${PATH}/${id}/run`)).toMatchObject({ code: 4006 })
    expect(await codes('ONCE')).toHaveLength(1)
  })

  test('broken off in the middle goes on where it stopped, with nothing done twice and nothing lost', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at): Cell[] => [`CUT_${at}`, 'x', '', 'no'])
    const { id } = await checked(rows)
    // As a server leaves it that dies after its first chunk: some rows done, the task silent for a minute.
    const { db } = instance.app
    await db.query.updateTable('import_batch').set({ status: 'RUNNING' }).where('id', '=', id).execute()
    const pool = db.read.pool
    await pool.query(
      `with made as (
         insert into dictionary_type (code, name) select 'CUT_' || g, 'before' from generate_series(0, 999) g returning id)
       insert into import_chunk select $1, 1001, array_agg(id) from made`,
      [id],
    )
    await pool.query('update import_batch set done_rows = 1000, run_to = 1001 where id = $1', [id])
    await pool.query(
      `update task set state = 'RUNNING', attempts = 1, heartbeat_at = clock_timestamp() - interval '1 minute',
         request = jsonb_set(request, '{phase}', '"RUN"'), ended_at = null
       where id = (select task_id from import_batch where id = $1)`,
      [id],
    )
    instance.app.tasks.wake()
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'DONE', doneRows: 2_500, failedRows: 0 })
    const made = await codes('CUT_')
    expect(made.filter(([, name]) => name === 'before')).toHaveLength(1_000)
    expect(made).toHaveLength(2_500)
  })

  test('ends when the right to it ends, says so, and the rest is told as not run', async () => {
    const leaver = await person(instance, { grants: GRANTS })
    const { id } = await checked([['GONE', 'x', '', 'no']], leaver)
    await instance.app.db.query.deleteFrom('staff_role').where('staff_id', '=', leaver.id).execute()
    await instance.app.db.write(async tx => {
      const task = { kind: 'IMPORT', title: 't', ownerId: leaver.id, rows: 1, now: new Date() } as const
      const request = {
        screen: 'system/dictionary',
        batchId: id,
        phase: 'RUN',
        language: 'en-US',
        requestId: 'r',
        address: '',
      }
      const taskId = await instance.app.tasks.add(tx, { ...task, request })
      await tx.updateTable('import_batch').set({ status: 'RUNNING', task_id: taskId }).where('id', '=', id).execute()
    })
    instance.app.tasks.wake()
    expect(await settled(clerk, PATH, id)).toMatchObject({
      state: 'STOPPED',
      doneRows: 0,
      error: expect.stringContaining('no longer have permission'),
    })
    expect(await codes('GONE')).toEqual([])
  })
})

describe('undoing', () => {
  test('takes every row back while all are untouched', async () => {
    const { id } = await ran([
      ['UNDO_1', 'x', '', 'no'],
      ['UNDO_2', 'x', '', 'no'],
    ])
    expect(await clerk.post(`${PATH}/${id}/undo`)).toMatchObject({ code: 0 })
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'UNDONE', error: null })
    expect(await codes('UNDO_')).toEqual([])
    expect(await logged('undoImport')).toMatchObject({ diff: { rows: [2, 0] } })
    expect(await clerk.post(`${PATH}/${id}/undo`)).toMatchObject({ code: 4006 })
  })

  test('takes every row back of a file that was stored in several parts', async () => {
    const rows = Array.from({ length: 2 * dictionaryImport.chunk + 1 }, (_, nth) => [`PARTS_${nth}`, 'x', '', 'no'])
    const { id, doneRows } = await ran(rows)
    expect(doneRows).toBe(rows.length)
    const parts = instance.app.db.query.selectFrom('import_chunk').select('last_row').where('batch_id', '=', id)
    expect(await parts.execute()).toHaveLength(3)
    await clerk.post(`${PATH}/${id}/undo`)
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'UNDONE', error: null })
    expect(await codes('PARTS_')).toEqual([])
  })

  test('takes nothing back when one was touched, and says so', async () => {
    const { id } = await ran([
      ['KEPT_1', 'x', '', 'no'],
      ['KEPT_2', 'x', '', 'no'],
    ])
    await instance.app.db.query
      .updateTable('dictionary_type')
      .set({ version: 2 })
      .where('code', '=', 'KEPT_2')
      .execute()
    await clerk.post(`${PATH}/${id}/undo`)
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'DONE', error: expect.stringContaining('changed') })
    expect(await codes('KEPT_')).toHaveLength(2)
  })

  test('is a right of its own, and another person may use it', async () => {
    const { id } = await ran([['OTHER_1', 'x', '', 'no']])
    const colleague = await person(instance, { grants: { dictionary: ['list', 'import'] } })
    expect(await colleague.post(`${PATH}/${id}/undo`)).toMatchObject({ status: 403 })
    expect(await codes('OTHER_')).toHaveLength(1)
    const head = await person(instance, { grants: GRANTS })
    expect(await head.post(`${PATH}/${id}/undo`)).toMatchObject({ code: 0 })
    expect(await settled(clerk, PATH, id)).toMatchObject({ state: 'UNDONE' })
  })
})

describe('whose it is', () => {
  test('others see that there was an import, and neither its rows nor its error file; nor can they run it', async () => {
    const { id } = await ran([['MINE_1', 'x', '', 'no']])
    const waiting = await checked([['MINE_2', 'x', '', 'no']])
    const colleague = await person(instance, { grants: GRANTS })
    const { records } = (await colleague.get<{ records: Batch[] }>(PATH)).data
    expect(records[0]).toMatchObject({ id, state: 'DONE', isMine: false, by: '陈文员' })
    expect((await clerk.get<{ records: Batch[] }>(PATH)).data.records[0]).toMatchObject({
      id: waiting.id,
      isMine: true,
    })
    for (const path of [`${id}/rows?kind=good`, `${id}/errors`])
      expect(await colleague.get(`${PATH}/${path}`)).toMatchObject({ status: 404 })
    expect(await colleague.post(`${PATH}/${waiting.id}/run`)).toMatchObject({ status: 404 })
    expect(await codes('MINE_')).toHaveLength(1)
  })

  test('an unknown import is not found', async () => {
    for (const call of [
      clerk.get(`${PATH}/999999`),
      clerk.post(`${PATH}/999999/run`),
      clerk.post(`${PATH}/999999/undo`),
    ])
      expect(await call).toMatchObject({ status: 404 })
  })

  test('the template is a sheet with the heads that are understood', async () => {
    const { bytes } = await download(instance, clerk, `${PATH}/template`, 'zh-CN')
    expect((await readXlsx(bytes)).sheets[0]?.rows).toEqual([HEAD])
  })

  test('what nobody went on with goes after a day, rows after thirty; then nothing can be taken back', async () => {
    const left = await checked([['LEFT', 'x', '', 'no']])
    const { id } = await ran([['OLD', 'x', '', 'no']])
    await instance.app.db.write(tx => sweepImports(tx, new Date(Date.now() + 60_000), new Date(Date.now() + 60_000)))
    expect(await clerk.get(`${PATH}/${left.id}`)).toMatchObject({ status: 404 })
    expect(await clerk.post(`${PATH}/${id}/undo`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('30 days'),
    })
    expect(await codes('OLD')).toHaveLength(1)
  })
})

describe('the very same file again', () => {
  const rows = [
    ['AGAIN_1', '一', '', 'no'],
    ['AGAIN_2', '二', '', 'no'],
    ['again bad', '三', '', 'no'],
  ]
  const send = async (bytes: Buffer, by = clerk) => {
    const sent = await uploaded(bytes, by)
    await by.post(`${PATH}/${sent.id}/check`, { mapping: MAPPING })
    return { ...sent, batch: await settled(by, PATH, sent.id) }
  }
  const run = async (id: string, by = clerk) => {
    await by.post(`${PATH}/${id}/run`)
    return settled(by, PATH, id)
  }

  test('is told before anything is written, and none of its rows is imported twice', async () => {
    const bytes = await xlsx([HEAD, ...rows])
    const first = await send(bytes)
    expect(first.before).toBeNull()
    expect(await run(first.id)).toMatchObject({ state: 'DONE', doneRows: 2 })

    const colleague = await person(instance, { grants: GRANTS })
    const again = await send(bytes, colleague)
    expect(again.before).toEqual({ by: '陈文员', at: expect.any(String), rows: 2 })
    expect(again.batch).toMatchObject({ state: 'CHECKED', goodRows: 0, badRows: 3 })
    const { data } = await colleague.get<{ records: Shown[] }>(`${PATH}/${again.id}/rows?kind=bad&current=1`)
    expect(data.records.flatMap(({ faults }) => faults.map(({ column }) => column))).toEqual([null, null, '类型编码'])
    expect(data.records[0]?.faults[0]?.reason).toBe('Already imported from this file')
    expect(await codes('AGAIN')).toHaveLength(2)
  })

  test('is a new one once the first was undone', async () => {
    const bytes = await xlsx([HEAD, ['TAKEN_BACK', '一', '', 'no']])
    const first = await send(bytes)
    await run(first.id)
    await clerk.post(`${PATH}/${first.id}/undo`)
    expect(await settled(clerk, PATH, first.id)).toMatchObject({ state: 'UNDONE' })
    const again = await send(bytes)
    expect(again.before).toBeNull()
    expect(await run(again.id)).toMatchObject({ state: 'DONE', doneRows: 1 })
  })

  test('checked twice before it was run once is imported once', async () => {
    const bytes = await xlsx([HEAD, ['BOTH_1', '一', '', 'no'], ['BOTH_2', '二', '', 'no']])
    const colleague = await person(instance, { grants: GRANTS })
    const [mine, theirs] = [await send(bytes), await send(bytes, colleague)]
    expect([mine.batch.goodRows, theirs.batch.goodRows]).toEqual([2, 2])
    const done = await Promise.all([run(mine.id), run(theirs.id, colleague)])
    expect(done.map(({ doneRows, failedRows }) => [doneRows, failedRows]).sort()).toEqual([
      [0, 2],
      [2, 0],
    ])
  })
})
