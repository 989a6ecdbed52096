import { Skeleton } from 'antd'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { Shape } from '#kit/model/resource.ts'
import type { Statistic } from '#kit/model/statistic.ts'
import { loadChunk } from '../chunk.ts'
import { loadTexts } from '../language.ts'
import { useBeginView } from '../list/begin-view.ts'
import { ROWS } from '../list/body.ts'
import type { ListProps } from '../list/list.tsx'
import { ListPage } from '../list/list-page.tsx'
import { recordOf } from '../screens.ts'
import { useTab } from '../tab.ts'
import { StatisticPage } from './statistic-page.tsx'

/** What turns from the one to the other, or the numbers with such tools. */
type Shown = { readonly isList: boolean } | { readonly tools: ReactNode }

/** What is counted comes with the numbers: it may count what other lists hold, and the list behind them does not wait for that. */
export const laterCounted = (load: () => Promise<Statistic>): ComponentType<Shown> =>
  lazy(() =>
    loadChunk(async () => {
      const parts = [load(), import('./rows-switch.tsx'), loadTexts('kit/page/statistic')] as const
      const [statistic, { RowsSwitch }] = await Promise.all(parts)
      return {
        default: (shown: Shown) =>
          'tools' in shown ? (
            <StatisticPage statistic={statistic} tools={shown.tools} />
          ) : (
            <RowsSwitch statistic={statistic} isList={shown.isList} />
          ),
      }
    }),
  )

export type Counted<S extends Shape> = ListProps<S> & { counted: ComponentType<Shown> }

/** The numbers of a list that has no other screen and, behind them, that list. */
export function CountedPage<S extends Shape>({ counted: Numbers, ...list }: Counted<S>) {
  const tab = useTab()
  const isRecord = recordOf(tab.path) !== undefined
  const isList = isRecord || tab.search.get('body') === ROWS
  useBeginView(list.resource, !isRecord)
  const turn = (
    <Suspense fallback={<span className="inkstone-switch-room" />}>
      <Numbers isList={isList} />
    </Suspense>
  )
  if (isList) return <ListPage {...list} tools={turn} />
  return (
    <Suspense fallback={<Skeleton active />}>
      <Numbers tools={turn} />
    </Suspense>
  )
}
