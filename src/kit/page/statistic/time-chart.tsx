import type { MeasureKind } from '#kit/model/statistic.ts'
import { useTexts } from '../language.ts'
import type { Point } from './bars.tsx'
import type { locale } from './locale.ts'
import { Axes, HEIGHT, type Place, placing, Tip, useWidth, vertical } from './plot.tsx'
import { usePoints } from './points.ts'

const DOTS_UP_TO = 40

type Props = {
  title: string
  kind: MeasureKind
  series: readonly string[]
  points: readonly Point[]
  format(value: number | null): string
  onOpen(path: string): void
  /** The series are parts of a whole: columns with one part on another instead of lines. */
  isStacked?: boolean
}

/** Lines or stacked columns over time. A pointer or the arrow keys go from point to point; a click or Enter opens the rows behind one. */
export function TimeChart({ title, kind, series, points, format, onOpen, isStacked = false }: Props) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const [box, width] = useWidth()
  const place = placing(points, width, kind, isStacked)
  const said = (each: Point) =>
    `${each.label}${each.isOpen ? ` ${kit('so-far')}` : ''} ${each.values.map((value, nth) => `${series[nth]}: ${format(value)}`).join(', ')}`
  const { at, index, slider } = usePoints({
    label: kit('chart-how', { title }),
    last: points.length - 1,
    nearest: place.nearest,
    said: each => (points[each] ? said(points[each]) : ''),
    onOpen(each) {
      const [only, ...more] = points[each]?.links ?? []
      if (only && more.length === 0) onOpen(only.path)
    },
  })
  const point = at === undefined ? undefined : points[at]
  return (
    <div ref={box} className="ink-line-chart" {...slider}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <Axes points={points} place={place} kind={kind} width={width} />
        {point && <line className="ink-cursor-line" {...vertical(place.x(index))} />}
        {isStacked ? (
          <Columns points={points} series={series} place={place} />
        ) : (
          <Lines points={points} series={series} place={place} at={at} />
        )}
      </svg>
      {point && <Tip point={point} series={series} format={format} x={place.x(index)} width={width} />}
    </div>
  )
}

type Marks = { points: readonly Point[]; series: readonly string[]; place: Place }

function Lines({ points, series, place, at }: Marks & { at: number | undefined }) {
  return (
    <>
      {series.map((name, nth) => (
        <path key={name} className={`ink-line ink-series-${nth + 1}`} d={lineOf(points, nth, place)} />
      ))}
      {points.flatMap(({ label, values, isOpen }, each) =>
        values.map((value, nth) =>
          value !== null && (each === at || isOpen || points.length <= DOTS_UP_TO) ? (
            <circle
              key={`${label} ${series[nth]}`}
              className={`ink-dot ink-series-${nth + 1}${isOpen ? ' ink-open' : ''}`}
              cx={place.x(each)}
              cy={place.y(value)}
              r={each === at || isOpen ? 4 : 2}
            />
          ) : null,
        ),
      )}
    </>
  )
}

function Columns({ points, series, place }: Marks) {
  return points.flatMap(({ label, values, isOpen }, each) => {
    let below = 0
    return values.map((value, nth) => {
      const from = below
      below += value ?? 0
      return value ? (
        <rect
          key={`${label} ${series[nth]}`}
          className={`ink-part ink-series-${nth + 1}${isOpen ? ' ink-open' : ''}`}
          x={place.x(each) - place.columnWidth / 2}
          width={place.columnWidth}
          y={place.y(below)}
          height={place.y(from) - place.y(below)}
        />
      ) : null
    })
  })
}

function lineOf(points: readonly Point[], nth: number, place: Place): string {
  let isDown = false
  return points
    .map(({ values }, index) => {
      const value = values[nth] ?? null
      if (value === null) {
        isDown = false
        return ''
      }
      const command = `${isDown ? 'L' : 'M'}${place.x(index)} ${place.y(value)}`
      isDown = true
      return command
    })
    .join('')
}
