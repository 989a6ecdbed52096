import { Button, Skeleton } from 'antd'
import { area as orders } from '#areas/orders/area.ts'
import { formatCount, formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type DayFigures, type Measure, summaryOf } from './model.ts'
import { NAME, Part } from './part.page.tsx'
import { Sparkline } from './sparkline.page.tsx'
import { useWorkbench } from './use-workbench.page.tsx'

/** Whether the orders are this person's to look at. */
export const useShowsOrders = (): boolean => useUser(user => mayDo(user, orders.screens.order.key, 'list'))

/** How the last days went, of what this person may list. */
export function OrderFigures() {
  const say = useTexts<typeof locale>(NAME)
  const { data, isError, refetch } = useWorkbench()
  return (
    <Part title={say('figures')}>
      {isError && (
        <p role="alert">
          {say('load-failed')} <Button onClick={() => void refetch()}>{say('try-again')}</Button>
        </p>
      )}
      {!data && !isError && <Skeleton active paragraph={{ rows: 2 }} title={false} />}
      {data?.orders && (
        <div className="bench-figures">
          <Figure days={data.orders} measure="placed" show={formatCount} />
          <Figure days={data.orders} measure="paidFen" show={formatFen} />
        </div>
      )}
    </Part>
  )
}

/** What puts an order into a day of each measure. */
const INSTANT: Readonly<Record<Measure, string>> = { placed: 'createdAt', paidFen: 'paidAt' }

function Figure({
  days,
  measure,
  show,
}: {
  days: readonly DayFigures[]
  measure: Measure
  show(value: number): string
}) {
  const say = useTexts<typeof locale>(NAME)
  const { today, yesterday, week, change } = summaryOf(days, measure)
  const values = days.map(day => day[measure])
  const tab = useTab()
  const openDay = (day = '') =>
    tab.open(`${orders.screens.order.route}?${INSTANT[measure]}Begin=${day}&${INSTANT[measure]}End=${day}`)
  return (
    <div className="bench-figure">
      <h3>{say(measure)}</h3>
      <dl>
        <div className="bench-main">
          <dt>{say('today')}</dt>
          <dd>{show(today)}</dd>
        </div>
        <div>
          <dt>{say('yesterday')}</dt>
          <dd>{show(yesterday)}</dd>
        </div>
        <div>
          <dt>{say('week')}</dt>
          <dd>{show(week)}</dd>
        </div>
      </dl>
      <Sparkline
        values={values}
        label={say('trend', { measure: say(measure) })}
        said={index => `${days[index]?.day} · ${show(values[index] ?? 0)}`}
        onOpen={index => openDay(days[index]?.day)}
      >
        {change === null ? '' : say(change > 0 ? 'up' : change < 0 ? 'down' : 'same', { percent: Math.abs(change) })}
      </Sparkline>
    </div>
  )
}
