import { StatisticPage } from '#kit/page/statistic/statistic-page.tsx'
import { statistic } from './model.ts'

export function Page() {
  return <StatisticPage statistic={statistic} />
}
