import { Suspense } from 'react'
import type { Shape } from '#kit/model/resource.ts'
import type { Statistic } from '#kit/model/statistic.ts'
import { laterWithTexts } from '../later.tsx'
import { ROWS } from '../list/body.ts'
import type { ListProps } from '../list/list.tsx'
import { ListPage } from '../list/list-page.tsx'
import { recordOf } from '../screens.ts'
import { useTab } from '../tab.ts'
import { StatisticPage } from './statistic-page.tsx'

const RowsSwitch = laterWithTexts('kit/page/statistic', async () => (await import('./rows-switch.tsx')).RowsSwitch)

/** The numbers of a list that has no other screen and, behind them, that list. */
export function CountedPage<S extends Shape>({ statistic, ...list }: ListProps<S> & { statistic: Statistic }) {
  const tab = useTab()
  const isList = tab.search.get('body') === ROWS || recordOf(tab.path) !== undefined
  const turn = (
    <Suspense fallback={<span className="inkstone-switch-room" />}>
      <RowsSwitch statistic={statistic} isList={isList} />
    </Suspense>
  )
  return isList ? <ListPage {...list} tools={turn} /> : <StatisticPage statistic={statistic} tools={turn} />
}
