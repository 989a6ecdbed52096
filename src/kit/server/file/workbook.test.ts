import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { unzip } from '../../../../tools/ledger.ts'
import { IS_LONG } from '../../../../tools/testing/long.ts'
import { type Cell, type Column, writeWorkbook } from './workbook.ts'

const COLUMNS: Column[] = [
  { header: 'Name', width: 18 },
  { header: 'Amount', width: 14, format: '#,##0.00' },
]
const written = (title: string, lines: Iterable<Cell[]>, columns = COLUMNS) =>
  buffer(writeWorkbook(title, columns, lines))
async function read(title: string, lines: Iterable<Cell[]>, columns = COLUMNS) {
  const { sheets } = await readXlsx(await written(title, lines, columns))
  return sheets
}

describe('a workbook', () => {
  test('reads back as it was written: signs of markup, spaces, line ends, emoji, what cannot be printed', async () => {
    const texts = ['a<b> & "c"', '  two\nlines\tand\rmore ', '😀 林小满', '\u0007bell \ud800 half', '_x0041_']
    const [sheet] = await read(
      'Sheet',
      texts.map((text, at) => [text, at / 100]),
    )
    expect(sheet?.rows.slice(1)).toEqual(texts.map((text, at) => [text === '_x0041_' ? 'A' : text, at / 100]))
  })

  test('cuts what is longer than a cell, where spreadsheets would call the file damaged, and says that there was more', async () => {
    const texts = ['x'.repeat(32_767), 'x'.repeat(32_768), `${'x'.repeat(32_765)}😀😀`]
    const [sheet] = await read(
      'Sheet',
      texts.map(text => [text]),
    )
    const found = sheet?.rows.slice(1).map(([cell]) => String(cell))
    expect(found?.map(text => [text.length, text.slice(-2)])).toEqual([
      [32_767, 'xx'],
      [32_767, 'x…'],
      [32_766, 'x…'],
    ])
  })

  test('has its heads above, nothing where there is nothing, and columns beyond Z', async () => {
    const columns = Array.from({ length: 30 }, (_, at) => ({ header: `H${at}`, width: 10 }))
    const [sheet] = await read('Sheet', [[null, 'b', null, ...Array(26).fill(null), 'AD']], columns)
    expect(sheet?.rows[0]).toEqual(columns.map(({ header }) => header))
    expect(sheet?.rows[1]?.[1]).toBe('b')
    expect(sheet?.rows[1]?.[29]).toBe('AD')
    expect(sheet?.rows[1]?.filter(cell => cell !== null && cell !== undefined)).toHaveLength(2)
  })

  test('keeps its heads in sight and shows a number in the format of its column', async () => {
    const parts = unzip(await written('Sheet', [['a', 1234.5]]))
    expect(parts.find(part => part.includes('<sheetData>'))).toContain('<pane ySplit="1" topLeftCell="A2"')
    expect(parts.find(part => part.includes('<sheetData>'))).toContain('<c r="B2" s="1"><v>1234.5</v></c>')
    expect(parts.find(part => part.includes('<numFmts'))).toContain('numFmtId="164" formatCode="#,##0.00"')
  })

  test('has a name that spreadsheets take, whatever the list is called', async () => {
    expect((await read("it's [a] very:long/title*of?a\\sheet that never ends", []))[0]?.name).toBe(
      'it s  a  very long title of a s',
    )
    expect((await read('???', []))[0]?.name).toBe('Export')
  })

  test('lets go of what it reads from when nobody takes it any more', async () => {
    let isClosed = false
    async function* lines(): AsyncGenerator<Cell[]> {
      try {
        for (;;) yield ['x'.repeat(1_000), 1]
      } finally {
        isClosed = true
      }
    }
    for await (const _ of writeWorkbook('Sheet', COLUMNS, lines())) break
    await expect.poll(() => isClosed).toBe(true)
  })

  test('that cannot be read to its end says why', async () => {
    async function* lines(): AsyncGenerator<Cell[]> {
      yield ['a', 1]
      throw new Error('the cursor was closed')
    }
    await expect(buffer(writeWorkbook('Sheet', COLUMNS, lines()))).rejects.toThrow('the cursor was closed')
  })

  test.runIf(IS_LONG)('goes on in another sheet when one is full', async () => {
    function* lines(): Generator<Cell[]> {
      for (let row = 1; row <= 1_048_577; row += 1) yield [null, row]
    }
    const parts = unzip(await written('Sheet', lines()))
    const second = parts.filter(part => part.includes('<sheetData>'))[1]
    expect(second).toMatch(/<t xml:space="preserve">Amount<\/t>.*<v>1048576<\/v>.*<v>1048577<\/v>/)
    expect(parts.find(part => part.includes('<sheets>'))).toContain('name="Sheet_2" sheetId="2" r:id="rId2"')
  })
})
