import { Button, Empty, Grid, Pagination } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { PAGE_SIZES } from '#kit/model/contract.ts'
import type { Resource, RowOf, Shape } from '#kit/model/resource.ts'
import type { BulkTools } from '../bulk/bulk-bar.tsx'
import { isPassing } from '../call.ts'
import type { DetailHead, DetailTab, Shows } from '../detail/detail-types.ts'
import { formatCount } from '../figures.ts'
import type { Inputs, IsShown } from '../form/fields.tsx'
import { hasText, loadAreaTexts, useTexts } from '../language.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'
import { maySeeScreen } from '../menu.ts'
import { findScreen, recordOf } from '../screens.ts'
import { prepareQuestions } from '../step.tsx'
import type { AnyWorkflow } from '../step-types.ts'
import { useTab } from '../tab.ts'
import { useUser } from '../user.ts'
import { useBeginView } from './begin-view.ts'
import { prepareDrawers, RecordPage } from './drawers.tsx'
import { FilterBar } from './filters.tsx'
import { useListKeys } from './keyboard.ts'
import { useKnownParameters } from './known-parameters.ts'
import type { Row } from './list-state.ts'
import { ListTable } from './list-table.tsx'
import { neighboursOf, pageAddress, RecordActions, RecordDrawer, RecordForm } from './record.tsx'
import { RowActions, type RowLink } from './row-actions.tsx'
import { useStickingHead } from './sticking-head.ts'
import { Toolbar } from './toolbar.tsx'
import { type Listed, useList } from './use-list.ts'
import '../kit.css'

export type ListPageProps<S extends Shape> = {
  resource: Resource<S>
  workflow?: AnyWorkflow | object
  /** Inputs of its own, by field: of the form and of steps. */
  inputs?: Inputs
  /** Whether a field is asked for, given what has been entered so far. */
  isShown?: IsShown
  /** What list and detail show in their own way, by field. */
  shows?: Shows
  /** What a question shows in its own way, by field of a step's `shows`. */
  tells?: Shows
  /** What the detail shows besides its facts and what happened. */
  tabs?: readonly DetailTab[]
  /** What the detail begins with, above its sides. */
  head?: DetailHead
  /** Whether the server is still at work on a record, so that its detail looks again. */
  isUnderWay?(row: RowOf<Resource<S>>): boolean
  /** What may be done besides adding and exporting, beside those buttons. */
  tools?: ReactNode
  /** What may be done with the chosen rows besides steps, beside those buttons. */
  bulk?: BulkTools
  /** Where else a row leads. */
  links?(row: RowOf<Resource<S>>): readonly RowLink[]
}

// Not every list has states, most are read without a filter, few on a phone.
const StateTabs = lazy(async () => ({ default: (await import('./state-tabs.tsx')).StateTabs }))
const BulkResults = lazy(async () => ({ default: (await import('../bulk/bulk-results.tsx')).BulkResults }))
// With the first chosen row; its texts come along.
const loadBulk = () => Promise.all([import('../bulk/bulk-bar.tsx'), loadAreaTexts('kit/page/bulk')])
const BulkBar = lazy(async () => ({ default: (await loadBulk())[0].BulkBar }))
const FilterChips = lazy(async () => ({ default: (await import('./filter-chips.tsx')).FilterChips }))
// Beside the search once the list stands; their texts come along.
const ViewsMenu = lazy(async () => {
  const [{ ViewsMenu: Menu }] = await Promise.all([import('./views.tsx'), loadAreaTexts('kit/page/views')])
  return { default: Menu }
})
const Cards = lazy(async () => ({ default: (await import('./cards.tsx')).Cards }))

const NONE = {}
const always = () => true

/** By then the rows are drawn, and nobody has yet reached for one. */
const PREPARE_MS = 300

/** A whole screen from a declaration: its list, and below its route the page of each record. */
export function ListPage<S extends Shape>(props: ListPageProps<S>) {
  const id = recordOf(useTab().path)
  return id === undefined ? <WholeList {...props} /> : <WholeRecord {...props} id={id} />
}

