import type { Readable } from 'node:stream'
import type { Language } from '#kit/model/language.ts'
import { refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { openRows } from '../database/cursor.ts'
import type { Row } from '../database/database.ts'
import { literal } from '../file/sheet.ts'
import { type Cell, writeWorkbook } from '../file/workbook.ts'
import { type Fault, faultsOf } from './batch.ts'
import type { Mapping } from './cells.ts'
import type { Import, RowError } from './definition.ts'
import { texts } from './served.ts'

const WIDTH = 18
const WIDE = 48
/** Of PostgreSQL's int: behind every row. */
const MAX_INT = 2_147_483_647

/** An empty sheet with the heads that are understood. */
export function templateOf(app: App, language: Language, { screen, columns }: Import): Readable {
  const heads = Object.keys(columns).map(field => app.texts.text(language, screen.name, `field.${field}`))
  return writeWorkbook(
    app.texts.text(language, screen.name, 'title'),
    heads.map(header => ({ header, width: WIDTH })),
    [],
  )
}

/**
 * Rows that were not taken, as they stood in the file, with their numbers there, the columns at fault and the reasons, in the
 * same order. Text stays as it is: it goes back to who sent it, to be mended and sent again.
 */
export async function errorWorkbook(
  app: App,
  language: Language,
  definition: Import,
  /** `runTo`: of an import that was broken off, the last row it came to; those behind it were not taken either. */
  batch: {
    readonly id: string
    readonly head: readonly string[]
    readonly mapping: Mapping
    readonly runTo: number | null
  },
): Promise<{ content: Readable; close(): Promise<void> }> {
  const said = (key: string) => app.texts.text(language, texts, key)
  const source = await openRows(app.db)
  const rows = await source.read(
    `select row_no, cells, error from import_row
     where batch_id = $1 and (status in ('BAD', 'FAILED') or (status = 'GOOD' and row_no > $2)) order by row_no`,
    [batch.id, batch.runTo ?? MAX_INT],
  )
  const columns = [
    { header: said('row-number'), width: 8 },
    { header: said('column'), width: WIDTH },
    { header: said('reason'), width: WIDE },
    ...batch.head.map(header => ({ header: literal(header), width: WIDTH })),
  ]
  const faults = faultsOf(app, language, definition, batch)
  const faultsIn = ({ error }: Row): Fault[] =>
    faults((error as RowError[] | null) ?? [refuse('kit/server/import:not-run')])
  async function* lines(): AsyncGenerator<Cell[]> {
    for await (const found of rows)
      for (const row of found) yield [Number(row.row_no), ...cellsOfFaults(faultsIn(row)), ...cellsOf(row)]
  }
  return { content: writeWorkbook(said('error-sheet'), columns, lines()), close: source.close }
}

/** Among several, one that is about the row has a sign in place of its column, so that both stay in the same order. */
const cellsOfFaults = (faults: readonly Fault[]): string[] => [
  literal(faults.map(({ column }) => column ?? (faults.length > 1 ? OF_THE_ROW : '')).join(BETWEEN)),
  literal(faults.map(({ reason }) => reason).join(BETWEEN)),
]
const [BETWEEN, OF_THE_ROW] = ['; ', '–']

const cellsOf = ({ cells }: Row): string[] => (cells as string[]).map(literal)
