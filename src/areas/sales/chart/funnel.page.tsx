import { ratio } from '#kit/model/statistic.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { Chart } from './model.ts'
import { count, Figure, NAME, Part, share } from './part.page.tsx'
import type { Sources } from './use-chart.page.tsx'

type Step = 'step.leads'

/** How far the leads of the month have come: each step with its share of the first. */
export function Funnel({ steps, sources }: { steps: Chart['funnel']; sources: Sources }) {
  const say = useTexts<typeof locale>(NAME)
  const first = steps[0]?.count ?? 0
  return (
    <Part title={say('funnel')}>
      <ol className="ink-funnel">
        {steps.map(({ measure, count: reached }, nth) => {
          const name = say(`step.${measure}` as Step)
          const part = reached === null ? null : ratio(reached, first)
          return (
            <li key={measure}>
              <span className="ink-funnel-step">{name}</span>
              <span className="ink-funnel-bar" aria-hidden>
                <i style={{ width: `${(part ?? 0) * 100}%` }} />
              </span>
              <span className="ink-funnel-count">
                <Figure path={sources.sales(measure)} name={name} value={count(reached)} />
              </span>
              <span className="ink-funnel-share">{nth > 0 && share(part)}</span>
            </li>
          )
        })}
      </ol>
    </Part>
  )
}
