import type { ReactNode } from 'react'
import { formatCount, formatFen } from '#kit/page/figures.ts'
import { formatMeasure } from '#kit/page/statistic/measure.ts'
import { area } from '../area.ts'

export const NAME = area.screens.chart.name

/** From afar nobody reads fen. */
export const wholeYuan = (fen: number | null): string => (fen === null ? '–' : `¥${formatCount(Math.round(fen / 100))}`)
export const money = (fen: number | null): string => (fen === null ? '–' : formatFen(fen))
export const share = (part: number | null): string => (part === null ? '–' : `${formatMeasure('rate', part)}%`)
export const count = (value: number | null): string => formatMeasure('count', value)

/** A part of the board under its heading. */
export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="ink-chart" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {children}
      {note !== undefined && <p className="ink-statistic-note">{note}</p>}
    </section>
  )
}

/** A figure, which opens the statistic it comes from where the person may look there. */
export function Figure({ path, name, value }: { path: string | undefined; name: string; value: string }) {
  if (path === undefined || value === '–') return <span>{value}</span>
  return (
    <a href={`#${path}`} aria-label={`${name} ${value}`}>
      {value}
    </a>
  )
}

/** How much of a target is reached, as a bar, with a mark where the month stands; nothing where there is no target. */
export function Reached({ part, name, elapsed = 1 }: { part: number | null; name: string; elapsed?: number }) {
  if (part === null) return null
  const bar = (
    <progress className="sales-target" max={1} value={Math.min(part, 1)} aria-label={`${name} ${share(part)}`} />
  )
  if (elapsed >= 1) return bar
  return (
    <span className="sales-pace">
      {bar}
      <i aria-hidden style={{ insetInlineStart: `${elapsed * 100}%` }} />
    </span>
  )
}
