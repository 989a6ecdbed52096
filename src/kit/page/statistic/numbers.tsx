import { DownloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { type Asked, readAsked, rowsBehind, type Statistic, type StatisticAnswer } from '#kit/model/statistic.ts'
import { dayOf, formatInstant } from '#kit/model/time.ts'
import { download, get, queryText, save } from '../call.ts'
import { useLanguage, useTexts } from '../language.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale as kitLocale } from '../locale.ts'
import { useNotices } from '../notice.ts'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import { Cards } from './cards.tsx'
import { Chart } from './chart.tsx'
import { FilterLine } from './filter-line.tsx'
import type { locale } from './locale.ts'
import { NumbersTable } from './numbers-table.tsx'
import '../kit.css'
import './statistic.css'

const OWN = ['from', 'to', 'interval', 'dimension', 'basis'] as const

export type Shown = ReturnType<typeof useStatistic>

export function Numbers({ statistic }: { statistic: Statistic }) {
  const shown = useStatistic(statistic)
  const { query } = shown
  return (
    <div className="ink-statistic" aria-busy={query.isFetching}>
      <div className="inkstone-bar">
        <FilterLine shown={shown} />
        {shown.mayExport && <ExportTable shown={shown} />}
      </div>
      {query.isError ? (
        <LoadFailed error={query.error} onRetry={query.refetch} />
      ) : query.data ? (
        <Answer shown={shown} answer={query.data} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} title={false} />
      )}
    </div>
  )
}

function Answer({ shown, answer }: { shown: Shown; answer: StatisticAnswer }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  return (
    <>
      <Cards shown={shown} answer={answer} />
      {hasNothing(answer) ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={kit('empty')} />
      ) : (
        <>
          <Chart shown={shown} answer={answer} />
          <NumbersTable shown={shown} answer={answer} />
        </>
      )}
      <p className="ink-statistic-note">
        {kit('as-of', { time: formatInstant(new Date(answer.asOf)) })} · {kit('compared', answer.previous)}
      </p>
    </>
  )
}

const hasNothing = ({ totals }: StatisticAnswer): boolean =>
  Object.values(totals).every(({ now }) => Object.values(now).every(value => value === null || value === 0))

/** What is asked, as the address says it; what came of it; and where its numbers lead. */
function useStatistic(statistic: Statistic) {
  const tab = useTab()
  const user = useUser()
  const language = useLanguage()
  const given = useMemo(() => {
    const names = [...OWN, ...statistic.filters]
    return Object.fromEntries(
      names.flatMap((name): [string, string | string[]][] => {
        const values = tab.search.getAll(name)
        return values.length === 0 ? [] : [[name, isOwn(name) ? (values[0] as string) : values]]
      }),
    )
  }, [tab.search, statistic])
  const query = useQuery({
    // Below the list's name: what refreshes the list refreshes its numbers. Labels come in the language on screen.
    queryKey: [statistic.of.screen.name, 'statistic', statistic.screen.name, given, language],
    queryFn: ({ signal }) => get<StatisticAnswer>(`/${statistic.screen.name}`, { query: given, signal }),
    placeholderData: keepPreviousData,
  })
  const asked: Asked = readAsked(statistic, given, dayOf(new Date()))
  const measures = Object.keys(statistic.measures)
  const chosen = tab.search.get('measure') ?? ''
  const mayList = mayDo(user, statistic.of.screen.key, 'list')
  return {
    statistic,
    asked,
    given,
    query,
    /** What the chart shows. */
    measure: measures.includes(chosen) ? chosen : (measures[0] as string),
    change: (parameters: Parameters<typeof tab.change>[0]) => tab.change(parameters),
    mayExport: mayDo(user, statistic.screen.key, 'export'),
    /** Address of the rows behind a number of the answer on screen, for whoever may list them. */
    rowsAt(answer: StatisticAnswer, measure: string, row?: StatisticAnswer['rows'][number]): string | undefined {
      const filters = mayList ? rowsBehind(statistic, answer, measure, row) : undefined
      return filters && statistic.of.screen.route + queryText(filters)
    },
    open: (path: string) => tab.open(path),
  }
}

const isOwn = (name: string): boolean => OWN.some(own => own === name)

function ExportTable({ shown }: { shown: Shown }) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const answer = await download(`/${shown.statistic.screen.name}/download`, shown.given)
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
