import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DEFAULT_PAGE_SIZE, type Paged, TABLE_RELOAD_MS } from '#kit/model/contract.ts'
import type { Resource, RowOf } from '#kit/model/resource.ts'
import { get, type Query } from '../call.ts'
import { useTab } from '../tab.ts'

/** Parameters of a list's address that are not filters. */
const OWN = new Set(['current', 'size', 'sort', 'query', 'open', 'edit', 'create'])
const isOwn = (name: string) => OWN.has(name) || name.startsWith('with.')

export type ListState = {
  readonly current: number
  readonly size: number
  readonly sort: string | undefined
  readonly query: string
  readonly filters: Readonly<Record<string, readonly string[]>>
}

/** A row of whatever resource: every record has an id. */
export type Row = RowOf<Resource> & { readonly id: string }

/** The list as its address says: filters, sort and page live there, so that a link shows what its sender saw. */
export function useListState(): ListState & {
  set(change: Partial<Pick<ListState, 'current' | 'size' | 'sort' | 'query'>>): void
  filter(change: Record<string, readonly string[] | undefined>): void
} {
  const tab = useTab()
  const state = useMemo(() => readState(tab.search), [tab.search])
  return {
    ...state,
    set({ current, size, sort, query }) {
      tab.change({
        ...(size === undefined ? {} : { size: size === DEFAULT_PAGE_SIZE ? undefined : String(size) }),
        ...(sort === undefined ? {} : { sort: sort || undefined }),
        ...(query === undefined ? {} : { query: query || undefined }),
        // Whatever else changes, one begins on the first page.
        current: current === undefined || current === 1 ? undefined : String(current),
      })
    },
    filter: change => tab.change({ ...change, current: undefined }),
  }
}

export function readState(search: URLSearchParams): ListState {
  const filters: Record<string, string[]> = {}
  for (const name of new Set(search.keys())) if (!isOwn(name)) filters[name] = search.getAll(name)
  return {
    current: Number(search.get('current') ?? 1) || 1,
    size: Number(search.get('size') ?? DEFAULT_PAGE_SIZE) || DEFAULT_PAGE_SIZE,
    sort: search.get('sort') ?? undefined,
    query: search.get('query') ?? '',
    filters,
  }
}

export const asQuery = ({ current, size, sort, query, filters }: ListState): Query => ({
  current,
  size,
  sort,
  query,
  ...filters,
})

/** One page of rows: old ones stay while new ones load, and a request nobody waits for is cancelled. */
export const useRows = (resource: Resource, state: ListState) =>
  useQuery({
    queryKey: [resource.screen.name, 'list', asQuery(state)],
    queryFn: ({ signal }) => get<Paged<Row>>(`/${resource.screen.name}`, { query: asQuery(state), signal }),
    placeholderData: keepPreviousData,
  })

export const useTabCounts = (resource: Resource) =>
  useQuery({
    queryKey: [resource.screen.name, 'counts'],
    queryFn: ({ signal }) => get<Record<string, number>>(`/${resource.screen.name}/counts`, { signal }),
    enabled: resource.list.tabs !== undefined,
  })

/** Asks for everything of this resource again, shortly after a change (spec §9: 50 ms). */
export function useReload(resource: Resource): () => void {
  const client = useQueryClient()
  return () => {
    setTimeout(() => void client.invalidateQueries({ queryKey: [resource.screen.name] }), TABLE_RELOAD_MS)
  }
}

/** The parameters a field may be filtered by: its value, or the ends of a range. */
const NAMES = ['', 'Begin', 'End'] as const
export const isSet = (filters: ListState['filters'], field: string): boolean =>
  NAMES.some(suffix => (filters[field + suffix]?.length ?? 0) > 0)
export const cleared = (field: string) => Object.fromEntries(NAMES.map(suffix => [field + suffix, undefined]))
