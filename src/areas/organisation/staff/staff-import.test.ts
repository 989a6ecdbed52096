import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '#kit/server/database/database.ts'
import { sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { Staff } from './model.ts'

const PATH = '/organisation/staff/import'
const HEAD = ['姓名', '部门', '岗位', '性别', '账号', '电话', '邮箱', '生日']

let instance: TestInstance
let folder: string
let personnel: Caller & { orgId: string }
let department: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-staff-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  personnel = await person(instance, { grants: { 'org-user': ['list', 'detail', 'import'] }, scope: 'DEPARTMENT' })
  const [own] = await run(instance.app.db.query, `update org set name = '销售一组' where id = $1 returning code`, [
    personnel.orgId,
  ])
  department = String(own?.code)
  await run(
    instance.app.db.query,
    `insert into job_position (name, code) values ('销售顾问', 'SALES'), ('同名', 'X1'), ('同名', 'X2')`,
    [],
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function checked(rows: (string | null)[][]) {
  const file = Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows: [HEAD, ...rows] }] }))
  const { data } = await sendFile(instance, personnel, PATH, file)
  expect(await personnel.post(`${PATH}/${data.id}/check`, { mapping: data.mapping })).toMatchObject({ code: 0 })
  return settled(personnel, PATH, data.id)
}

test('the sample that helps to tell the columns apart shows nobody’s whole number', async () => {
  const row = ['周晓', '销售一组', 'SALES', '女', 'zhou', '138 0013 8111', 'zx@inkstone.example', '1990-01-01']
  const file = Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows: [HEAD, row] }] }))
  const { data } = await sendFile(instance, personnel, PATH, file)
  expect((data as { sample?: string[][] }).sample?.[0]?.slice(5, 7)).toEqual(['138****8111', 'z***@inkstone.example'])
})

test('what is wrong with a row is said of each of its cells, and nobody is taken in', async () => {
  const stranger = await person(instance, { grants: {} })
  await run(instance.app.db.query, `update org set name = '别的部门' where id = $1`, [stranger.orgId])
  const batch = await checked([
    ['王一', '没有的部门', '没有的岗位', '女', 'Bad Account', null, null, null],
    ['王二', '别的部门', '同名', '男', null, '123', 'no mail', '2026-13-01'],
    ['王三', '别的部门', '同名', '男', null, null, null, null],
  ])
  expect(batch).toMatchObject({ goodRows: 0, badRows: 3 })
  const { data } = await personnel.get<{ records: { faults: { column: string; reason: string }[] }[] }>(
    `${PATH}/${batch.id}/rows?kind=bad`,
  )
  const told = data.records.map(({ faults }) => faults.map(({ column, reason }) => [column, reason]))
  const saying = (words: string) => expect.stringContaining(words)
  expect(told).toEqual([
    [
      ['部门', saying('No such department')],
      ['岗位', saying('No such enabled position')],
      ['账号', saying('An account must start with a lower-case letter')],
    ],
    [
      ['电话', saying('Enter the full 11-digit phone number')],
      ['邮箱', saying('Wrong format')],
      ['生日', saying('Enter a date')],
    ],
    [
      ['部门', saying('This department is outside')],
      ['岗位', saying('Several have this name')],
    ],
  ])
})

test('people are taken in with account, department and position, by name or code', async () => {
  const batch = await checked([
    ['周晓', '销售一组', 'SALES', '女', null, '13800138111', 'zx@inkstone.example', '1995-03-08'],
    ['吴明', department, '销售顾问', 'M', 'Wu.Ming', null, null, null],
  ])
  expect(batch).toMatchObject({ goodRows: 2, badRows: 0 })
  expect(await personnel.post(`${PATH}/${batch.id}/run`)).toMatchObject({ code: 0 })
  expect(await settled(personnel, PATH, batch.id)).toMatchObject({ doneRows: 2, failedRows: 0 })
  const { data } = await personnel.get<{ records: Staff[] }>('/organisation/staff?sort=staffNo:asc')
  expect(data.records.map(({ name, account }) => [name, account])).toEqual(
    expect.arrayContaining([
      ['周晓', 'zhouxiao'],
      ['吴明', 'wu.ming'],
    ]),
  )
  const ids = data.records.filter(({ name }) => name === '周晓').map(({ id }) => id)
  expect((await personnel.get<Staff>(`/organisation/staff/${ids[0]}`)).data).toMatchObject({
    orgId: personnel.orgId,
    gender: 'F',
    birthday: '1995-03-08',
    positions: [{ isPrimary: true }],
  })
})
