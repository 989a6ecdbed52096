import type { ComponentProps } from 'react'
import { NumberLink } from './number-link.tsx'
import type { Link } from './use-statistic.ts'

export type Point = {
  readonly label: string
  /** How deep it stands below others, in a tree. */
  readonly level?: number | undefined
  readonly values: readonly (number | null)[]
  readonly links: readonly Link[]
  /** Its days are not over: it may still grow. */
  readonly isOpen: boolean
}

type Props = {
  points: readonly Point[]
  series: readonly string[]
  format(value: number | null): string
  link(links: readonly Link[], label: string, value: string): ComponentProps<typeof NumberLink>
  /** What is said below about those not drawn. */
  more: string
}

/** What stands below another begins further in; names of anything else end at their bars. */
const placeOf = (level: number | undefined) =>
  level === undefined ? {} : ({ textAlign: 'start', paddingInlineStart: level * 12 } as const)

/** Bars beside their names: all of them measured against the longest. */
export function Bars({ points, series, format, link, more }: Props) {
  const longest = Math.max(...points.flatMap(({ values }) => values.map(value => value ?? 0)), 0) || 1
  return (
    <>
      <ul className="ink-bars">
        {points.map(({ label, level, values, links }) => (
          <li key={label}>
            <span className="ink-bar-label" title={label} style={placeOf(level)}>
              {label}
            </span>
            <div>
              {values.map((value, index) => (
                <div key={series[index]} className="ink-bar" title={`${series[index]}: ${format(value)}`}>
                  <i
                    className={`ink-series-${index + 1}`}
                    style={{ width: `${(Math.max(value ?? 0, 0) / longest) * 80}%` }}
                    aria-hidden
                  />
                  {index === 0 ? <NumberLink {...link(links, label, format(value))} /> : <span>{format(value)}</span>}
                </div>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {more && <p className="ink-statistic-note">{more}</p>}
    </>
  )
}
