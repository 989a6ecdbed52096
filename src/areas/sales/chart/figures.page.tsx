import type { CSSProperties } from 'react'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type Chart, elapsedOf, reachedOf } from './model.ts'
import { count, Figure, money, NAME, Reached, share } from './part.page.tsx'
import type { Sources } from './use-chart.page.tsx'

/** What the month is told by in one line: money, target, deals. */
export function figuresOf(
  data: Chart,
  say: (key: 'amount' | 'completion' | 'net' | 'leads' | 'deals') => string,
  show = money,
) {
  const step = (measure: string) => data.funnel.find(one => one.measure === measure)?.count ?? null
  return [
    { measure: 'amount', name: say('amount'), value: show(data.amount), part: null },
    { measure: 'target', name: say('completion'), value: share(reachedOf(data)), part: reachedOf(data) },
    { measure: 'net', name: say('net'), value: show(data.net), part: null },
    { measure: 'leads', name: say('leads'), value: count(step('leads')), part: null },
    { measure: 'deals', name: say('deals'), value: count(step('deals')), part: null },
  ]
}

export function Figures({ data, sources }: { data: Chart; sources: Sources }) {
  const say = useTexts<typeof locale>(NAME)
  const elapsed = elapsedOf(data)
  const figures = figuresOf(data, say)
  return (
    <ul className="ink-cards sales-figures" style={{ '--ink-across': figures.length } as CSSProperties}>
      {figures.map(({ measure, name, value, part }) => (
        <li key={measure} className="ink-card">
          <div className="ink-card-head">{name}</div>
          <div className="ink-card-value">
            <Figure path={measure === 'target' ? sources.targets : sources.sales(measure)} name={name} value={value} />
          </div>
          {measure === 'target' && (
            <>
              <Reached part={part} name={name} elapsed={elapsed} />
              <div className="ink-card-other">
                {data.targetFen === null ? say('no-target') : say('target', { target: money(data.targetFen) })}
              </div>
              {part !== null && elapsed < 1 && (
                <div className="ink-card-other">{say('elapsed', { part: share(elapsed) })}</div>
              )}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
