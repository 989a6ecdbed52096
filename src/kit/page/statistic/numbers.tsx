import { DownloadOutlined } from '@ant-design/icons'
import { Button, Empty, Grid, Skeleton, Space } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { numbersAt, type Statistic, type StatisticAnswer, treeOf } from '#kit/model/statistic.ts'
import { formatInstant } from '#kit/model/time.ts'
import { download, save } from '../call.ts'
import { useTexts } from '../language.ts'
import { useStickingHead } from '../list/sticking-head.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale as kitLocale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { Cards } from './cards.tsx'
import { Chart } from './chart.tsx'
import { FilterLine } from './filter-line.tsx'
import { Funnel } from './funnel.tsx'
import type { locale } from './locale.ts'
import { NumbersGrid } from './numbers-grid.tsx'
import { NumbersTable } from './numbers-table.tsx'
import { type Shown, useStatistic } from './use-statistic.ts'
import '../kit.css'
import './statistic.css'

// Few read numbers on a phone.
const NumberCards = lazy(async () => ({ default: (await import('./number-cards.tsx')).NumberCards }))

export function Numbers({ statistic, tools }: { statistic: Statistic; tools?: ReactNode }) {
  const shown = useStatistic(statistic)
  const { query } = shown
  const { head, top } = useStickingHead()
  return (
    <div className="ink-statistic" aria-busy={query.isFetching}>
      <div className="inkstone-top" ref={head}>
        <div className="inkstone-bar">
          <FilterLine shown={shown} />
          <Space size={8}>
            {tools}
            {shown.mayExport && <ExportTable shown={shown} />}
          </Space>
        </div>
      </div>
      {query.isError ? (
        <LoadFailed error={query.error} onRetry={query.refetch} />
      ) : query.data ? (
        <Answer shown={shown} answer={query.data} top={top} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} title={false} />
      )}
    </div>
  )
}

function Answer({ shown, answer, top }: { shown: Shown; answer: StatisticAnswer; top: number }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const isNarrow = Grid.useBreakpoint().md === false
  return (
    <>
      <Cards shown={shown} answer={answer} />
      {hasNothing(answer) ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={kit('empty')} />
      ) : (
        <>
          <Chart shown={shown} answer={answer} />
          {shown.statistic.funnel && <Funnel shown={shown} answer={answer} />}
          {answer.columns.length > 0 ? (
            <NumbersGrid shown={shown} answer={answer} />
          ) : isNarrow ? (
            <Suspense>
              <NumberCards shown={shown} answer={answer} />
            </Suspense>
          ) : (
            <NumbersTable shown={shown} answer={answer} top={top} />
          )}
        </>
      )}
      <p className="ink-statistic-note">
        {kit('as-of', { time: formatInstant(new Date(answer.asOf)) })} · {kit('compared', answer.previous)}
        {treeOf(shown.statistic, answer.dimension) !== undefined && ` · ${kit('tree-note')}`}
      </p>
    </>
  )
}

const hasNothing = ({ totals }: StatisticAnswer): boolean =>
  Object.values(totals).every(({ now }) => Object.values(now).every(value => value === null || value === 0))

function ExportTable({ shown }: { shown: Shown }) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const answer = await download(`/${numbersAt(shown.statistic)}/download`, shown.given)
      if ('file' in answer) save(answer.file, answer.name)
    } catch (error) {
      notices.failed(error, kit('load-failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<DownloadOutlined aria-hidden />} loading={busy} onClick={run}>
      {kit('export')}
    </Button>
  )
}
