import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { create } from 'zustand'
import { DEFAULT_PAGE_SIZE, type Paged, TABLE_RELOAD_MS } from '#kit/model/contract.ts'
import { choicesOf } from '#kit/model/field.ts'
import { type Resource, type RowOf, schemaIn } from '#kit/model/resource.ts'
import { get, type Query } from '../call.ts'
import { type TabHandle, useTab } from '../tab.ts'

/** Parameters of a list's address that are not filters. */
const OWN = new Set(['current', 'size', 'sort', 'query', 'open', 'edit', 'create', 'of', 'view', 'body'])
const isOwn = (name: string) => OWN.has(name) || name.startsWith('with.')

type Filters = Readonly<Record<string, readonly string[]>>

export type ListState = {
  readonly current: number
  readonly size: number
  readonly sort: string | undefined
  readonly query: string
  readonly filters: Filters
}

/** A row of whatever resource: every record has an id. */
export type Row = RowOf<Resource> & { readonly id: string }

/** What people call a record. */
export const nameOf = ({ title }: Resource, row: Row | undefined): string | undefined =>
  row && (row.labels[title]?.name ?? String(row[title as keyof Row]))

/** What a list is asked, and how to ask it something else. */
export type Asked = ListState & {
  set(change: Partial<Pick<ListState, 'current' | 'size' | 'sort' | 'query'>>): void
  filter(change: Record<string, readonly string[] | undefined>): void
}

/**
 * The list as its address says: filters, sort and page live there, so that a link shows what its sender saw. The same
 * object as long as the same is asked: a record that is opened changes the address, and not the question.
 */