/** One record, with the tab to itself. Opened from a list (`of`), it knows its neighbours there. */
function WholeRecord<S extends Shape>({ id, ...props }: ListPageProps<S> & { id: string }) {
  const { resource, asking, links, told } = useDeclared(props)
  const tab = useTab()
  const isListed = tab.search.has('of')
  const list = useList(resource, told.workflow, asking, isListed)
  const neighbours = neighboursOf(list, id, next => tab.turn(pageAddress(resource, tab.search, next)))
  return (
    <>
      <RecordPage
        {...told}
        id={id}
        onSettled={list.reload}
        neighbours={isListed ? neighbours : undefined}
        actions={row => <RecordActions {...told} list={list} row={row} links={links(row)} />}
      />
      <RecordForm resource={resource} list={list} shows={told.shows} {...asking} />
    </>
  )
}

/** What the props say, as list and record need it. */
function useDeclared<S extends Shape>(props: ListPageProps<S>) {
  const mayOpen = useMayOpen()
  return {
    resource: props.resource as unknown as Resource,
    asking: { inputs: props.inputs ?? NONE, isShown: props.isShown ?? always, tells: props.tells ?? NONE },
    links: (row: Row) => (props.links?.(row as never) ?? []).filter(({ path }) => mayOpen(path)),
    told: {
      resource: props.resource as unknown as Resource,
      workflow: props.workflow as AnyWorkflow | undefined,
      shows: props.shows ?? NONE,
      tabs: props.tabs ?? [],
      Head: props.head,
      isUnderWay: props.isUnderWay as ((row: Row) => boolean) | undefined,
    },
  }
}

/** Tabs with counts, filters, table, drawers, bulk actions and export. */
function WholeList<S extends Shape>(props: ListPageProps<S>) {
  const { resource, asking, links, told } = useDeclared(props)
  const { workflow, shows } = told
  const list = useList(resource, workflow, asking)
  const { state, query } = list
  useBeginView(resource)
  const cursor = useCursor(list)
  const { head, top } = useStickingHead()
  useKnownParameters(resource, query.error)
  const selectable = props.bulk !== undefined || takesMany(list, workflow)
  usePrepared(query.isSuccess, selectable)
  const narrow = Grid.useBreakpoint().md === false
  const known = { resource, workflow, list, shows }
  const body = {
    ...known,
    selectable,
    empty: <EmptyList resource={resource} list={list} />,
    actions: (row: Row) => (
      <RowActions resource={resource} workflow={workflow} row={row} links={links(row)} list={list} />
    ),
  }
  return (
    <div className="inkstone-list">
      <div className="inkstone-top" ref={head}>
        {resource.list.tabs && (
          <Suspense fallback={<div className="inkstone-tabs-room" />}>
            <StateTabs resource={resource} field={resource.list.tabs} state={state} onChange={state.filter} />
          </Suspense>
        )}
        <div className={list.selected.length > 0 ? 'inkstone-bar inkstone-bar-covered' : 'inkstone-bar'}>
          <FilterBar
            resource={resource}
            state={state}
            onQuery={text => state.set({ query: text })}
            onFilter={state.filter}
            onRefused={list.refuse}
          >
            <Views resource={resource} />
          </FilterBar>
          <Toolbar resource={resource} list={list} tools={props.tools} />
          <Suspense>
            {list.selected.length > 0 && (
              <BulkBar resource={resource} workflow={workflow} list={list} Tools={props.bulk} />
            )}
          </Suspense>
        </div>
        {Object.keys(state.filters).length > 0 && (
          <Suspense>
            <FilterChips resource={resource} state={state} rows={list.rows} onFilter={state.filter} />
          </Suspense>
        )}
        <Newcomers list={list} />
        <div className={query.isFetching ? 'inkstone-asking inkstone-asking-now' : 'inkstone-asking'} />
      </div>
      {query.isError && !(list.isCounted && isPassing(query.error)) ? (
        <LoadFailed error={query.error} onRetry={query.refetch} />
      ) : narrow ? (
        <Suspense>
          <Cards {...body} />
        </Suspense>
      ) : (
        <ListTable {...body} cursor={cursor} top={top} />
      )}
      <Pager list={list} />
      <RecordDrawer {...told} list={list} links={links} />
      <RecordForm resource={resource} list={list} shows={shows} {...asking} />
      <Suspense>{list.results && <BulkResults resource={resource} list={list} results={list.results} />}</Suspense>
    </div>
  )
}

