import type { Actor } from '#kit/model/actor.ts'
import {
  type MeasureKind,
  measuresOf,
  type Statistic,
  type StatisticAnswer,
  type StatisticRow,
  UNITS,
  type Values,
} from '#kit/model/statistic.ts'
import { formatInstant } from '#kit/model/time.ts'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { Row } from '../database/database.ts'
import { exportTitle, harmless, watermarkOf, workbookOf } from '../file/sheet.ts'
import type { Cell, Column } from '../file/workbook.ts'
import { FileAnswer } from '../http/route.ts'

const FORMATS: Readonly<Record<MeasureKind, string>> = {
  count: '#,##0',
  money: '#,##0.00',
  rate: '0.0%',
  hours: '#,##0.0',
}

/** The table as it stands on the page: a row for each label, the sum, and below it what the numbers are of. */
export function statisticSheet(app: App, statistic: Statistic, call: Call, answer: StatisticAnswer): FileAnswer {
  const { language, now } = call
  const { name } = statistic.screen
  const say = (key: string) => app.texts.text(language, name, key)
  const measures = measuresOf(statistic)
  const columns: Column[] = [
    { header: say(`dimension.${answer.dimension}`), width: 26 },
    ...(answer.across === undefined ? [] : [{ header: say(`dimension.${answer.across}`), width: 20 }]),
    ...measures.map(([measure, { kind }]) => ({
      header: `${say(`measure.${measure}`)}${kind === 'money' ? ` (${UNITS.money})` : ''}`,
      width: 16,
      format: FORMATS[kind],
    })),
  ]
  const cells = (labels: readonly string[], values: Values | undefined): Cell[] => [
    ...labels.map(harmless),
    ...measures.map(([measure, { kind }]) => {
      const value = values?.[measure] ?? null
      // Whole fen divided by 100 is the double nearest to the two decimals people read.
      return value === null ? null : kind === 'money' ? value / 100 : value
    }),
  ]
  const total = answer.totals[answer.basis]?.now
  const about = `${answer.from} – ${answer.to} · ${say(`base.${answer.basis}`)} · ${formatInstant(now)}`
  const sum = app.texts.text(language, 'kit', 'sum')
  // Columns become lines, each with all its measures: what a spreadsheet can turn round again.
  const across = (label: string, row?: StatisticRow): Cell[][] =>
    answer.columns.map((column, nth) => cells([label, column.label], row ? row.cells[nth] : column.values))
  const isCrossed = answer.across !== undefined
  const labels = pathsOf(answer.rows)
  const lines = [
    ...answer.rows.flatMap((row, nth) => {
      const label = labels[nth] ?? row.label
      return isCrossed ? across(label, row) : [cells([label], row.values[answer.basis])]
    }),
    ...(isCrossed ? across(sum) : []),
    cells(isCrossed ? [sum, sum] : [sum], total),
    [harmless(about)],
  ]
  const title = say('title')
  const sheet = { title, columns, cells: (row: Row) => row.cells as Cell[] }
  async function* batches() {
    yield lines.map(line => ({ cells: line, labels: {} }))
  }
  const content = workbookOf(sheet, batches(), watermarkOf(app, language, call.actor as Actor, now, call.requestId))
  return new FileAnswer(`${exportTitle(title, now)}.xlsx`, XLSX_TYPE, content)
}

/** A spreadsheet sorts its lines: what stands below others is called by its whole way. */
function pathsOf(rows: readonly StatisticRow[]): string[] {
  const way: string[] = []
  return rows.map(({ label, level = 0 }) => {
    way.splice(level, way.length, label)
    return way.join(' / ')
  })
}
