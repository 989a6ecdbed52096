import { Segmented } from 'antd'
import { readAsked, type Statistic } from '#kit/model/statistic.ts'
import { dayOf } from '#kit/model/time.ts'
import { useTexts } from '../language.ts'
import { ROWS } from '../list/body.ts'
import { useTab } from '../tab.ts'
import type { locale } from './locale.ts'
import { givenIn } from './use-statistic.ts'

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Whether the numbers are read, or the rows they are made of: those of the same period. */
export function RowsSwitch({ statistic, isList }: { statistic: Statistic; isList: boolean }) {
  const say = useTexts<typeof locale>('kit/page/statistic')
  const tab = useTab()
  const turn = () => {
    const none = Object.fromEntries([...tab.search.keys()].map(name => [name, undefined]))
    tab.change({ ...none, ...(isList ? asNumbers : asRows)(statistic, tab.search) }, 'push')
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

/** The list of what the numbers are asked of. */
function asRows(statistic: Statistic, search: URLSearchParams): Parameters {
  const { from, to, basis, filters } = readAsked(statistic, givenIn(statistic, search), dayOf(new Date()))
  const at = statistic.bases[basis]
  return { ...filters, [`${at}Begin`]: from, [`${at}End`]: to, body: ROWS }
}

/** The numbers of what the list shows, as far as they can be asked so. */
function asNumbers(statistic: Statistic, search: URLSearchParams): Parameters {
  const { filters } = readAsked(statistic, givenIn(statistic, search), dayOf(new Date()))
  const bases = Object.entries(statistic.bases)
  const asked = bases.findIndex(([, at]) => search.has(`${at}Begin`) || search.has(`${at}End`))
  const [basis, at] = bases[asked] ?? []
  return {
    ...filters,
    from: search.get(`${at}Begin`) ?? undefined,
    to: search.get(`${at}End`) ?? undefined,
    basis: asked > 0 ? basis : undefined,
  }
}
