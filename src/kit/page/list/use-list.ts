import { useEffect, useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { type AnyWorkflow, type StepOptions, type StepResult, useSteps } from '../step.tsx'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import { useListState, useReload, useRows } from './list-state.ts'
import { useEdited } from './use-edited.ts'
import { useRemoval } from './use-removal.ts'

export type Listed = ReturnType<typeof useList>

/** What a list page knows and does: its rows, what is selected, which record is open, and what may be done with them. */
export function useList(
  resource: Resource,
  workflow: AnyWorkflow | undefined,
  asking: Pick<StepOptions, 'inputs' | 'isShown'>,
) {
  const tab = useTab()
  const user = useUser()
  const state = useListState()
  const query = useRows(resource, state)
  const reload = useReload(resource)
  const [selected, select] = useState<readonly string[]>([])
  const [results, setResults] = useState<readonly StepResult[]>()

  const rows = query.data?.records ?? []
  const total = query.data?.total ?? 0
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
  const step = useSteps(resource, workflow, {
    done(many) {
      if (many) setResults(many)
      changed()
    },
    refused: reload,
    ...asking,
  })
  return {
    state,
    query,
    rows,
    total,
    reload,
    changed,
    holds,
    may,
    step,
    remove: useRemoval(resource, changed),
    selected,
    select,
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
