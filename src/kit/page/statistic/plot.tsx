import { useEffect, useRef, useState } from 'react'
import { formatMeasure, type MeasureKind } from '#kit/model/statistic.ts'
import { figure } from '../figures.ts'
import { useTexts } from '../language.ts'
import type { Point } from './bars.tsx'
import type { locale } from './locale.ts'
import { unitOf } from './unit.ts'

export const HEIGHT = 240
const PAD = { top: 24, right: 32, bottom: 26, left: 72 } as const
const TICKS = 4
/** Room a date below the axis needs. */
const LABEL_WIDTH = 68

const COLUMN_SHARE = 0.7

/** How high a point reaches: its parts one on another, or the highest of them. */
const reachOf = ({ values }: Point, isStacked: boolean): number =>
  isStacked
    ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
    : Math.max(...values.map(value => value ?? 0))

export type Place = {
  x(index: number): number
  y(value: number): number
  nearest(x: number): number
  /** Of a column, where parts stand on one another. */
  readonly columnWidth: number
  readonly ticks: readonly number[]
}

/** Lines run from edge to edge; columns need half of their width beside the first and the last. */
export function placing(points: readonly Point[], width: number, kind: MeasureKind, isStacked: boolean): Place {
  const highest = Math.max(...points.map(point => reachOf(point, isStacked)), 0)
  const lowest = Math.min(...points.flatMap(({ values }) => values.map(value => value ?? 0)), 0)
  const step = stepFor((highest - lowest) / TICKS, kind)
  const [bottom, top] = [Math.floor(lowest / step) * step, Math.max(step, Math.ceil(highest / step) * step)]
  const all = width - PAD.left - PAD.right
  const beside = isStacked ? all / Math.max(points.length, 1) / 2 : 0
  const inner = all - 2 * beside
  const gaps = Math.max(points.length - 1, 1)
  return {
    x: index => PAD.left + beside + (points.length === 1 ? inner / 2 : (index / gaps) * inner),
    y: value => HEIGHT - PAD.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - PAD.top - PAD.bottom),
    nearest: x => Math.round(((x - PAD.left - beside) / Math.max(inner, 1)) * gaps),
    columnWidth: Math.max(1, beside * 2 * COLUMN_SHARE),
    ticks: Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, tick) => bottom + tick * step),
  }
}

/** One, two or five times a power of ten: steps people count in. What is counted has no parts. */
function stepFor(rough: number, kind: MeasureKind): number {
  const least = kind === 'count' ? 1 : kind === 'money' ? 100 : kind === 'rate' ? 0.01 : 0.5
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, least)))
  const step = [1, 2, 5, 10].map(times => times * power).find(each => each >= rough) ?? power
  return Math.max(step, least)
}

export const vertical = (x: number) => ({ x1: x, x2: x, y1: PAD.top, y2: HEIGHT - PAD.bottom })

type AxesProps = { points: readonly Point[]; place: Place; kind: MeasureKind; width: number }

export function Axes({ points, place, kind, width }: AxesProps) {
  const every = Math.ceil(points.length / Math.max(1, Math.floor((width - PAD.left - PAD.right) / LABEL_WIDTH)))
  return (
    <g className="ink-axes">
      <text x={PAD.left - 8} y={12} textAnchor="end">
        {unitOf(kind)}
      </text>
      {place.ticks.map(tick => (
        <g key={tick}>
          <line x1={PAD.left} x2={width - PAD.right} y1={place.y(tick)} y2={place.y(tick)} />
          <text x={PAD.left - 8} y={place.y(tick) + 4} textAnchor="end">
            {figure(formatMeasure(kind, tick).replace(/\.0+$/, ''))}
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

type TipProps = {
  series: readonly string[]
  format(value: number | null): string
  point: Point
  x: number
  width: number
}

export function Tip({ point, series, format, x, width }: TipProps) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }
  return (
    <div className="ink-tip" style={side} aria-hidden="true">
      <strong>
        {point.label} {point.isOpen && kit('so-far')}
      </strong>
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
export function useWidth() {
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
