import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { isWithoutLeads, type Ranked, reachedOf } from './model.ts'
import { count, Figure, money, NAME, Part, Reached, share } from './part.page.tsx'
import type { Sources } from './use-chart.page.tsx'

/** On a board nobody reads further down; the statistic shows all. */
const SHOWN = 20

type Props = {
  title: string
  rows: readonly Ranked[]
  sources: Sources
  /** Whose sales those of a line are. */
  sellers(row: Ranked): readonly string[]
}

/** Who has sold most, each against the own target. */
export function Ranking({ title, rows, sources, sellers }: Props) {
  const say = useTexts<typeof locale>(NAME)
  const longest = Math.max(...rows.map(({ amount }) => amount ?? 0), 0) || 1
  const more = rows.length - SHOWN
  return (
    <Part title={title} {...(more > 0 && { note: say('more', { count: more }) })}>
      {rows.length === 0 ? (
        <p className="ink-statistic-note">{say('nobody')}</p>
      ) : (
        <ol className="sales-ranking">
          {rows.slice(0, SHOWN).map((row, nth) => (
            <li key={row.id}>
              <span className="sales-rank">{nth + 1}</span>
              <span className="sales-who" title={row.team ?? row.name}>
                {row.name}
              </span>
              <span className="sales-bar" aria-hidden>
                <i style={{ width: `${(Math.max(row.amount ?? 0, 0) / longest) * 100}%` }} />
              </span>
              <span className="sales-figure">
                <Figure
                  path={sources.sales('amount', sellers(row))}
                  name={`${row.name} ${say('amount')}`}
                  value={money(row.amount)}
                />
              </span>
              <span className="sales-figure sales-quiet" title={isWithoutLeads(row) ? say('without-leads') : undefined}>
                <Figure
                  path={sources.sales('deals', sellers(row))}
                  name={row.name}
                  value={
                    isWithoutLeads(row)
                      ? MISSING
                      : say('deals-of', { deals: count(row.deals), leads: count(row.leads) })
                  }
                />
              </span>
              <Completion row={row} sources={sources} />
            </li>
          ))}
        </ol>
      )}
    </Part>
  )
}

function Completion({ row, sources }: { row: Ranked; sources: Sources }) {
  const say = useTexts<typeof locale>(NAME)
  const part = reachedOf(row)
  const name = `${row.name} ${say('completion')}`
  return (
    <span
      className="sales-completion"
      title={row.targetFen === null ? undefined : say('target', { target: money(row.targetFen) })}
    >
      <Reached part={part} name={name} />
      <Figure
        path={row.consultantId === null ? undefined : sources.targetOf(row.consultantId)}
        name={name}
        value={share(part)}
      />
    </span>
  )
}
