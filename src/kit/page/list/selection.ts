import { useState } from 'react'
import { createStore, type StoreApi } from 'zustand'
import type { ListState } from './list-state.ts'

export type Chosen = { readonly ids: readonly string[]; readonly isAll: boolean }

/** What is chosen of one list. A store and no state of the page: a row that is chosen draws itself anew, and nothing else. */
export type Selection = {
  readonly store: StoreApi<Chosen>
  select(ids: readonly string[]): void
  toggle(id: string): void
  selectAll(): void
}

const NOTHING: Chosen = { ids: [], isAll: false }

function createSelection(): Selection {
  const store = createStore<Chosen>(() => NOTHING)
  // Choosing rows one by one ends the choice of all that match.
  const select = (ids: readonly string[]) => store.setState(ids.length === 0 ? NOTHING : { ids, isAll: false })
  return {
    store,
    select,
    toggle(id) {
      const { ids } = store.getState()
      select(ids.includes(id) ? ids.filter(other => other !== id) : [...ids, id])
    },
    selectAll: () => store.setState({ isAll: true }),
  }
}

/**
 * What is chosen belongs to what was asked: another filter, tab or search begins anew; another page keeps it, and says so.
 * It belongs to its list too: two lists of one record share nothing.
 */
export function useSelection({ filters, query }: ListState): Selection {
  const question = JSON.stringify([filters, query])
  const [kept, keep] = useState(() => ({ question, selection: createSelection() }))
  if (kept.question === question) return kept.selection
  const next = { question, selection: createSelection() }
  keep(next)
  return next.selection
}
