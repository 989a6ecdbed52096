import { Segmented } from 'antd'
import { readAsked, type Statistic } from '#kit/model/statistic.ts'
import { dayOf } from '#kit/model/time.ts'
import { useTexts } from '../language.ts'
import { ROWS } from '../list/body.ts'
import { useTab } from '../tab.ts'
import type { locale } from './locale.ts'
import { givenIn } from './use-statistic.ts'

/** Whether the numbers are read, or the rows they are made of: those of the same period. */
export function RowsSwitch({ statistic, isList }: { statistic: Statistic; isList: boolean }) {
  const say = useTexts<typeof locale>('kit/page/statistic')
  const tab = useTab()
  const turn = () => {
    const none = Object.fromEntries([...tab.search.keys()].map(name => [name, undefined]))
    if (isList) return tab.change(none, 'push')
    const { from, to, basis, filters } = readAsked(statistic, givenIn(statistic, tab.search), dayOf(new Date()))
    const at = statistic.bases[basis]
    tab.change({ ...none, ...filters, [`${at}Begin`]: from, [`${at}End`]: to, body: ROWS }, 'push')
  }
  return (
    <Segmented
      aria-label={say('body')}
      value={isList ? ROWS : 'numbers'}
      onChange={turn}
      options={['numbers', ROWS].map(value => ({ value, label: say(`body.${value}` as 'body.rows') }))}
    />
  )
}
