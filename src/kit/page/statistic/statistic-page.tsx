import { Skeleton } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Statistic } from '#kit/model/statistic.ts'
import { loadTexts } from '../language.ts'

// Few people read statistics: what draws them and its texts come with the first one.
const Numbers = lazy(async () => {
  const [{ Numbers: Page }] = await Promise.all([import('./numbers.tsx'), loadTexts('kit/page/statistic')])
  return { default: Page }
})

/** A whole screen of numbers from a declaration: cards, one chart, the table under it, and the rows behind each number. */
export function StatisticPage({ statistic, tools }: { statistic: Statistic; tools?: ReactNode }) {
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} title={false} />}>
      <Numbers statistic={statistic} tools={tools} />
    </Suspense>
  )
}