/** What came meanwhile waits here, so that no row moves under somebody's pointer. */
function Newcomers({ list: { waiting, showWaiting } }: { list: Listed }) {
  const kit = useTexts<typeof locale>('kit/page')
  if (waiting === 0) return null
  return (
    <Button className="inkstone-newcomers" size="small" type="primary" shape="round" onClick={showWaiting}>
      {kit('newcomers', { count: waiting })}
    </Button>
  )
}

/** Whether something can be done with several rows at once. */
const takesMany = (list: Listed, workflow: AnyWorkflow | undefined): boolean =>
  list.may('delete') || Object.entries(workflow?.steps ?? {}).some(([name, step]) => list.holds(name) && !step.alone)

/** A way that ends at a closed door is not offered. */
function useMayOpen(): (path: string) => boolean {
  const user = useUser()
  return path => {
    const screen = findScreen(path.split('?')[0] as string)
    return screen !== undefined && maySeeScreen(user, screen)
  }
}

function usePrepared(isListed: boolean, isSelectable: boolean): void {
  useEffect(
    function prepareWhatIsOpenedNext() {
      if (!isListed) return
      const timer = setTimeout(() => {
        prepareDrawers()
        prepareQuestions()
        if (isSelectable) void loadBulk().catch(() => {})
      }, PREPARE_MS)
      return () => clearTimeout(timer)
    },
    [isListed, isSelectable],
  )
}

const Views = ({ resource }: { resource: Resource }) => (
  <Suspense fallback={<span className="inkstone-views-room" />}>
    <ViewsMenu resource={resource} />
  </Suspense>
)

/** The row the keyboard stands on; at rest while a drawer lies over the list. */
function useCursor(list: Listed): number {
  const tab = useTab()
  const [cursor, setCursor] = useState(-1)
  const row = list.rows[cursor]
  const covered = list.openId !== undefined || list.creating || list.edited !== undefined
  useListKeys(tab.shown && !covered, {
    move: by => setCursor(Math.min(list.rows.length - 1, Math.max(0, cursor + by))),
    select: () => row && list.toggle(row.id),
    open: () => row && list.open(row.id),
    edit: () => row && list.may('update') && list.edit(row.id),
  })
  return cursor
}

function Pager({ list: { state, total, isCounted } }: { list: Listed }) {
  const kit = useTexts<typeof locale>('kit/page')
  if (!isCounted) return null
  return (
    <Pagination
      style={{ marginTop: 12, justifyContent: 'flex-end' }}
      size="small"
      current={state.current}
      pageSize={state.size}
      total={total}
      pageSizeOptions={[...PAGE_SIZES]}
      showSizeChanger
      showTotal={(all, [from, to]) => kit('total-of', { from, to, total: formatCount(all) })}
      onChange={(current, size) => state.set({ current: size === state.size ? current : 1, size })}
    />
  )
}

function EmptyList({ resource, list: { state, refusal } }: { resource: Resource; list: Listed }) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const filtered = state.query !== '' || Object.keys(state.filters).length > 0
  const text = !filtered && hasText(resource.screen.name, 'empty') ? say('empty' as never) : kit('empty-filtered')
  const nobody = state.filters.nobody?.[0]
  // After another start of the page nobody knows the reason any more.
  const why = nobody === 'refused' ? (refusal ?? kit('phone-refused')) : kit('phone-not-found')
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={nobody === undefined ? text : why} />
}
