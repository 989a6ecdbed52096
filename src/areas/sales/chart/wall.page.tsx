import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { ratio } from '#kit/model/statistic.ts'
import { formatInstant } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { figuresOf } from './figures.page.tsx'
import type { locale } from './locale.ts'
import { type Chart, type Ranked, reachedOf } from './model.ts'
import { count, NAME, Reached, share, wholeYuan } from './part.page.tsx'
import { useIsOld, useMinute, useScreenAwake, useWholeScreen } from './use-chart.page.tsx'

/** As many as a screen has room for, in letters that are read from across a room. */
const PEOPLE = 10
const TEAMS = 4

/** The month on a screen at the wall: figures to be read from afar, colleagues and departments, and nobody else by name. */
export function Wall({ data, isError, leave }: { data: Chart; isError: boolean; leave: () => void }) {
  const say = useTexts<typeof locale>(NAME)
  const now = useMinute()
  const isOld = useIsOld(isError)
  useWholeScreen(leave)
  useScreenAwake()
  return (
    <section className="sales-wall ink-statistic" aria-label={say('wall')}>
      <header>
        <h1>{say('wall-title', { month: data.month })}</h1>
        <time>{formatInstant(now).slice(0, 16)}</time>
        <Button
          type="text"
          size="large"
          icon={<CloseOutlined aria-hidden />}
          aria-label={say('leave-wall')}
          onClick={leave}
        />
      </header>
      <ul className="sales-wall-figures" aria-live="polite">
        {figuresOf(data, say, wholeYuan).map(({ measure, name, value, part }) => (
          <li key={measure}>
            <span>{name}</span>
            <strong>{value}</strong>
            <Reached part={part} name={name} />
            {measure === 'target' && (
              <span className="sales-quiet">
                {data.targetFen === null ? say('no-target') : say('target', { target: wholeYuan(data.targetFen) })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className="sales-wall-ranks">
        <Ranks title={say('people')} rows={data.people.slice(0, PEOPLE)} />
        <div>
          <Ranks title={say('teams')} rows={data.teams.slice(0, TEAMS)} />
          <Steps steps={data.funnel} />
        </div>
      </div>
      <footer role={isOld ? 'alert' : undefined}>
        {say(isOld ? 'wall-old' : 'wall-fresh', { time: formatInstant(new Date(data.asOf)) })}
      </footer>
    </section>
  )
}

/** How far the leads of the month have come. */
function Steps({ steps }: { steps: Chart['funnel'] }) {
  const say = useTexts<typeof locale>(NAME)
  const first = steps[0]?.count ?? 0
  return (
    <section aria-label={say('funnel')}>
      <h2>{say('funnel')}</h2>
      <ol>
        {steps.map(({ measure, count: reached }) => {
          const part = reached === null ? null : ratio(reached, first)
          return (
            <li key={measure}>
              <span>{say(`step.${measure}` as 'step.leads')}</span>
              <span className="sales-bar" aria-hidden>
                <i style={{ width: `${(part ?? 0) * 100}%` }} />
              </span>
              <span className="sales-figure">{count(reached)}</span>
              <span className="sales-figure sales-quiet">{share(part)}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Ranks({ title, rows }: { title: string; rows: readonly Ranked[] }) {
  const say = useTexts<typeof locale>(NAME)
  return (
    <section aria-label={title}>
      <h2>
        {title}
        <small>
          {say('amount')} · {say('completion')}
        </small>
      </h2>
      <ol>
        {rows.map((row, nth) => (
          <li key={row.id}>
            <span className="sales-rank">{nth + 1}</span>
            <span className="sales-who">{row.name}</span>
            <span className="sales-figure">{wholeYuan(row.amount)}</span>
            <span className="sales-figure sales-quiet">{share(reachedOf(row))}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
