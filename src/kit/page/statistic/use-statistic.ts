import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  type Asked,
  listOf,
  measuresOf,
  numbersAt,
  readAsked,
  rowsBehind,
  type Statistic,
  type StatisticAnswer,
} from '#kit/model/statistic.ts'
import { dayOf } from '#kit/model/time.ts'
import { get, queryText } from '../call.ts'
import { useLanguage } from '../language.ts'
import { ROWS } from '../list/body.ts'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'

const OWN = ['from', 'to', 'interval', 'dimension', 'across', 'basis'] as const
const isOwn = (name: string): boolean => OWN.some(own => own === name)

/** What of an address is asked of the statistic. */
export const givenIn = (statistic: Statistic, search: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...OWN, ...statistic.filters].flatMap((name): [string, string | string[]][] => {
      const values = search.getAll(name)
      return values.length === 0 ? [] : [[name, isOwn(name) ? (values[0] as string) : values]]
    }),
  )

/** What a dimension is called in the middle of a sentence: none of them has a name of its own. */
export const inSentence = (dimension: string): string => dimension.charAt(0).toLowerCase() + dimension.slice(1)

/** Where a number leads, and the measure whose rows stand there. */
export type Link = { readonly measure: string; readonly path: string }

export type Shown = ReturnType<typeof useStatistic>

/** What is asked, as the address says it; what came of it; and where its numbers lead. */
export function useStatistic(statistic: Statistic) {
  const tab = useTab()
  const user = useUser()
  const language = useLanguage()
  const given = useMemo(() => givenIn(statistic, tab.search), [tab.search, statistic])
  const query = useQuery({
    // Below the list's name: what refreshes the list refreshes its numbers. Labels come in the language on screen.
    queryKey: [statistic.of.screen.name, 'statistic', statistic.screen.name, given, language],
    queryFn: ({ signal }) => get<StatisticAnswer>(`/${numbersAt(statistic)}`, { query: given, signal }),
    placeholderData: keepPreviousData,
  })
  const asked: Asked = readAsked(statistic, given, dayOf(new Date()))
  const measures = measuresOf(statistic).map(([name]) => name)
  const chosen = tab.search.get('measure') ?? ''
  return {
    statistic,
    asked,
    given,
    query,
    /** What the chart shows. */
    measure: measures.includes(chosen) ? chosen : (measures[0] as string),
    change: (parameters: Parameters<typeof tab.change>[0]) => tab.change(parameters),
    mayExport: mayDo(user, statistic.screen.key, 'export'),
    /** Where the rows behind a number of the answer on screen stand, for whoever may list them. */
    linksTo(
      answer: StatisticAnswer,
      measure: string,
      row?: StatisticAnswer['rows'][number],
      column?: StatisticAnswer['columns'][number],
    ): Link[] {
      return (statistic.measures[measure]?.madeOf ?? [measure]).flatMap(part => {
        const { screen, list } = listOf(statistic, part)
        const filters = mayDo(user, screen.key, 'list') ? rowsBehind(statistic, answer, part, row, column) : undefined
        if (!filters) return []
        const body = list.behind === 'numbers' ? { body: ROWS } : {}
        return [{ measure: part, path: screen.route + queryText({ ...filters, ...body }) }]
      })
    },
    open: (path: string) => tab.open(path),
  }
}
