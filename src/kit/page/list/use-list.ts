import { useEffect, useRef, useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import type { ForAll } from '../bulk/matching.ts'
import { useSteps } from '../step.tsx'
import type { AnyWorkflow, StepOptions, StepResult } from '../step-types.ts'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import { type ListState, type Row, useListState, useReload, useRows } from './list-state.ts'
import { useEdited } from './use-edited.ts'
import { useRemoval } from './use-removal.tsx'
import { useSettledRows } from './use-settled-rows.ts'

export type Listed = ReturnType<typeof useList>

/** What a list page knows and does: its rows, what is selected, which record is open, and what may be done with them. */
export function useList(
  resource: Resource,
  workflow: AnyWorkflow | undefined,
  asking: Pick<StepOptions, 'inputs' | 'isShown'>,
  /** Whether its rows are looked at: a record on a page to itself may have none beside it. */
  isListed = true,
) {
  const tab = useTab()
  const user = useUser()
  const state = useListState()
  const query = useRows(resource, state, isListed)
  const reload = useReload(resource)
  const { page, waiting, showWaiting } = useSettledRows(resource, state, query)
  const [selected, select, isAll, selectAll] = useSelection(state)
  const [refusal, refuse] = useState<string>()
  const [results, setResults] = useState<readonly StepResult[]>()

  const rows = page?.records ?? []
  // What was chosen may have gone out of sight: a question about it still names it.
  const seen = useRef(new Map<string, Row>())
  for (const row of rows) seen.current.set(row.id, row)
  const rowsOf = (ids: readonly string[]) => ids.flatMap(id => seen.current.get(id) ?? [])
  const total = page?.total ?? 0
  const holds = (action: string) => mayDo(user, resource.screen.key, action)
  const may = (action: string) => resource.actions.includes(action) && holds(action)
  const creating = tab.search.has('create') && may('create')
  const edited = useEdited(resource, may('update') ? (tab.search.get('edit') ?? undefined) : undefined)
  const openId = tab.search.get('open') ?? undefined

  useEffect(function leaveEmptyLastPage() {
    if (query.isSuccess && !query.isPlaceholderData && rows.length === 0 && total > 0 && state.current > 1) {
      state.set({ current: Math.max(1, Math.ceil(total / state.size)) })
    }
  })

  const changed = () => {
    select([])
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
    query,
    rows,
    total,
    /** Whether anybody has said yet how many rows there are. */
    isCounted: page !== undefined,
    refusal,
    refuse,
    waiting,
    showWaiting,
    reload,
    changed,
    holds,
    may,
    rowsOf,
    step: (name: string, ids: readonly string[], rows: readonly Row[] = rowsOf(ids)) => ask(name, ids, rows),
    remove: (ids: readonly string[]) => removal(ids, rowsOf(ids)),
    stepForAll: (name: string, all: ForAll) => ask(name, [], [], all),
    selected,
    select,
    isAll,
    selectAll,
    toggle: (id: string) => select(selected.includes(id) ? selected.filter(other => other !== id) : [...selected, id]),
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

const NOTHING_CHOSEN: { readonly ids: readonly string[]; readonly isAll: boolean } = { ids: [], isAll: false }

/**
 * What is chosen belongs to what was asked: another filter, tab or search begins anew; another page keeps it, and says so.
 * All that match may be chosen too, beyond the rows in sight; choosing rows again ends that.
 */
function useSelection({ filters, query }: ListState) {
  const question = JSON.stringify([filters, query])
  const [chosen, choose] = useState({ question, ...NOTHING_CHOSEN })
  if (chosen.question !== question) choose({ question, ...NOTHING_CHOSEN })
  const { ids, isAll } = chosen.question === question ? chosen : NOTHING_CHOSEN
  const select = (next: readonly string[]) => choose({ question, ids: next, isAll: false })
  return [ids, select, isAll, () => choose({ question, ids, isAll: true })] as const
}
