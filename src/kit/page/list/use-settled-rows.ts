import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Paged } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { type ListState, type Row, useOwnChanges } from './list-state.ts'

type Taken = { readonly question: string; readonly at: number; readonly page: Paged<Row> }

/**
 * The rows as they stand on the screen. What comes of a push, or of a colleague, changes the rows in their places and moves
 * none under the pointer: newcomers wait until they are asked for. One's own changes show at once.
 */
export function useSettledRows(resource: Resource, state: ListState, query: UseQueryResult<Paged<Row>>) {
  const own = useOwnChanges(changes => changes[resource.screen.name]) ?? 0
  const [taken, take] = useState<Taken>()
  const { data: page, dataUpdatedAt: at, isPlaceholderData } = query
  const question = JSON.stringify([state.current, state.size, state.sort, state.query, state.filters])
  if (!page || isPlaceholderData) return { page, waiting: 0, showWaiting() {} }
  const fresh = { question, at, page }
  const isTaken = taken?.question === question
  if (!isTaken || (taken.at !== at && (own >= taken.at || taken.page.records.length === 0))) {
    take(fresh)
    return { page, waiting: 0, showWaiting() {} }
  }
  const newest = new Map(page.records.map(row => [row.id, row]))
  const shown = new Set(taken.page.records.map(({ id }) => id))
  return {
    page: { ...page, records: taken.page.records.map(row => newest.get(row.id) ?? row) },
    waiting: page.records.filter(({ id }) => !shown.has(id)).length,
    showWaiting: () => take(fresh),
  }
}
