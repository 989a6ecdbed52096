import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLOURS } from '#engines/copybook/look.model.ts'
import { leadGivenUp } from '#engines/lead/ending.server.ts'
import { forgetLeads } from '#engines/lead/known.server.ts'
import { giveLeads } from '#engines/lead/owning.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { sendFile, settled } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { download } from '../../../../tools/testing/sheet.ts'
import { readVectors } from '../../../../tools/testing/vectors.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { NameSheet } from './fields.model.ts'

const PAGE = 'sale-nameCopyNoQr'
const PATH = '/sales/name-copy-plain'
const ALL = ['list', 'detail', 'make', 'print', 'import', 'undoImport']

let instance: TestInstance
let folder: string
let seller: Caller & { orgId: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-name-sheets-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  seller = await person(instance, { grants: { [PAGE]: ALL }, scope: 'SELF' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

const entered = (more: object = {}) => ({
  name: '林小满',
  leadPhone: null,
  age: 'MIDDLE',
  grid: 'TIAN',
  lines: 1,
  ...more,
})

let counter = PHONES.test + 2_000_000
/** A lead in somebody's hands. */
async function lead(owner: { id: string; orgId: string }): Promise<{ id: string; phone: string }> {
  counter += 1
  const phone = phoneAt(counter)
  const came = { name: null, source: 'SCHOOL', channel: 'SCHOOL', consent: 'SCHOOL', cameBy: 'IMPORT' } as const
  const [arrived] = await instance.app.db.write(tx =>
    arrive(changeOf(tx), [{ ...came, phone, key: `test:${phone}`, owner }]),
  )
  if (arrived?.result !== 'NEW') throw new Error('the number is known')
  return { id: arrived.leadId, phone }
}

const changeOf = (tx: Tx) => ownChange(instance.app, tx, instance.clock.now(), 'test')

const make = (by: Caller, more: object = {}) => by.post<{ id: string }>(`${PATH}/make`, entered(more))
const stored = (id: string) =>
  instance.app.db.query.selectFrom('name_copybook').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const logged = async (id: string) =>
  (
    await instance.app.db.query
      .selectFrom('operation_log')
      .select('action')
      .where('page', '=', PAGE)
      .where('record_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('a sheet', () => {
  test('is looked at while it is typed, and nothing is kept of that', async () => {
    const before = await seller.get<{ total: number }>(PATH)
    const answer = await seller.post<{ pages: string[] }>(`${PATH}/preview`, entered())
    expect(answer).toMatchObject({ code: 0 })
    expect(answer.data.pages).toHaveLength(1)
    expect(answer.data.pages[0]).toMatch(/^<svg /)
    expect((await seller.get<{ total: number }>(PATH)).data.total).toBe(before.data.total)
  })

  test('that is made stands in the log, with who made it for which lead, and its PDF carries the name', async () => {
    const { id: leadId, phone } = await lead(seller)
    const { data } = await make(seller, { leadPhone: phone, name: ' 林 小满' })
    expect(await stored(data.id)).toMatchObject({
      name: '林小满',
      lead_id: leadId,
      made_by: seller.id,
      variant: 'PLAIN',
    })
    expect((await seller.get(`${PATH}/${data.id}`)).data).toMatchObject({ leadId, labels: { leadId: { id: leadId } } })
    const pdf = await instance.http.inject({
      method: 'POST',
      url: `/api${PATH}/${data.id}/pdf`,
      headers: { authtoken: seller.token },
      payload: {},
    })
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(decodeURIComponent(String(pdf.headers.filename))).toBe('林小满的姓名字帖.pdf')
    const [page] = readVectors(pdf.rawPayload)
    expect(page?.filled.filter(({ colour }) => colour === COLOURS.model)).toHaveLength(3 + 3)
    expect(await logged(data.id)).toEqual(['make', 'print'])
    const again = await instance.http.inject({
      method: 'POST',
      url: `/api${PATH}/${data.id}/pdf`,
      headers: { authtoken: seller.token },
      payload: {},
    })
    expect(again.rawPayload.equals(pdf.rawPayload)).toBe(true)
  })

  test('comes as a picture too', async () => {
    const { data } = await make(seller)
    const { headers } = await seller.post(`${PATH}/${data.id}/picture`, {})
    expect(headers['content-type']).toBe('image/png')
  })

  test('of a name nobody can draw is refused at its field, in the language of whoever asks', async () => {
    const refused = await make(seller, { name: '李𪚥' })
    expect(refused).toMatchObject({ code: 4005, data: { fields: { name: expect.stringContaining('𪚥') } } })
    expect(await make(seller, { name: 'Tom' })).toMatchObject({ code: 4005 })
    expect(await make(seller, { name: null })).toMatchObject({ code: 4005 })
    expect(await seller.post(`${PATH}/preview`, entered({ name: '' }))).toMatchObject({ status: 422 })
  })

  test('is made for leads in one’s own hands only, and of others nothing is told', async () => {
    const other = await person(instance, { grants: { [PAGE]: ALL }, scope: 'SELF' })
    const { phone } = await lead(other)
    const answers = [
      await make(seller, { leadPhone: phone }),
      await make(seller, { leadPhone: phoneAt(counter + 999) }),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({
        code: 4005,
        data: { fields: { leadPhone: 'None of the leads you can see has this phone number' } },
      })
  })

  test('is found by the number of the lead it was made for, with all others made for that lead', async () => {
    const { id: leadId, phone } = await lead(seller)
    const made = [await make(seller, { leadPhone: phone }), await make(seller, { leadPhone: phone, name: '林小雨' })]
    await make(seller)
    const { data: by } = await seller.post<{ field: string; ids: string[] }>(`${PATH}/find-by-phone`, { phone })
    expect(by).toEqual({ field: 'leadId', ids: [leadId] })
    const { data: found } = await seller.get<{ records: NameSheet[] }>(`${PATH}?leadId=${leadId}`)
    expect(found.records.map(({ id }) => id).sort()).toEqual(made.map(({ data }) => data.id).sort())
  })

  test('is made for no number that is guessed: what is wrong counts as a search, and is logged with the searches', async () => {
    const guesser = await person(instance, { grants: { [PAGE]: ALL }, scope: 'SELF' })
    const { phone } = await lead(guesser)
    const guess = (at: number) => make(guesser, { leadPhone: phoneAt(PHONES.test + 2_500_000 + at) })
    // What is right counts for nothing, however often.
    for (const name of ['林小满', '林大满'])
      expect(await make(guesser, { leadPhone: phone, name })).toMatchObject({ code: 0 })
    for (let at = 0; at < 30; at += 1) expect(await guess(at)).toMatchObject({ code: 4005 })
    expect(await guess(30)).toMatchObject({ status: 429 })
    expect(await make(guesser, { leadPhone: phone, name: '林中满' })).toMatchObject({ status: 429 })
    const lines = instance.app.db.query
      .selectFrom('operation_log')
      .select('id')
      .where('actor_id', '=', guesser.id)
      .where('action', '=', 'find-by-phone')
    expect(await lines.execute()).toHaveLength(30)
    expect(await make(guesser)).toMatchObject({ code: 0 })
  })

  test('goes into other hands with its lead, and forgets whom it was for when the lead is forgotten', async () => {
    const { id: leadId, phone } = await lead(seller)
    const { data } = await make(seller, { leadPhone: phone })
    const other = await person(instance, { grants: { [PAGE]: ALL, 'member-list': ['list', 'own'] }, scope: 'SELF' })
    await instance.app.db.write(tx =>
      giveLeads(changeOf(tx), [leadId], { id: other.id, orgId: other.orgId }, 'ASSIGNED'),
    )
    expect(await stored(data.id)).toMatchObject({ owner_id: other.id, org_id: other.orgId, made_by: seller.id })
    expect(await seller.get(`${PATH}/${data.id}`)).toMatchObject({ status: 404 })
    await instance.app.db.write(async tx => {
      await leadGivenUp(changeOf(tx), leadId, 'INVALID')
      await forgetLeads(changeOf(tx), [leadId])
    })
    expect(await stored(data.id)).toMatchObject({ name: null, lead_phone: null, made_by: seller.id })
    expect(await other.post(`${PATH}/${data.id}/pdf`, {})).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('cannot be made again'),
    })
  })

  test('is made by nobody without the right to, and taken by nobody without the right to print', async () => {
    const reader = await person(instance, { grants: { [PAGE]: ['list', 'detail'] } })
    expect(await make(reader)).toMatchObject({ status: 403 })
    const { data } = await make(seller)
    expect(await reader.post(`${PATH}/${data.id}/pdf`, {})).toMatchObject({ status: 403 })
    const stranger = await person(instance, { grants: { [PAGE]: ALL }, scope: 'SELF' })
    expect(await stranger.post(`${PATH}/${data.id}/pdf`, {})).toMatchObject({ status: 404 })
  })
})

describe('a sheet with a code', () => {
  const LINK = 'https://go.inkstone.example/t/consultant'
  const PAGES = ['sale-nameCopy', 'sale-nameCopyV2', 'sale-nameCopyGz']
  let consultant: Caller
  let colleague: Caller
  beforeAll(async () => {
    const grants = Object.fromEntries(PAGES.map(page => [page, ALL]))
    consultant = await person(instance, { grants, scope: 'SELF' })
    colleague = await person(instance, { grants, scope: 'SELF' })
  })
  const made = (by: Caller, screen: string, more: object) =>
    by.post<{ id: string }>(`/sales/${screen}/make`, entered(more))
  const usual = async (by: Caller, screen: string) =>
    (await by.get<{ link: string | null }>(`/sales/${screen}/usual`)).data.link

  test('is refused without a link or with one no telephone opens', async () => {
    for (const link of [null, 'http://x.example', 'javascript:alert(1)'])
      expect(await made(consultant, 'name-copy', { link })).toMatchObject({
        code: 4005,
        data: { fields: { link: 'Enter a link that begins with https://' } },
      })
  })

  test('remembers a consultant’s own link on both screens, and the account’s for everybody', async () => {
    expect(await usual(consultant, 'name-copy')).toBeNull()
    expect(await made(consultant, 'name-copy', { link: LINK })).toMatchObject({ code: 0 })
    expect(await usual(consultant, 'name-copy')).toBe(LINK)
    expect(await usual(consultant, 'name-copy-v2')).toBe(LINK)
    expect(await usual(colleague, 'name-copy')).toBeNull()
    await made(consultant, 'name-copy-gz', { link: 'https://go.inkstone.example/account' })
    expect(await usual(colleague, 'name-copy-gz')).toBe('https://go.inkstone.example/account')
  })

  test('stands on its own screen alone, and carries a verse where one is asked for', async () => {
    expect(await made(consultant, 'name-copy-v2', { link: LINK, verse: '' })).toMatchObject({
      data: { fields: { verse: 'Enter a poem or a blessing' } },
    })
    const { data } = await made(consultant, 'name-copy-v2', { link: LINK, verse: '平安喜乐，\n万事如意。' })
    expect(await consultant.get(`/sales/name-copy-v2/${data.id}`)).toMatchObject({ code: 0 })
    expect(await consultant.get(`/sales/name-copy/${data.id}`)).toMatchObject({ status: 404 })
    const pdf = await instance.http.inject({
      method: 'POST',
      url: `/api/sales/name-copy-v2/${data.id}/pdf`,
      headers: { authtoken: consultant.token },
      payload: {},
    })
    const [page] = readVectors(pdf.rawPayload)
    expect(page?.boxes.length).toBeGreaterThan(100)
    expect(page?.filled.filter(({ colour }) => colour === COLOURS.traced[0]).length).toBeGreaterThanOrEqual(10)
  })

  test('of a list of names needs a link that was used before', async () => {
    const file = Buffer.from('姓名\n王小明')
    const path = '/sales/name-copy/import'
    const { data } = await sendFile(instance, colleague, path, file, 'class.csv')
    await colleague.post(`${path}/${data.id}/check`, { mapping: data.mapping })
    expect(await settled(colleague, path, data.id, 600_000)).toMatchObject({ goodRows: 0, badRows: 1 })
  })
})

describe('a list of names', () => {
  const HEAD = ['姓名', '线索手机号', '适用年龄', '格子', '每字行数']
  async function checked(rows: readonly (readonly string[])[], title: string, by: Caller = seller) {
    const file = Buffer.from([HEAD, ...rows].map(cells => cells.join(',')).join('\n'))
    const { data } = await sendFile(instance, by, `${PATH}/import`, file, title)
    await by.post(`${PATH}/import/${data.id}/check`, { mapping: data.mapping })
    return settled(by, `${PATH}/import`, data.id, 600_000)
  }
  async function imported(rows: readonly (readonly string[])[], title: string) {
    const { id } = await checked(rows, title)
    await seller.post(`${PATH}/import/${id}/run`)
    return settled(seller, `${PATH}/import`, id, 600_000)
  }
  const ended = async (id: string) => {
    for (;;) {
      const { data } = await seller.get<{ state: string; doneRows: number; allRows: number }>(`/common/task/${id}`)
      if (!['WAITING', 'RUNNING'].includes(data.state)) return data
      await delay(50)
    }
  }

  test('makes a sheet of each that can be drawn, names those that cannot, and is packed as one file by a task', async () => {
    const rows = [
      ['欧阳娜娜', '', '学龄前（20 毫米）', '米字格', '2'],
      ['阿依古丽·买买提', '', '', '', ''],
      ['李', '', '', '', ''],
      ['李', '', '', '', ''],
      ['李𪚥', '', '', '', ''],
    ]
    const batch = await imported(rows, 'class.csv')
    expect(batch).toMatchObject({ doneRows: 4, badRows: 1 })
    const { data } = await seller.get<{ records: NameSheet[]; total: number }>(`${PATH}?batch=class`)
    expect(data.records.map(({ age, grid, lines }) => [age, grid, lines]).toReversed()[0]).toEqual([
      'PRESCHOOL',
      'MI',
      2,
    ])
    const { data: asked } = await seller.get<{ taskId: string }>(`${PATH}/pack?batch=class`)
    expect(await ended(asked.taskId)).toMatchObject({ state: 'DONE', doneRows: 4, allRows: 4 })
    const { bytes, headers } = await download(instance, seller, `/common/task/${asked.taskId}/download`)
    expect(headers['content-type']).toBe('application/zip')
    expect(bytes.readUInt16LE(bytes.length - 12)).toBe(4)
    expect(bytes.includes(Buffer.from('李的姓名字帖 (2).pdf'))).toBe(true)
    for (const { id } of data.records) expect(await logged(id)).toEqual(['make', 'print'])
  })

  test('finds no number out: beyond some a day that no lead in sight has, those that one has are not told from the others', async () => {
    const guesser = await person(instance, { grants: { [PAGE]: ALL }, scope: 'SELF' })
    const [few, many] = [await lead(guesser), await lead(guesser)]
    const row = (phone: string) => ['王小明', phone, '', '', '']
    const guesses = (count: number) =>
      Array.from({ length: count }, (_, at) => row(phoneAt(PHONES.test + 2_600_000 + at)))
    expect(await checked([...guesses(3), row(few.phone)], 'few.csv', guesser)).toMatchObject({
      goodRows: 1,
      badRows: 3,
    })
    const asked = await checked([...guesses(201), row(many.phone)], 'many.csv', guesser)
    expect(asked).toMatchObject({ goodRows: 0, badRows: 202 })
    // Nor by what is left of the day.
    expect(await checked([row(many.phone)], 'one.csv', guesser)).toMatchObject({ goodRows: 0, badRows: 1 })
    expect(await checked([row('')], 'none.csv', guesser)).toMatchObject({ goodRows: 1 })
    // Each list that asked for numbers stands in the log, as those do that are looked up one by one.
    const lines = await instance.app.db.query
      .selectFrom('operation_log')
      .select(['action', 'diff', 'code'])
      .where('actor_id', '=', guesser.id)
      .where('page', '=', PAGE)
      .orderBy('id')
      .execute()
    const told = (rows: number, code: number) => ({ action: 'find-by-phone', diff: { rows: [null, rows] }, code })
    expect(lines).toEqual([told(4, 0), told(202, 4005), told(1, 4005)])
  })

  test('taken back leaves no sheet of it', async () => {
    const { id } = await imported([['王小明', '', '', '', '']], 'undone.csv')
    await seller.post(`${PATH}/import/${id}/undo`)
    await settled(seller, `${PATH}/import`, id, 600_000)
    expect((await seller.get<{ total: number }>(`${PATH}?batch=undone`)).data.total).toBe(0)
  })

  test('is not packed when nothing matches', async () => {
    expect(await seller.get(`${PATH}/pack?batch=nothing-here`)).toMatchObject({ code: 4006 })
  })
})
