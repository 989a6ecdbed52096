import { useEffect, useRef, useState } from 'react'
import { formatMeasure, type MeasureKind, UNITS } from '#kit/model/statistic.ts'
import { useTexts } from '../language.ts'
import type { Point } from './bars.tsx'
import type { locale } from './locale.ts'
import { usePoints } from './points.ts'

const HEIGHT = 240
const PAD = { top: 24, right: 32, bottom: 26, left: 72 } as const
const TICKS = 4
/** Room a date below the axis needs. */
const LABEL_WIDTH = 68
const DOTS_UP_TO = 40

type Props = {
  title: string
  kind: MeasureKind
  series: readonly string[]
  points: readonly Point[]
  format(value: number | null): string
  onOpen(path: string): void
}

/** Lines over time. A pointer or the arrow keys go from point to point; a click or Enter opens the rows behind one. */
export function LineChart({ title, kind, series, points, format, onOpen }: Props) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const [box, width] = useWidth()
  const place = placing(points, width, kind)
  const said = (each: Point) =>
    `${each.label} ${each.values.map((value, nth) => `${series[nth]}: ${format(value)}`).join(', ')}`
  const { at, index, slider } = usePoints({
    label: kit('chart-how', { title }),
    last: points.length - 1,
    nearest: place.nearest,
    said: each => (points[each] ? said(points[each]) : ''),
    onOpen(each) {
      const path = points[each]?.path
      if (path !== undefined) onOpen(path)
    },
  })
  const point = at === undefined ? undefined : points[at]
  return (
    <div ref={box} className="ink-line-chart" {...slider}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <Axes points={points} place={place} kind={kind} width={width} />
        {point && <line className="ink-cursor-line" {...vertical(place.x(index))} />}
        {series.map((name, nth) => (
          <path key={name} className={`ink-line ink-series-${nth + 1}`} d={lineOf(points, nth, place)} />
        ))}
        {points.flatMap(({ label, values }, each) =>
          values.map((value, nth) =>
            value !== null && (each === at || points.length <= DOTS_UP_TO) ? (
              <circle
                key={`${label} ${series[nth]}`}
                className={`ink-dot ink-series-${nth + 1}`}
                cx={place.x(each)}
                cy={place.y(value)}
                r={each === at ? 4 : 2}
              />
            ) : null,
          ),
        )}
      </svg>
      {point && <Tip point={point} series={series} format={format} x={place.x(index)} width={width} />}
    </div>
  )
}

type Place = {
  x(index: number): number
  y(value: number): number
  nearest(x: number): number
  readonly ticks: readonly number[]
}

function placing(points: readonly Point[], width: number, kind: MeasureKind): Place {
  const highest = Math.max(...points.flatMap(({ values }) => values.map(value => value ?? 0)), 0)
  const step = stepFor(highest / TICKS, kind)
  const top = Math.max(step, Math.ceil(highest / step) * step)
  const inner = width - PAD.left - PAD.right
  const gaps = Math.max(points.length - 1, 1)
  return {
    x: index => PAD.left + (points.length === 1 ? inner / 2 : (index / gaps) * inner),
    y: value => HEIGHT - PAD.bottom - (value / top) * (HEIGHT - PAD.top - PAD.bottom),
    nearest: x => Math.round(((x - PAD.left) / Math.max(inner, 1)) * gaps),
    ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, tick) => tick * step),
  }
}

/** One, two or five times a power of ten: steps people count in. What is counted has no parts. */
function stepFor(rough: number, kind: MeasureKind): number {
  const least = kind === 'count' ? 1 : kind === 'money' ? 100 : kind === 'rate' ? 0.01 : 0.5
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, least)))
  const step = [1, 2, 5, 10].map(times => times * power).find(each => each >= rough) ?? power
  return Math.max(step, least)
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

const vertical = (x: number) => ({ x1: x, x2: x, y1: PAD.top, y2: HEIGHT - PAD.bottom })

type AxesProps = { points: readonly Point[]; place: Place; kind: MeasureKind; width: number }

function Axes({ points, place, kind, width }: AxesProps) {
  const every = Math.ceil(points.length / Math.max(1, Math.floor((width - PAD.left - PAD.right) / LABEL_WIDTH)))
  return (
    <g className="ink-axes">
      <text x={PAD.left - 8} y={12} textAnchor="end">
        {UNITS[kind]}
      </text>
      {place.ticks.map(tick => (
        <g key={tick}>
          <line x1={PAD.left} x2={width - PAD.right} y1={place.y(tick)} y2={place.y(tick)} />
          <text x={PAD.left - 8} y={place.y(tick) + 4} textAnchor="end">
            {formatMeasure(kind, tick).replace(/\.0+$/, '')}
          </text>
        </g>
      ))}
      {points.map(({ label }, index) =>
        index % every === 0 ? (
          <text key={label} x={place.x(index)} y={HEIGHT - 6} textAnchor="middle">
            {shortened(label)}
          </text>
        ) : null,
      )}
    </g>
  )
}

/** "11-15" for a day or the first day of a week, "2026-11" for a month; the whole stands in the tip. */
const shortened = (label: string): string => (label.length > 7 ? label.slice(5, 10) : label)

type TipProps = Pick<Props, 'series' | 'format'> & { point: Point; x: number; width: number }

function Tip({ point, series, format, x, width }: TipProps) {
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }
  return (
    <div className="ink-tip" style={side} aria-hidden="true">
      <strong>{point.label}</strong>
      {point.values.map((value, nth) => (
        <div key={series[nth]}>
          <i className={`ink-swatch ink-series-${nth + 1}`} />
          {series[nth]} <b>{format(value)}</b>
        </div>
      ))}
    </div>
  )
}

const FIRST_WIDTH = 800

/** As wide as its place, and again whenever that changes. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useEffect(function followWidth() {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth || FIRST_WIDTH))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return [box, width] as const
}
