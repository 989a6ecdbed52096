import { Button, Empty, Grid, Pagination } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { PAGE_SIZES } from '#kit/model/contract.ts'
import { formatCount } from '#kit/model/money.ts'
import type { Resource, RowOf, Shape } from '#kit/model/resource.ts'
import type { BulkTools } from '../bulk/bulk-bar.tsx'
import { isPassing } from '../call.ts'
import type { DetailHead, DetailTab, Shows } from '../detail/detail-types.ts'
import type { Inputs, IsShown } from '../form/fields.tsx'
import { hasText, loadAreaTexts, useTexts } from '../language.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'
import { maySeeScreen } from '../menu.ts'
import { findScreen } from '../screens.ts'
import { prepareQuestions, StepButtons } from '../step.tsx'
import type { AnyWorkflow } from '../step-types.ts'
import { useTab } from '../tab.ts'
import { useUser } from '../user.ts'
import { useBeginView } from './begin-view.ts'
import { DetailDrawer, FormDrawer, prepareDrawers } from './drawers.tsx'
import { FilterBar } from './filters.tsx'
import { useListKeys } from './keyboard.ts'
import { useKnownParameters } from './known-parameters.ts'
import type { Row } from './list-state.ts'
import { ListTable } from './list-table.tsx'
import { RowActions, type RowLink } from './row-actions.tsx'
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

/** A whole screen from a declaration: tabs with counts, filters, table, drawers, bulk actions and export. */
export function ListPage<S extends Shape>(props: ListPageProps<S>) {
  const resource = props.resource as unknown as Resource
  const workflow = props.workflow as AnyWorkflow | undefined
  const mayOpen = useMayOpen()
  const links = (row: Row) => (props.links?.(row as never) ?? []).filter(({ path }) => mayOpen(path))
  const shows = props.shows ?? NONE
  const asking = { inputs: props.inputs ?? NONE, isShown: props.isShown ?? always }
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
      <RecordDrawer
        {...known}
        tabs={props.tabs ?? []}
        head={props.head}
        isUnderWay={props.isUnderWay as ((row: Row) => boolean) | undefined}
        links={links}
      />
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

/** Tabs, filters and what is chosen stay in sight; the table's head sticks below them. */
function useStickingHead() {
  const head = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(function followHeight() {
    const element = head.current
    if (!element) return
    const measure = () => setTop(element.offsetHeight + (Number.parseInt(getComputedStyle(element).top, 10) || 0))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return { head, top }
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

type DrawerProps = { resource: Resource; list: Listed; shows: Shows }

function RecordDrawer({
  resource,
  workflow,
  list,
  shows,
  tabs,
  head,
  isUnderWay,
  links,
}: DrawerProps & {
  workflow: AnyWorkflow | undefined
  tabs: readonly DetailTab[]
  head: DetailHead | undefined
  isUnderWay: ((row: Row) => boolean) | undefined
  links(row: Row): readonly RowLink[]
}) {
  const kit = useTexts<typeof locale>('kit/page')
  const tab = useTab()
  const { rows, openId, open } = list
  const at = rows.findIndex(({ id }) => id === openId)
  return (
    <DetailDrawer
      resource={resource}
      shows={shows}
      tabs={tabs}
      Head={head}
      isUnderWay={isUnderWay}
      onSettled={list.reload}
      id={openId}
      onClose={() => open(undefined)}
      onPrevious={at > 0 ? () => open(rows[at - 1]?.id) : undefined}
      onNext={at >= 0 && at < rows.length - 1 ? () => open(rows[at + 1]?.id) : undefined}
      actions={row => {
        const others = (
          <>
            {links(row).map(({ text, path }) => (
              <Button key={path} onClick={() => tab.open(path)}>
                {text}
              </Button>
            ))}
            {list.may('update') && <Button onClick={() => list.edit(row.id)}>{kit('edit')}</Button>}
          </>
        )
        if (!workflow) return others
        return (
          <StepButtons
            resource={resource}
            workflow={workflow}
            row={row}
            onStep={name => list.step(name, [row.id], [row])}
          >
            {others}
          </StepButtons>
        )
      }}
    />
  )
}

function RecordForm({ resource, list, shows, inputs, isShown }: DrawerProps & { inputs: Inputs; isShown: IsShown }) {
  const tab = useTab()
  const { creating, edited } = list
  return (
    <FormDrawer
      resource={resource}
      inputs={inputs}
      isShown={isShown}
      shows={shows}
      record={creating ? undefined : edited}
      initial={initialValues(resource, tab.search)}
      open={creating || edited !== undefined}
      onClose={() => tab.change({ create: undefined, edit: undefined, ...(creating ? blanks(resource) : {}) }, 'push')}
      onDone={list.changed}
    />
  )
}

/** A link may open the form with fields already filled: `?create=1&with.orderId=5`. */
const initialValues = (resource: Resource, search: URLSearchParams) =>
  Object.fromEntries(
    askedFields(resource).flatMap(field => (search.has(`with.${field}`) ? [[field, search.get(`with.${field}`)]] : [])),
  )
const askedFields = (resource: Resource) => [...resource.create, ...Object.keys(resource.asks)]
const blanks = (resource: Resource) =>
  Object.fromEntries(askedFields(resource).map(field => [`with.${field}`, undefined]))

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
