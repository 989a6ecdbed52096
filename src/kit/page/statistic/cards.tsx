import type { CSSProperties } from 'react'
import { changeOf, type Measure, measuresOf, type StatisticAnswer } from '#kit/model/statistic.ts'
import { figure } from '../figures.ts'
import { useTexts } from '../language.ts'
import { Definition } from './definition.tsx'
import type { locale } from './locale.ts'
import { formatMeasure } from './measure.ts'
import { NumberLink } from './number-link.tsx'
import { unitOf } from './unit.ts'
import type { Shown } from './use-statistic.ts'

/** So many characters stand in one line at full size. */
const FITS = 11

type Props = { shown: Shown; answer: StatisticAnswer }

/** As many cards as stand in a line of a usual window. */
const ACROSS = 7

/** Each measure of the whole period, with its change, and what it is by the other bases. */
export function Cards({ shown, answer }: Props) {
  const measures = measuresOf(shown.statistic)
  const lines = Math.ceil(measures.length / ACROSS)
  return (
    // Lines of equal length, or nearly so.
    <ul className="ink-cards" style={{ '--ink-across': Math.ceil(measures.length / lines) } as CSSProperties}>
      {measures.map(([name, measure]) => (
        <Card key={name} shown={shown} answer={answer} name={name} measure={measure} />
      ))}
    </ul>
  )
}

function Card({ shown, answer, name, measure }: Props & { name: string; measure: Measure }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const title = say(`measure.${name}`)
  const totals = answer.totals[answer.basis]
  const others = Object.entries(answer.totals).filter(([basis]) => basis !== answer.basis)
  const isChosen = shown.measure === name
  const value = withUnit(measure.kind, totals?.now[name] ?? null)
  return (
    <li className={`ink-card${isChosen ? ' ink-chosen' : ''}`}>
      <div className="ink-card-head">
        <button
          type="button"
          aria-pressed={isChosen}
          title={kit('show-in-chart', { name: title })}
          onClick={() => shown.change({ measure: name })}
        >
          {title}
        </button>
        <Definition shown={shown} measure={name} />
      </div>
      <div className={`ink-card-value${value.length > FITS ? ' ink-long' : ''}`}>
        <NumberLink shown={shown} links={shown.linksTo(answer, name)} name={title} value={value} />
      </div>
      <Change
        measure={measure}
        now={totals?.now[name] ?? null}
        before={totals?.before[name] ?? null}
        previous={answer.previous}
      />
      {others.map(([basis, { now }]) => (
        <div key={basis} className="ink-card-other">
          {say(`base.${basis}`)}{' '}
          <NumberLink
            shown={shown}
            links={shown.linksTo({ ...answer, basis }, name)}
            name={`${title}, ${say(`base.${basis}`)}`}
            value={withUnit(measure.kind, now[name] ?? null)}
          />
        </div>
      ))}
    </li>
  )
}

export function withUnit(kind: Measure['kind'], value: number | null): string {
  const text = formatMeasure(kind, value)
  if (value === null) return text
  return kind === 'money' ? `¥${text}` : `${text}${unitOf(kind)}`
}

type ChangeProps = {
  measure: Measure
  now: number | null
  before: number | null
  previous: StatisticAnswer['previous']
}

function Change({ measure, now, before, previous }: ChangeProps) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const change = changeOf(measure.kind, { now, before })
  if (change === null) return <div className="ink-card-change">{kit('no-change')}</div>
  const text = `${change > 0 ? '▲ ' : change < 0 ? '▼ ' : ''}${figure(String(Math.abs(change)))}${measure.kind === 'rate' ? '' : '%'}`
  const isGood = measure.good !== 'neither' && change !== 0 && change > 0 === (measure.good === 'more')
  const isBad = measure.good !== 'neither' && change !== 0 && !isGood
  const said = kit('change', { change: measure.kind === 'rate' ? kit('points', { change: text }) : text })
  return (
    <div
      className={`ink-card-change${isGood ? ' ink-good' : ''}${isBad ? ' ink-bad' : ''}`}
      title={`${said}. ${kit('compared', previous)}`}
    >
      {said}
    </div>
  )
}
