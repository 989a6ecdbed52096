import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Paged } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { ForAll } from '../bulk/matching.ts'
import { useSteps } from '../step.tsx'
import type { AnyWorkflow, StepOptions, StepResult } from '../step-types.ts'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import { type Row, useListState, useReload, useRows } from './list-state.ts'
import { useSelection } from './selection.ts'
import { useEdited } from './use-edited.ts'
import { useRemoval } from './use-removal.tsx'
import { useSettledRows } from './use-settled-rows.ts'

export type Listed = ReturnType<typeof useList>

export type Rights = {
  /** Whether the person holds this right on the list's page. */
  holds(action: string): boolean
  /** Whether the list offers it, too. */
  may(action: string): boolean
}

export type Answer = {
  readonly rows: readonly Row[]
  readonly total: number
  /** Whether anybody has said yet how many rows there are. */
  readonly isCounted: boolean
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly isSuccess: boolean
  /** Rows of the question before, while this one is on its way. */
  readonly isOld: boolean
  readonly error: Error | null
  retry(): void
  /** How many have come meanwhile. */
  readonly waiting: number
  /** Rows that stand here and are no longer among those asked for. */
  readonly gone: ReadonlySet<string>
  showWaiting(): void
}

/** What a list page knows and does: its rows, what is selected, which record is open, and what may be done with them. */
export function useList(
  resource: Resource,
  workflow: AnyWorkflow | undefined,
  asking: Pick<StepOptions, 'inputs' | 'isShown' | 'shows' | 'tells' | 'outcome'>,
  /** Whether its rows are looked at: a record on a page to itself may have none beside it. */
  isListed = true,
) {
  const tab = useTab()
  const user = useUser()
  const state = useListState()
  const query = useRows(resource, state, isListed)
  const reload = useReload(resource)
  const settled = useSettledRows(resource, state, query)
  const selection = useSelection(state)
  const [refusal, refuse] = useState<string>()
  const [results, setResults] = useState<readonly StepResult[]>()

  const answer = useAnswered(query, settled)
  const { rows, total } = answer
  // What was chosen may have gone out of sight: a question about it still names it.
  const seen = useRef(new Map<string, Row>())
  for (const row of rows) seen.current.set(row.id, row)
  const rowsOf = (ids: readonly string[]) => ids.flatMap(id => seen.current.get(id) ?? [])
  const rights = useMemo((): Rights => {
    const holds = (action: string) => mayDo(user, resource.screen.key, action)
    return { holds, may: action => resource.actions.includes(action) && holds(action) }
  }, [user, resource])
  const { may } = rights
  const creating = tab.search.has('create') && may('create')
  const edited = useEdited(resource, may('update') ? (tab.search.get('edit') ?? undefined) : undefined)
  const openId = tab.search.get('open') ?? undefined

  useEffect(function leaveEmptyLastPage() {
    if (query.isSuccess && !query.isPlaceholderData && rows.length === 0 && total > 0 && state.current > 1) {
      state.set({ current: Math.max(1, Math.ceil(total / state.size)) })
    }
  })

  const changed = () => {
    selection.select([])
    reload()
  }
  const ask = useSteps(resource, workflow, {
    done(many) {
      if (many) setResults(many)
      changed()
    },
    refused: reload,
    ...asking,
  })
  const removal = useRemoval(resource, changed)
  return {
    state,
    answer,
    rights,
    selection,
    refusal,
    refuse,
    reload,
    changed,
    rowsOf,
    step: (name: string, ids: readonly string[], rows: readonly Row[] = rowsOf(ids)) => ask(name, ids, rows),
    remove: (ids: readonly string[]) => removal(ids, rowsOf(ids)),
    stepForAll: (name: string, all: ForAll) => ask(name, [], [], all),
    results,
    closeResults: () => setResults(undefined),
    openId,
    open: (id: string | undefined) => tab.change({ open: id }, 'push'),
    creating,
    edited,
    create: () => tab.change({ create: '1' }, 'push'),
    edit: (id: string) => tab.change({ edit: id }, 'push'),
  }
}

const NO_ROWS: readonly Row[] = []

/** One object as long as it says the same: whoever reads it alone is not drawn anew for anything else. */
function useAnswered(
  { isPending, isFetching, isSuccess, isPlaceholderData, error, refetch }: UseQueryResult<Paged<Row>>,
  { page, waiting, gone, showWaiting }: ReturnType<typeof useSettledRows>,
): Answer {
  return useMemo(
    () => ({
      rows: page?.records ?? NO_ROWS,
      total: page?.total ?? 0,
      isCounted: page !== undefined,
      isPending,
      isFetching,
      isSuccess,
      isOld: isPlaceholderData,
      error,
      retry: () => void refetch(),
      waiting,
      gone,
      showWaiting,
    }),
    [page, isPending, isFetching, isSuccess, isPlaceholderData, error, refetch, waiting, gone, showWaiting],
  )
}
