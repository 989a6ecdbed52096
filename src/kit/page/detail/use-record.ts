import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { CallFailed, get, isPassing } from '../call.ts'
import type { Row } from '../list/list-state.ts'
import { useHappened } from './use-happened.ts'

/** A tab out of sight holds no answer: it finds its record as it left it all the same, with what is typed and opened in it. */
export const WORKDAY_MS = 8 * 3_600_000
const LOOK_MS = 2_000
/** Then nobody may be sitting there any more, and calls without a person would keep an idle session open. */
const WATCH_MS = 60_000

type Watched = {
  /** Whether the server is still at work on the record: it is looked at again until that has ended. */
  isUnderWay: ((row: Row) => boolean) | undefined
  onSettled(): void
}

/** One record, as far as it is wanted, and what happened to it: asked for together. */
export function useRecord(
  resource: Resource,
  id: string | undefined,
  isWanted: boolean,
  { isUnderWay, onSettled }: Watched,
) {
  const watched = useRef<{ id: string; since: number }>(undefined)
  const isLong = (seen: string) => watched.current?.id === seen && Date.now() - watched.current.since > WATCH_MS
  useHappened(resource, isWanted ? id : undefined)
  const {
    data: row,
    error,
    refetch,
  } = useQuery({
    queryKey: [resource.screen.name, 'detail', id],
    queryFn: ({ signal }) => get<Row>(`/${resource.screen.name}/${id}`, { signal }),
    enabled: isWanted,
    retry: false,
    gcTime: WORKDAY_MS,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay?.(data) && !isLong(data.id) ? LOOK_MS : false),
  })
  useEffect(function tellWhatHasEnded() {
    if (!row) return
    const isWatched = watched.current?.id === row.id
    if (!isUnderWay?.(row)) {
      if (isWatched) onSettled()
      watched.current = undefined
    } else if (!isWatched) watched.current = { id: row.id, since: Date.now() }
  })
  // A step may take a record to another list: what was read of it here is no longer so.
  const isGone = row !== undefined && error instanceof CallFailed && error.code === CODES['not-found']
  // What was read stays in sight while the server cannot answer just now.
  return { row, error: row && isPassing(error) ? null : error, refetch, isGone }
}
