import { beforeAll, describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { LANGUAGES } from '#kit/model/language.ts'
import type { Resource } from '#kit/model/resource.ts'
import { type Diff, record } from '#kit/server/change/audit.ts'
import { sheetOf } from '#kit/server/file/sheet.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { type LogRow, resource } from './model.ts'
import { inWords } from './words.server.ts'

const PATH = '/system/operation-log'
const NOW = new Date('2026-11-16T04:00:00Z')

type Page = { records: LogRow[]; total: number }

describe('the operation log', () => {
  let instance: TestInstance
  let auditor: Caller
  let clerk: Caller
  let dictionary: string
  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
    auditor = await person(instance, { grants: { 'operation-log': ['list', 'detail', 'export'] } })
    clerk = await person(instance, { grants: { dictionary: ['list', 'create', 'update'] } })
    const { data } = await clerk.post<{ id: string }>('/system/dictionary', {
      ...{ name: '货架', code: 'SHELF', note: '', items: [] },
    })
    dictionary = data.id
  })

  const write = (page: string, action: string, more: object = {}, at = NOW) =>
    record(
      instance.app.db.query,
      { actor: null, now: at, address: '10.0.0.9', requestId: 'test' },
      { page, action, ...more },
    )
  const list = async (search = '', language = 'en-US') =>
    (await auditor.get<Page>(`${PATH}?${search}`, { 'accept-language': language })).data.records
  const words = ({ labels }: LogRow) => [labels.page?.name, labels.action?.name, labels.recordId?.name]
  const read = async (id: string, language = 'en-US') =>
    (await auditor.get<LogRow>(`${PATH}/${id}`, { 'accept-language': language })).data

  test('says in the words of whoever reads it who did what to which record', async () => {
    const [line] = await list(`actorId=${clerk.id}&kind=CREATE`)
    expect(line && words(line)).toEqual(['Dictionary', 'Create', `#${dictionary}`])
    expect(line).toMatchObject({ actorId: clerk.id, recordId: dictionary, result: 'DONE' })
    const [same] = await list(`actorId=${clerk.id}&kind=CREATE`, 'zh-CN')
    expect(same && words(same).slice(0, 2)).toEqual(['数据字典', '新建'])
  })

  test('names the console where nobody did it', async () => {
    const id = await write('member-list', 'freeze')
    expect((await read(id)).labels.actorId?.name).toBe('System')
  })

  test('shows what changed by the names and words of the page, and nothing personal', async () => {
    const diff: Diff = {
      status: ['ACTIVE', 'FROZEN'],
      phone: ['13800138000', null],
      ownerId: [null, clerk.id],
      name: null as never,
    }
    const { changes } = await read(await write('member-list', 'freeze', { recordId: '5', diff, reason: '家长要求' }))
    expect(changes.map(({ id, before, after }) => [id, before, after])).toEqual([
      ['name', 'Erased', 'Erased'],
      ['phone', '138****8000', null],
      ['status', expect.any(String), expect.any(String)],
      ['ownerId', null, expect.any(String)],
    ])
    expect(changes.map(({ name }) => name)).not.toContain('status')
    expect(JSON.stringify(changes)).not.toMatch(/13800138000|FROZEN/)
  })

  test('shows money as people write it', async () => {
    const diff: Diff = { amountFen: [10_000, 9_950] }
    const { changes } = await read(await write('order-refundApply', 'approve', { recordId: '5', diff }))
    expect(changes[0]).toMatchObject({ before: '¥100.00', after: '¥99.50' })
  })

  test('says in words why something was refused', async () => {
    const refused = await clerk.get('/orders/order')
    expect(refused.code).toBe(CODES.permission)
    const [line] = await list('result=REFUSED')
    expect(line).toMatchObject({ actorId: clerk.id, page: 'order-list', action: 'list' })
    expect((await read(line?.id ?? '', 'pt-BR')).why).toBe('Sem permissão para esta ação')
  })

  test('is found by days, by person, by what kind of thing was done and by what came of it', async () => {
    const old = await write('member-list', 'reveal', { recordId: '9' }, new Date('2026-10-01T04:00:00Z'))
    const ids = async (search: string) => (await list(search)).map(({ id }) => id)
    expect(await ids('atBegin=2026-10-01&atEnd=2026-10-01')).toEqual([old])
    expect(await ids('atBegin=2026-10-02')).not.toContain(old)
    expect(await ids('kind=REVEAL')).toEqual([old])
    expect(await ids('page=member-list&recordId=9')).toEqual([old])
    expect(await ids('page=member-list&recordId=99')).toEqual([])
    expect((await list(`actorId=${clerk.id}&result=DONE`)).every(({ actorId }) => actorId === clerk.id)).toBe(true)
  })

  test('is found by the page it was done on, and not by one whose name only begins so', async () => {
    const id = await write('order', 'update', { recordId: '3' })
    const pages = async (search: string) => new Set((await list(search)).map(({ page }) => page))
    expect((await list('page=order')).map(line => line.id)).toEqual([id])
    expect(await pages('page=order&page=dictionary')).toEqual(new Set(['order', 'dictionary']))
  })

  test('is found by the number of the record, by its beginning too, and once the record is gone', async () => {
    const diff: Diff = { refundNo: ['R2026111500042', null] }
    const id = await write('order-refundApply', 'delete', { recordId: '999999', diff })
    for (const typed of ['R2026111500042', 'R20261115'])
      expect((await list(`query=${typed}`)).map(line => line.id)).toEqual([id])
  })

  test('is exported in words', async () => {
    const [row] = await list(`actorId=${clerk.id}&kind=CREATE`)
    const sheet = await sheetOf(instance.app, resource as unknown as Resource, 'zh-CN')
    const cells = sheet.cells(row as never)
    expect(cells).toEqual(expect.arrayContaining(['数据字典', '新建', '成功']))
  })

  test('opens for nobody else, and cannot be written', async () => {
    expect((await clerk.get(PATH)).code).toBe(CODES.permission)
    expect((await auditor.post(PATH, {})).status).toBe(404)
    expect((await auditor.remove(`${PATH}/1`)).status).toBe(404)
  })

  test.each(LANGUAGES)('has a word in %s for every page and every action there is', language => {
    const { catalogue } = instance.app
    const done = [...catalogue.pages].flatMap(([page, actions]) => actions.map(action => ({ page, action })))
    const kit = ['find-by-phone', 'takeBack', 'undoImport', 'shareView', 'takeOver', 'editFollowUp'].map(action => ({
      page: 'member-list',
      action,
    }))
    const other = [
      { page: 'file', action: 'upload' },
      { page: 'task', action: 'download' },
      { page: 'account/settings-password', action: 'update' },
    ]
    const wordless = [...done, ...kit, ...other].filter(line => {
      const said = inWords(instance.app, { ...line, recordId: null, actorId: null, actorName: '' } as never, language)
      return said.page === line.page || said.action === line.action
    })
    expect(wordless).toEqual([])
  })
})
