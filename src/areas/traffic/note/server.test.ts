import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadGivenUp } from '#engines/lead/ending.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { countNotes } from './counting.server.ts'
import type { Note } from './model.ts'

const PATH = '/traffic/note'
const HEAD = ['笔记 ID', '数据日期', '阅读', '点赞', '收藏', '评论', '私信', '标题', '账号', '类型', '发布日期']

let instance: TestInstance
let folder: string
let clerk: Caller
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-notes-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  const may = ['list', 'detail', 'create', 'update', 'import', 'markLimited', 'markNormal', 'markViolation']
  clerk = await person(instance, { grants: { redBook: may } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

const line = (no: string, day: string, reads: number, more: readonly string[] = ['', '', '', '']) => [
  no,
  day,
  String(reads),
  '5',
  '4',
  '3',
  '2',
  ...more,
]
const NEW = ['新笔记', '官方号', '视频', '2026-03-01']

async function bring(rows: readonly (readonly string[])[]) {
  const file = Buffer.from([HEAD, ...rows].map(cells => cells.join(',')).join('\n'))
  const { data } = await sendFile(instance, clerk, `${PATH}/import`, file, 'report.csv')
  expect(await clerk.post(`${PATH}/import/${data.id}/check`, { mapping: data.mapping })).toMatchObject({ code: 0 })
  const checked = await settled(clerk, `${PATH}/import`, data.id)
  if (checked.goodRows === 0) return checked
  expect(await clerk.post(`${PATH}/import/${data.id}/run`)).toMatchObject({ code: 0 })
  return settled(clerk, `${PATH}/import`, data.id)
}
const found = async (noteNo: string) =>
  (await clerk.get<{ records: Note[] }>(`${PATH}?query=${noteNo}`)).data.records[0] as Note
const days = async (id: string) =>
  (await clerk.get<{ records: { day: string; reads: number }[] }>(`${PATH}/${id}/snapshots`)).data.records.map(
    ({ day, reads }) => `${day} ${reads}`,
  )

describe("the platform's report", () => {
  test('adds a note nobody knows, and the note stands as its newest day says', async () => {
    const done = await bring([line('a1', '2026-03-02', 100, NEW), line('a1', '2026-03-03', 180, NEW)])
    expect(done).toMatchObject({ state: 'DONE', doneRows: 2 })
    const note = await found('a1')
    expect(note).toMatchObject({ title: '新笔记', noteType: 'VIDEO', account: 'OFFICIAL', reads: 180, likes: 5 })
    expect(await days(note.id)).toEqual(['2026-03-03 180', '2026-03-02 100'])
  })

  test('told again of the same day, it replaces that day and doubles nothing', async () => {
    await bring([line('a2', '2026-03-02', 100, NEW)])
    await bring([line('a2', '2026-03-02', 130)])
    const note = await found('a2')
    expect(note).toMatchObject({ reads: 130 })
    expect(await days(note.id)).toEqual(['2026-03-02 130'])
  })

  test('of an earlier day, told late, leads nothing back', async () => {
    await bring([line('a3', '2026-03-05', 300, NEW)])
    await bring([line('a3', '2026-03-04', 250)])
    expect(await found('a3')).toMatchObject({ reads: 300, reportedOn: '2026-03-05' })
  })

  test('a line of an unknown note without its title, a day twice and days to come are left out', async () => {
    const done = await bring([
      line('a4', '2026-03-02', 1),
      line('a5', '2026-03-02', 1, NEW),
      line('a5', '2026-03-02', 2, NEW),
      line('a5', '2099-01-01', 2, NEW),
      line('a6', '2026-03-02', 2, ['新笔记', '官方号', '视频', '2099-01-01']),
    ])
    expect(done).toMatchObject({ state: 'DONE', doneRows: 1, badRows: 4 })
    expect(await found('a4')).toBeUndefined()
    expect(await found('a6')).toBeUndefined()
    expect(await found('a5')).toMatchObject({ reads: 1 })
  })
})

const body = {
  title: '限流的笔记',
  noteNo: 'b1',
  account: 'TEACHER',
  noteType: 'PICTURES',
  link: null,
  operatorId: null,
  publishedAt: '2026-03-01T02:00:00Z',
}

test('a note has been published: none is of a time to come, new or put right', async () => {
  const toCome = '2099-01-01T02:00:00Z'
  const refused = { code: 4005, data: { fields: { publishedAt: expect.stringContaining('still to come') } } }
  expect(await clerk.post(PATH, { ...body, noteNo: 'c1', publishedAt: toCome })).toMatchObject(refused)
  const { data } = await clerk.post<{ id: string }>(PATH, { ...body, noteNo: 'c1' })
  const { noteNo: _no, ...written } = body
  const put = (more: object) => clerk.put(`${PATH}/${data.id}`, { ...written, version: 1, ...more })
  expect(await put({ publishedAt: toCome })).toMatchObject(refused)
  // One of before this rule is put right in anything else.
  await sql`update note set published_at = ${toCome} where id = ${data.id}`.execute(instance.app.db.query)
  const { publishedAt } = await found('c1')
  expect(await put({ publishedAt, title: '限流的笔记二' })).toMatchObject({ code: 0 })
})

test('a note keeps whoever was added through it, whatever becomes of the lead later', async () => {
  const { data } = await clerk.post<{ id: string }>(PATH, { ...body, noteNo: 'd1' })
  const phone = phoneAt(PHONES.test + 74_000)
  const came = { name: null, source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_FORM', consent: 'FORM', owner: null } as const
  const [arrived] = await instance.changing(change =>
    arrive(change, [{ ...came, phone, cameBy: 'FORM', key: 'form:d1' }]),
  )
  const leadId = String(arrived?.leadId)
  await sql`
    insert into lead_form (form_no, kind, phone, answers, note_id, lead_id, is_new, submitted_at, created_at, follow_status)
    values ('d1', 'FORM', ${phone}, '[]', ${data.id}, ${leadId}, true, now(), now(), 'UNASSIGNED')`.execute(
    instance.app.db.query,
  )
  await sql`update lead set furthest = 'ADDED' where id = ${leadId}`.execute(instance.app.db.query)
  const counted = async () => {
    await instance.changing(countNotes)
    const { leads, added } = await found('d1')
    return { leads, added }
  }
  expect(await counted()).toEqual({ leads: 1, added: 1 })
  await instance.changing(change => leadGivenUp(change, leadId, 'LOST', 'TOO_DEAR'))
  expect(await counted()).toEqual({ leads: 1, added: 1 })
})

test('a note the platform limits or objects to says so, and comes back to normal', async () => {
  const { data } = await clerk.post<{ id: string }>(PATH, body)
  expect(await clerk.post(PATH, body)).toMatchObject({ code: 4005 })
  expect(await clerk.post(`${PATH}/${data.id}/markLimited`, {})).toMatchObject({ code: 0 })
  expect(await clerk.post(`${PATH}/${data.id}/markViolation`, {})).not.toMatchObject({ code: 0 })
  expect(await clerk.post(`${PATH}/${data.id}/markViolation`, { reason: '含导流信息' })).toMatchObject({ code: 0 })
  expect(await clerk.post(`${PATH}/${data.id}/markNormal`, {})).toMatchObject({ code: 0 })
  expect(await found('b1')).toMatchObject({ status: 'NORMAL' })
})
