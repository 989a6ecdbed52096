import { writeXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, test } from 'vitest'
import { type FileNumbers, MAX_FILE_ROWS } from '#engines/audience/model.ts'
import { sendFile } from '../../../../tools/testing/import.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'

const PATH = '/members/campaign/numbers-file'

let instance: TestInstance
let author: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  author = await person(instance, { grants: { 'member-message': ['list', 'create'] } })
})

const send = async (bytes: Buffer, name = 'numbers.csv', by = author) =>
  (await sendFile(instance, by, PATH, bytes, name)) as unknown as {
    status: number
    code: number
    msg: string
    data: FileNumbers & { fields?: Record<string, string> }
  }
const lines = (...rows: readonly string[]) => Buffer.from(rows.join('\n'))
const [first, second] = [phoneAt(PHONES.test + 71_001), phoneAt(PHONES.test + 71_002)]

describe('a file of numbers for an audience', () => {
  test('is read as a workbook or as CSV in the encodings spreadsheets write, and each refused row is named', async () => {
    const rows = [
      ['手机号', '姓名'],
      [first, '林'],
      ['12345', '王'],
      [second, '陈'],
      [first, '李'],
    ]
    const found = {
      phones: [first, second],
      refused: [
        { no: 3, why: 'INVALID', first: null },
        { no: 5, why: 'REPEATED', first: 2 },
      ],
    }
    const xlsx = Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows }] }))
    expect((await send(xlsx, 'numbers.xlsx')).data).toEqual(found)
    expect((await send(lines(...rows.map(cells => cells.join(','))))).data).toEqual(found)
    // 姓 in the encoding a Chinese spreadsheet saves by.
    const gb = Buffer.concat([Buffer.from([0xd0, 0xd5]), Buffer.from(`\n${first}\n`)])
    expect((await send(gb)).data).toEqual({ phones: [first], refused: [] })
  })

  test('that is longer than one audience is refused whole and says how much may be in it; as long, it is read to its end', async () => {
    const all = Array.from({ length: MAX_FILE_ROWS }, (_, nth) => phoneAt(PHONES.test + 2_000_000 + nth))
    const whole = await send(lines('手机号', ...all))
    expect([whole.data.phones.length, whole.data.phones.at(-1)]).toEqual([MAX_FILE_ROWS, all.at(-1)])
    const longer = await send(lines('手机号', ...all, first))
    expect(longer.code).not.toBe(0)
    expect(longer.data.fields?.file).toContain('more than 20000 rows')
  })

  test('is read for nobody who may not write a campaign, and a picture is no file of numbers', async () => {
    const reader = await person(instance, { grants: { 'member-message': ['list'] } })
    expect((await send(lines(first), 'numbers.csv', reader)).status).toBe(403)
    expect((await send(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'numbers.png')).code).not.toBe(0)
  })
})
