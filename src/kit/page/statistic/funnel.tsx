import { funnelOf, ratio, type StatisticAnswer } from '#kit/model/statistic.ts'
import { formatCount } from '../figures.ts'
import { useTexts } from '../language.ts'
import { Definition } from './definition.tsx'
import type { locale } from './locale.ts'
import { formatMeasure } from './measure.ts'
import { NumberLink } from './number-link.tsx'
import type { Shown } from './use-statistic.ts'

/** How many of those that began came how far: each step with its share of the one before and of the first. */
export function Funnel({ shown, answer }: { shown: Shown; answer: StatisticAnswer }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const now = answer.totals[answer.basis]?.now
  const steps = funnelOf(shown.statistic).map(name => ({ name, count: now?.[name] ?? null }))
  /** Of nothing there is no share: none is told. */
  const told = (words: 'of-before' | 'of-first', part: number | null, whole: number | null | undefined): string[] => {
    const share = part === null || whole == null ? null : ratio(part, whole)
    return share === null ? [] : [kit(words, { share: `${formatMeasure('rate', share)}%` })]
  }
  const first = steps[0]?.count
  return (
    <section className="ink-chart" aria-label={say('funnel')}>
      <header>
        <h2>{say('funnel')}</h2>
      </header>
      <ol className="ink-funnel">
        {steps.map(({ name, count }, nth) => (
          <li key={name}>
            <span className="ink-funnel-step">
              {say(`measure.${name}`)}
              <Definition shown={shown} measure={name} />
            </span>
            <span className="ink-funnel-bar" aria-hidden>
              <i style={{ width: `${(ratio(count ?? 0, first ?? 0) ?? 0) * 100}%` }} />
            </span>
            <span className="ink-funnel-count">
              <NumberLink
                shown={shown}
                links={shown.linksTo(answer, name)}
                name={say(`measure.${name}`)}
                value={count === null ? '–' : formatCount(count)}
              />
            </span>
            <span className="ink-funnel-share">
              {[
                ...(nth > 0 ? told('of-before', count, steps[nth - 1]?.count) : []),
                ...(nth > 1 ? told('of-first', count, first) : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
