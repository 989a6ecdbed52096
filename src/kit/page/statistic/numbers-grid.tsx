import { type KeyboardEvent, useState } from 'react'
import type { StatisticAnswer, StatisticRow } from '#kit/model/statistic.ts'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import { formatMeasure } from './measure.ts'
import { NumberLink } from './number-link.tsx'
import { unitOf } from './unit.ts'
import type { Shown } from './use-statistic.ts'

/** Shades of one colour: the number always stands in the cell. */
const SHADES = 6
type Place = readonly [row: number, column: number]

/** One measure by two dimensions, with the sums of both. One tab stop: arrows go from cell to cell, Enter opens the rows behind one. */
export function NumbersGrid({ shown, answer }: { shown: Shown; answer: StatisticAnswer }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const [at, setAt] = useState<Place>([0, 0])
  const { measure } = shown
  const kind = shown.statistic.measures[measure]?.kind ?? 'count'
  const name = say(`measure.${measure}`)
  const columns = [...answer.columns, undefined]
  const rows = [...answer.rows, undefined]
  /** Of a row and a column; without either, of all of them. */
  const valueAt = (row: StatisticRow | undefined, nth: number): number | null => {
    const column = answer.columns[nth]
    const values = row
      ? column
        ? row.cells[nth]
        : row.values[answer.basis]
      : column
        ? column.values
        : answer.totals[answer.basis]?.now
    return values?.[measure] ?? null
  }
  const highest = Math.max(...answer.rows.flatMap(row => row.cells.map(cell => cell[measure] ?? 0)), 0)
  const shadeOf = (value: number | null) =>
    value && highest > 0 ? Math.ceil((Math.max(value, 0) / highest) * SHADES) : 0
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const next = moved(event.key, at, [rows.length - 1, columns.length - 1])
    if (!next) return
    event.preventDefault()
    setAt(next)
    const cell = event.currentTarget.querySelector<HTMLElement>(`[data-place="${next.join()}"]`)
    ;(cell?.querySelector<HTMLElement>('a, button') ?? cell)?.focus()
  }
  return (
    <div className="ink-grid">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells are reached by arrows, as in any grid */}
      <table role="grid" aria-label={kit('grid-how', { measure: name })} onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">{say(`dimension.${answer.dimension}`)}</th>
            {columns.map(column => (
              <th key={column ? `${column.key} ${column.isRest}` : 'total'} scope="col">
                {column?.label ?? kit('total')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, nth) => (
            <tr key={row ? String(row.key) : ' total'} className={row ? '' : 'ink-sum'}>
              <th scope="row">
                <span style={{ paddingInlineStart: (row?.level ?? 0) * 16 }}>{row?.label ?? kit('total')}</span>
              </th>
              {columns.map((column, across) => {
                const value = valueAt(row, across)
                const isHere = at[0] === nth && at[1] === across
                const links = shown.linksTo(answer, measure, row, column)
                return (
                  <td
                    key={column ? `${column.key} ${column.isRest}` : 'total'}
                    className={row && column ? `ink-shade-${shadeOf(value)}` : 'ink-sum'}
                    data-place={[nth, across].join()}
                    // A link in the cell is the stop; a cell without one is itself.
                    tabIndex={links.length > 0 && value !== null ? undefined : isHere ? 0 : -1}
                  >
                    <NumberLink
                      shown={shown}
                      links={links}
                      name={[row?.label, column?.label, name].filter(Boolean).join(', ')}
                      value={formatMeasure(kind, value)}
                      tabIndex={isHere ? 0 : -1}
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="ink-statistic-note">
        {kit('grid-note', { measure: name + (unitOf(kind) && ` (${unitOf(kind)})`) })}
      </p>
    </div>
  )
}

function moved(key: string, [row, column]: Place, [lastRow, lastColumn]: Place): Place | undefined {
  if (key === 'ArrowDown') return [Math.min(lastRow, row + 1), column]
  if (key === 'ArrowUp') return [Math.max(0, row - 1), column]
  if (key === 'ArrowRight') return [row, Math.min(lastColumn, column + 1)]
  if (key === 'ArrowLeft') return [row, Math.max(0, column - 1)]
  return key === 'Home' ? [row, 0] : key === 'End' ? [row, lastColumn] : undefined
}
