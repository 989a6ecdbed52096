import { type StatisticAnswer, treeOf } from '#kit/model/statistic.ts'
import { dayOf } from '#kit/model/time.ts'
import { useTexts } from '../language.ts'
import { Bars } from './bars.tsx'
import { withUnit } from './cards.tsx'
import type { locale } from './locale.ts'
import { TimeChart } from './time-chart.tsx'
import { inSentence, type Shown } from './use-statistic.ts'

/** At most this many bars: the rest stands in the table. */
const MAX_BARS = 12

/** One measure: over time as a line for each basis, or as columns of the parts the table has across; by anything else as bars, the longest first, or as a tree stands. */
export function Chart({ shown, answer }: { shown: Shown; answer: StatisticAnswer }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const { measure, statistic } = shown
  const kind = statistic.measures[measure]?.kind ?? 'count'
  // The chosen basis first: it has the solid line.
  const bases = [answer.basis, ...Object.keys(statistic.bases).filter(basis => basis !== answer.basis)]
  const isOverTime = statistic.dimensions[answer.dimension] === 'time'
  const name = say(`measure.${measure}`)
  const title = isOverTime
    ? kit('chart-time', { measure: name })
    : kit('chart-by', { measure: name, dimension: inSentence(say(`dimension.${answer.dimension}`)) })
  const isCrossed = isOverTime && answer.columns.length > 0
  const values = (row: StatisticAnswer['rows'][number]) =>
    isCrossed ? row.cells.map(cell => cell[measure] ?? null) : bases.map(basis => row.values[basis]?.[measure] ?? null)
  const points = answer.rows.map(row => ({
    label: row.label,
    level: row.level,
    values: values(row),
    links: shown.linksTo(answer, measure, row),
    isOpen: isOverTime && row.to >= dayOf(new Date(answer.asOf)),
  }))
  const series = isCrossed ? answer.columns.map(({ label }) => label) : bases.map(basis => say(`base.${basis}`))
  // Parts of a whole add up and are not less than nothing.
  const isStacked =
    isCrossed &&
    (kind === 'count' || kind === 'money') &&
    points.every(point => point.values.every(each => (each ?? 0) >= 0))
  // Bands and trees have an order of their own.
  const hasOrder =
    Object(statistic.dimensions[answer.dimension]).bands !== undefined ||
    treeOf(statistic, answer.dimension) !== undefined
  const sorted = hasOrder ? points : [...points].sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0))
  return (
    <section className="ink-chart" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <ul className="ink-legend">
          {series.map((text, index) => (
            <li key={text}>
              <i className={`ink-swatch ink-series-${index + 1}${isStacked ? ' ink-solid' : ''}`} aria-hidden />
              {text}
            </li>
          ))}
        </ul>
      </header>
      {isOverTime ? (
        <TimeChart
          title={title}
          kind={kind}
          isStacked={isStacked}
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
          link={(links, label, value) => ({ shown, links, name: `${label}, ${name}`, value })}
          more={sorted.length > MAX_BARS ? kit('others-below', { count: sorted.length - MAX_BARS }) : ''}
        />
      )}
    </section>
  )
}
