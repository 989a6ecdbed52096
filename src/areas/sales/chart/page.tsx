import { FullscreenOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Skeleton, Space } from 'antd'
import { lazy, Suspense } from 'react'
import { formatInstant } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { Figures } from './figures.page.tsx'
import { Funnel } from './funnel.page.tsx'
import { Heat } from './heat.page.tsx'
import type { locale } from './locale.ts'
import { type Chart, monthBeside, type Ranked } from './model.ts'
import { NAME } from './part.page.tsx'
import { Ranking } from './ranking.page.tsx'
import { useAsked, useChart, useSources } from './use-chart.page.tsx'
import '#kit/page/kit.css'
import '#kit/page/statistic/statistic.css'
import './chart.css'

// Most look at it on a desk.
const Wall = lazy(async () => ({ default: (await import('./wall.page.tsx')).Wall }))

export function Page() {
  const asked = useAsked()
  const query = useChart(asked)
  return (
    <div className="ink-statistic" aria-busy={query.isFetching}>
      <Bar asked={asked} />
      {query.isError && !query.data ? (
        <LoadFailed error={query.error} onRetry={query.refetch} />
      ) : query.data ? (
        <Board data={query.data} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} title={false} />
      )}
      {asked.isWall && query.data && (
        <Suspense>
          <Wall data={query.data} isError={query.isError} leave={() => asked.showWall(false)} />
        </Suspense>
      )}
    </div>
  )
}

function Bar({ asked }: { asked: ReturnType<typeof useAsked> }) {
  const say = useTexts<typeof locale>(NAME)
  const { month, thisMonth, showMonth, showWall } = asked
  return (
    <div className="inkstone-bar">
      <Space size={8}>
        <Button
          icon={<LeftOutlined aria-hidden />}
          aria-label={say('month-before')}
          onClick={() => showMonth(monthBeside(month, -1))}
        />
        <strong>{month}</strong>
        <Button
          icon={<RightOutlined aria-hidden />}
          aria-label={say('month-after')}
          disabled={month >= thisMonth}
          onClick={() => showMonth(monthBeside(month, 1))}
        />
      </Space>
      <Button icon={<FullscreenOutlined aria-hidden />} onClick={() => showWall(true)}>
        {say('wall')}
      </Button>
    </div>
  )
}

const sellersOf = ({ people }: Chart, team: Ranked) =>
  people.filter(({ teamId }) => teamId === team.id).map(({ id }) => id)

function Board({ data }: { data: Chart }) {
  const say = useTexts<typeof locale>(NAME)
  const sources = useSources(data)
  return (
    <>
      <Figures data={data} sources={sources} />
      <div className="sales-columns">
        <Funnel steps={data.funnel} sources={sources} />
        <Ranking title={say('teams')} rows={data.teams} sources={sources} sellers={team => sellersOf(data, team)} />
      </div>
      <Ranking title={say('people')} rows={data.people} sources={sources} sellers={({ id }) => [id]} />
      {data.hours && <Heat week={data.hours} sources={sources} />}
      <p className="ink-statistic-note">
        {say('as-of', { time: formatInstant(new Date(data.asOf)), from: data.from, to: data.to })}
      </p>
    </>
  )
}
