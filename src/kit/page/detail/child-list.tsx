import { Flex, Space } from 'antd'
import { type ReactNode, useState } from 'react'
import { below, type Child } from '#kit/model/child.ts'
import { metaOf, type Resource, type Shape } from '#kit/model/resource.ts'
import { headOf, Show } from '../field/show.tsx'
import { hasText, useTexts } from '../language.ts'
import { ExportButton } from '../list/export-button.tsx'
import { FilterBar } from '../list/filters.tsx'
import { type ListState, type Row, useRows } from '../list/list-state.ts'
import { StateTabs } from '../list/state-tabs.tsx'
import { LoadFailed } from '../load-failed.tsx'
import { useNotices } from '../notice.tsx'
import { mayDo, useUser } from '../user.ts'
import type { Shows } from './detail-types.ts'
import type { RelatedTab } from './related.ts'
import { SmallTable } from './small-table.tsx'

type Looks = {
  /** Columns that are the slice's own, by field. */
  shows?: Shows
  /** Stands beside the filters. */
  tools?: ReactNode
  /** How often the rows are asked for again while they are being made. */
  againMs?: number | false
}

/** The records below one as a tab of its detail, for the slice's `tab-of-<parent>.page.tsx`. */
export const childTab = <S extends Shape, Parent = Row>(
  child: Child<S>,
  { order, looks }: Pick<RelatedTab, 'order'> & { looks?: (row: Parent) => Looks },
): RelatedTab => ({
  order,
  key: child.of.screen.key,
  texts: child.resource.screen.name,
  title: 'title',
  show: (id, row) => <ChildList child={child} id={id} {...looks?.(row as Parent)} />,
})

const SIZE = 10

type Props<S extends Shape> = Looks & {
  child: Child<S>
  id: string
  /** What is asked beside: the part of the list this place is about. */
  fixed?: ListState['filters']
}

/** What belongs to one record, by the list engine: tabs with counts, filters, order, export and pages of its own. */
export function ChildList<S extends Shape>({ child, id, fixed = {}, shows = {}, tools, againMs = false }: Props<S>) {
  const resource = below(child as unknown as Child, id)
  const { list, screen } = resource
  const say = useTexts(screen.name)
  const notices = useNotices()
  const mayExport = useUser(user => mayDo(user, screen.key, 'export')) && resource.actions.includes('export')
  const [asked, ask] = useState<ListState>(START)
  const state = { ...asked, filters: { ...asked.filters, ...fixed } }
  const { data, error, refetch } = useRows(resource, state, true, againMs)
  const change = (part: Partial<ListState>) => ask({ ...asked, current: 1, ...part })
  const filter = (changed: Record<string, readonly string[] | undefined>) =>
    change({ filters: Object.fromEntries(Object.entries({ ...asked.filters, ...changed }).filter(isGiven)) })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  const isTabbed = list.tabs !== undefined && !(list.tabs in fixed)
  const isFiltered = list.search.length > 0 || list.filters.some(field => field !== list.tabs)
  return (
    <>
      {isTabbed && <StateTabs resource={resource} field={list.tabs as string} state={state} onChange={filter} />}
      {(isFiltered || mayExport || tools) && (
        <Flex wrap justify="space-between" gap={8} style={{ marginBlockEnd: 8 }}>
          {isFiltered ? (
            <FilterBar
              resource={without(resource, fixed)}
              state={asked}
              onQuery={query => change({ query })}
              onFilter={filter}
              onRefused={reason => notices.told(reason)}
            />
          ) : (
            <span />
          )}
          <Space>
            {tools}
            {mayExport && <ExportButton resource={resource} state={state} />}
          </Space>
        </Flex>
      )}
      <SmallTable<Row>
        rows={data?.records}
        page={{
          current: asked.current,
          size: SIZE,
          total: data?.total ?? 0,
          onChange: current => ask({ ...asked, current }),
        }}
        {...(hasText(screen.name, 'empty') && { empty: say('empty') })}
        onChange={(_page, _filters, sorter) => {
          const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
          const sort = order ? `${columnKey}:${order === 'ascend' ? 'asc' : 'desc'}` : undefined
          if (sort !== asked.sort) change({ sort })
        }}
        columns={[...list.columns, ...toldOf(resource, shows)].map(field => ({
          key: field,
          title: headOf(resource, field, say(`field.${field}`)),
          align: isFigure(resource, field) ? ('right' as const) : ('left' as const),
          ...(list.sort.includes(field) ? { sorter: true, sortOrder: orderOf(asked.sort, field) } : {}),
          render: (_: unknown, row: Row) =>
            shows[field]?.(row as never) ?? <Show resource={resource} field={field} row={row} brief />,
        }))}
      />
    </>
  )
}

/** What the place is about is not chosen there. */
const without = (resource: Resource, fixed: ListState['filters']): Resource => ({
  ...resource,
  list: { ...resource.list, filters: resource.list.filters.filter(field => !(field in fixed)) },
})

const START: ListState = { current: 1, size: SIZE, sort: undefined, query: '', filters: {} }

const isGiven = (entry: [string, readonly string[] | undefined]): entry is [string, readonly string[]] =>
  entry[1] !== undefined

/** What only others know of a row stands after its own columns, as the slice shows it. */
const toldOf = ({ list }: Resource, shows: Shows): string[] =>
  Object.keys(shows).filter(field => !list.columns.includes(field))

const isFigure = (resource: Resource, field: string): boolean =>
  ['money', 'number'].includes(metaOf(resource, field).kind)

const orderOf = (sort: string | undefined, field: string) => {
  const [sorted, direction] = (sort ?? '').split(':')
  if (sorted !== field) return null
  return direction === 'asc' ? ('ascend' as const) : ('descend' as const)
}