export function useListState(): Asked {
  const tab = useTab()
  const newest = useRef(tab)
  newest.current = tab
  const text = JSON.stringify(readState(tab.search))
  return useMemo(() => {
    const change: TabHandle['change'] = (...given) => newest.current.change(...given)
    return {
      ...(JSON.parse(text) as ListState),
      set({ current, size, sort, query }) {
        change({
          ...(size === undefined ? {} : { size: size === DEFAULT_PAGE_SIZE ? undefined : String(size) }),
          ...(sort === undefined ? {} : { sort: sort || undefined }),
          // Something else is looked for than a number nobody has.
          ...(query === undefined ? {} : { query: query || undefined, nobody: undefined }),
          // Whatever else changes, one begins on the first page.
          current: current === undefined || current === 1 ? undefined : String(current),
        })
      },
      filter: filters => change({ ...filters, current: undefined }),
    }
  }, [text])
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

/** What of a resource tells how to ask for its rows: of any record. */
type Listing = Pick<Resource, 'screen' | 'at'> & { readonly list: Pick<Resource['list'], 'tabs' | 'exceptions'> }

/** Where the calls of a list are answered. */
export const addressOf = ({ screen, at }: Pick<Resource, 'screen' | 'at'>): string => `/${at ?? screen.name}`

/** Whatever is known of a record is asked for again with it: what stands below it too. */
const ownerOf = ({ screen }: Pick<Resource, 'screen'>): string => screen.name.split('/').slice(0, 2).join('/')

/** One page of rows: old ones stay while new ones load, and a request nobody waits for is cancelled. */
export function useRows(resource: Listing, state: ListState, isWanted = true, againMs: number | false = false) {
  const asked = queryOptions({
    queryKey: [ownerOf(resource), 'list', asQuery(state), addressOf(resource)],
    queryFn: ({ signal }) => get<Paged<Row>>(addressOf(resource), { query: asQuery(state), signal }),
  })
  const client = useQueryClient()
  // Asked while the page is being drawn, not once it stands: the rows are what everybody waits for.
  if (isWanted && client.getQueryState(asked.queryKey) === undefined) void client.prefetchQuery(asked)
  return useQuery({
    ...asked,
    enabled: isWanted,
    refetchInterval: againMs,
    // What stands under a tab belongs to it: rows of another one are not shown while its own are on their way.
    placeholderData: (before, asked) =>
      asked?.queryKey[3] === addressOf(resource) && isSameTab(resource, asked.queryKey[2], asQuery(state))
        ? before
        : undefined,
  })
}

const isSameTab = ({ list: { tabs, exceptions = '' } }: Listing, before: unknown, now: Query): boolean =>
  tabs === undefined ||
  [tabs, 'overdue', exceptions].every(
    name => String((before as Query | undefined)?.[name] ?? '') === String(now[name] ?? ''),
  )

/** What is asked for under the tab of what is wrong; nothing where the list has none. */
export function exceptionsOf(resource: Pick<Resource, 'screen' | 'list' | 'record'>): Filters {
  const { exceptions } = resource.list
  if (exceptions === undefined) return {}
  return { [exceptions]: choicesOf(schemaIn(resource, exceptions)).slice(1) }
}

/** Whether everything that is wrong is asked for, and not only some of it. */
export function isAtExceptions(resource: Pick<Resource, 'screen' | 'list' | 'record'>, filters: Filters): boolean {
  const [[field, all] = []] = Object.entries(exceptionsOf(resource))
  return field !== undefined && all !== undefined && String(all) === String(filters[field] ?? '')
}

/** Numbers nobody had in time may be there when the server has less to do. */
const COUNT_AGAIN_MS = 10_000

/**
 * How many rows stand in each state under the other filters, or how many of those that also match `among`; nothing where
 * nobody can count them in time, or nobody asks.
 */
export function useTabCounts(resource: Resource, { query, filters }: ListState, among: Filters | undefined) {
  const { [resource.list.tabs ?? '']: _tab, overdue: _late, ...rest } = filters
  const { [resource.list.exceptions ?? '']: _wrong, ...others } = rest
  const asked = { query, ...(isAtExceptions(resource, filters) ? others : rest), ...among }
  return useQuery({
    queryKey: [ownerOf(resource), 'counts', asked, addressOf(resource)],
    queryFn: ({ signal }) =>
      get<Record<string, number> | null>(`${addressOf(resource)}/counts`, { query: asked, signal }),
    enabled: resource.list.tabs !== undefined && among !== undefined,
    // Ever more seldom: it is no fresher for being asked for, and a page nobody touches must not hold its session open.
    refetchInterval: ({ state }) => state.data === null && COUNT_AGAIN_MS * 2 ** state.dataUpdateCount,
    placeholderData: keepPreviousData,
  })
}

/** When this person last changed something on a list, or asked for it anew: what comes then is no surprise. */
export const useOwnChanges = create<Readonly<Record<string, number>>>(() => ({}))
export const noteOwnChange = (list: string): void => useOwnChanges.setState({ [list]: Date.now() })
/** Instead of a list, for what may have changed any. */
export const EVERYWHERE = '*'

/** Asks for everything of this resource again, shortly after a change (spec §9: 50 ms). */
export function useReload({ screen }: Pick<Resource, 'screen'>): () => void {
  const client = useQueryClient()
  return () => {
    noteOwnChange(screen.name)
    setTimeout(() => void client.invalidateQueries({ queryKey: [screen.name] }), TABLE_RELOAD_MS)
  }
}

/** Asks for all that stands on the screen again: what is no longer among it goes, and does not wait there until it is looked at. */
export function askForAll(client: QueryClient): void {
  noteOwnChange(EVERYWHERE)
  void client.invalidateQueries()
}

/** The parameters a field may be filtered by: its value, or the ends of a range. */
const NAMES = ['', 'Begin', 'End'] as const
export const isSet = (filters: ListState['filters'], field: string): boolean =>
  NAMES.some(suffix => (filters[field + suffix]?.length ?? 0) > 0)
export const cleared = (field: string) => Object.fromEntries(NAMES.map(suffix => [field + suffix, undefined]))
