import type { StatisticAnswer } from '#kit/model/statistic.ts'
import { useTexts } from '../language.ts'
import { Bars } from './bars.tsx'
import { withUnit } from './cards.tsx'
import { LineChart } from './line-chart.tsx'
import type { locale } from './locale.ts'
import type { Shown } from './use-statistic.ts'

/** At most this many bars: the rest stands in the table. */
const MAX_BARS = 12

/** One measure: over time as a line for each basis, by anything else as bars, the longest first. */
export function Chart({ shown, answer }: { shown: Shown; answer: StatisticAnswer }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const { measure, statistic } = shown
  const kind = statistic.measures[measure]?.kind ?? 'count'
  // The chosen basis first: it has the solid line.
  const bases = [answer.basis, ...Object.keys(statistic.bases).filter(basis => basis !== answer.basis)]
  const isOverTime = statistic.dimensions[answer.dimension] === 'time'
  const name = say(`measure.${measure}` as never)
  const title = isOverTime
    ? kit('chart-time', { measure: name })
    : kit('chart-by', { measure: name, dimension: say(`dimension.${answer.dimension}` as never) })
  const values = (row: StatisticAnswer['rows'][number]) => bases.map(basis => row.values[basis]?.[measure] ?? null)
  const points = answer.rows.map(row => ({
    label: row.label,
    values: values(row),
    path: shown.rowsAt(answer, measure, row),
  }))
  const series = bases.map(basis => say(`base.${basis}` as never))
  const hasBands = Object(statistic.dimensions[answer.dimension]).bands !== undefined
  const sorted = hasBands ? points : [...points].sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0))
  return (
    <section className="ink-chart" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <ul className="ink-legend">
          {series.map((text, index) => (
            <li key={text}>
              <i className={`ink-swatch ink-series-${index + 1}`} aria-hidden />
              {text}
            </li>
          ))}
        </ul>
      </header>
      {isOverTime ? (
        <LineChart
          title={title}
          kind={kind}
          series={series}
          points={points}
          onOpen={shown.open}
          format={value => withUnit(kind, value)}
        />
      ) : (
        <Bars
          points={sorted.slice(0, MAX_BARS)}
          series={series}
          format={value => withUnit(kind, value)}
          link={(path, label, value) => ({ shown, path, name: `${label}, ${name}`, value })}
          more={sorted.length > MAX_BARS ? kit('others-below', { count: sorted.length - MAX_BARS }) : ''}
        />
      )}
    </section>
  )
}
