import { createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { type Cell, writeWorkbook } from '#kit/server/file/workbook.ts'
import { answerQuestions } from './companion.ts'
import type { Statement } from './statements.ts'

export type Writer = 'workbook' | 'exceljs'
export type BareExport = {
  readonly url: string
  readonly statement: Statement
  /** Fields in the order of the sheet; a reference is written as the name it is joined with. */
  readonly fields: readonly string[]
  readonly writer: Writer
  readonly file: string
}
export type BareExported = { readonly rows: number; readonly seconds: number }

const BATCH = 500
type Row = Readonly<Record<string, unknown>>

answerQuestions(async ({ url, statement, fields, writer, file }: BareExport): Promise<BareExported> => {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  await client.connect()
  const begun = performance.now()
  let count = 0
  async function* cells(): AsyncGenerator<Cell[]> {
    const cursor = client.query(new Cursor<Row>(statement.text, statement.values as unknown[]))
    for (let rows = await cursor.read(BATCH); rows.length > 0; rows = await cursor.read(BATCH)) {
      count += rows.length
      for (const row of rows) yield fields.map(field => cellOf(row[`${field}:name`] ?? row[field]))
    }
  }
  await (writer === 'workbook' ? writeByOurs : writeByExceljs)(cells(), fields, file)
  await client.end()
  return { rows: count, seconds: (performance.now() - begun) / 1_000 }
})

const cellOf = (value: unknown): Cell =>
  typeof value === 'number' || typeof value === 'string' ? value : value == null ? null : String(value)

async function writeByOurs(cells: AsyncGenerator<Cell[]>, fields: readonly string[], file: string): Promise<void> {
  const columns = fields.map(header => ({ header, width: 18 }))
  await pipeline(writeWorkbook('Export', columns, cells), createWriteStream(file))
}

/** The part of exceljs that is used; the package itself is not one of ours. */
type Exceljs = {
  readonly stream: {
    readonly xlsx: {
      readonly WorkbookWriter: new (options: {
        filename: string
      }) => {
        addWorksheet(name: string): { addRow(cells: readonly unknown[]): { commit(): void }; commit(): void }
        commit(): Promise<void>
      }
    }
  }
}

async function writeByExceljs(cells: AsyncGenerator<Cell[]>, fields: readonly string[], file: string): Promise<void> {
  const { stream } = createRequire(import.meta.url)('exceljs') as Exceljs
  const workbook = new stream.xlsx.WorkbookWriter({ filename: file })
  const sheet = workbook.addWorksheet('Export')
  sheet.addRow(fields).commit()
  for await (const row of cells) sheet.addRow(row).commit()
  sheet.commit()
  await workbook.commit()
}
