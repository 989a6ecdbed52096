import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Paged } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { EVERYWHERE, type ListState, type Row, useOwnChanges } from './list-state.ts'

const NOBODY: ReadonlySet<string> = new Set()

type Taken = { readonly question: string; readonly at: number; readonly page: Paged<Row> }

/**
 * The rows as they stand on the screen. What comes of a push, or of a colleague, changes the rows in their places and moves
 * none under the pointer: newcomers wait until they are asked for, and who is no longer among them stands there as such. One's
 * own changes show at once.
 */
export function useSettledRows(resource: Resource, state: ListState, query: UseQueryResult<Paged<Row>>) {
  const own = useOwnChanges(changes => Math.max(changes[resource.screen.name] ?? 0, changes[EVERYWHERE] ?? 0))
  const [taken, take] = useState<Taken>()
  const { data: page, dataUpdatedAt: at, isPlaceholderData } = query
  const { size } = state
  const question = JSON.stringify([state.current, state.size, state.sort, state.query, state.filters])
  const isTaken = taken?.question === question && (taken.at === at || (own < taken.at && taken.page.records.length > 0))
  if (page && !isPlaceholderData && !isTaken) take({ question, at, page })
  const standing = !isPlaceholderData && isTaken ? taken.page : undefined
  return useMemo(() => {
    if (!page || !standing) return { page, waiting: 0, gone: NOBODY, showWaiting() {} }
    const newest = new Map(page.records.map(row => [row.id, row]))
    const shown = new Set(standing.records.map(({ id }) => id))
    // On a full page the last ones may only have moved to the next.
    const isShorter = page.records.length < size || page.total < standing.total
    return {
      gone: isShorter ? new Set([...shown].filter(id => !newest.has(id))) : NOBODY,
      page: { ...page, records: standing.records.map(row => newest.get(row.id) ?? row) },
      waiting: page.records.filter(({ id }) => !shown.has(id)).length,
      showWaiting: () => take({ question, at, page }),
    }
  }, [page, standing, question, at, size])
}
