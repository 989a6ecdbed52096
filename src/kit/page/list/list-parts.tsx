import { Button, Empty, Grid, Pagination } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import { PAGE_SIZES } from '#kit/model/contract.ts'
import { isEnd } from '#kit/model/typed.ts'
import { isPassing } from '../call.ts'
import { formatCount } from '../figures.ts'
import { hasText, useTexts } from '../language.ts'
import { laterWithTexts } from '../later.tsx'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'
import { useBody } from './body.ts'
import { loadBulk } from './bulk-chunk.ts'
import { FilterBar } from './filters.tsx'
import { useAnswer, useAsked, useChosenCount, useHeld } from './list-context.ts'
import { ListTable } from './list-table.tsx'
import { RecordDrawer, RecordForm } from './record.tsx'
import { findsPeople } from './search-box.tsx'
import { Toolbar } from './toolbar.tsx'

// Not every list has states, most are read without a filter, few on a phone.
const StateTabs = lazy(async () => ({ default: (await import('./state-tabs.tsx')).StateTabs }))
const BulkResults = lazy(async () => ({ default: (await import('../bulk/bulk-results.tsx')).BulkResults }))
const BulkBar = lazy(async () => ({ default: (await loadBulk())[0].BulkBar }))
const FilterChips = lazy(async () => ({ default: (await import('./filter-chips.tsx')).FilterChips }))
// Beside the search once the list stands.
const ViewsMenu = laterWithTexts('kit/page/views', async () => (await import('./views.tsx')).ViewsMenu)
// For lists whose rows have pictures, or departments at their side.
const Gallery = laterWithTexts('kit/page/gallery', async () => (await import('../gallery/gallery.tsx')).Gallery)
const Side = laterWithTexts('kit/page/side', async () => (await import('../side/side.tsx')).Side)
const SideButton = laterWithTexts('kit/page/side', async () => (await import('../side/side-button.tsx')).SideButton)
const Cards = lazy(async () => ({ default: (await import('./cards.tsx')).Cards }))

/** The list, and what stands at its side while that is open. */
export function ListPanes({ children }: { children: ReactNode }) {
  const { resource, side } = useHeld()
  const narrow = Grid.useBreakpoint().md === false
  const isOpen = resource.list.side !== undefined && side.isOpen
  return (
    <div className={isOpen && !narrow ? 'inkstone-panes' : undefined}>
      {isOpen && (
        <Suspense fallback={<div />}>
          <Side />
        </Suspense>
      )}
      <div className="inkstone-list">{children}</div>
    </div>
  )
}

/** What stays in sight above the rows. */
export function ListHead({ children }: { children: ReactNode }) {
  const { head } = useHeld()
  const { isFetching } = useAnswer()
  return (
    <div className="inkstone-top" ref={head}>
      {children}
      <div className={isFetching ? 'inkstone-asking inkstone-asking-now' : 'inkstone-asking'} />
    </div>
  )
}

/** What came meanwhile waits here, so that no row moves under somebody's pointer. */
function Newcomers() {
  const kit = useTexts<typeof locale>('kit/page')
  const { waiting, gone, showWaiting } = useAnswer()
  if (waiting + gone.size === 0) return null
  return (
    <div className="inkstone-newcomers">
      <Button size="small" type="primary" shape="round" onClick={showWaiting}>
        {waiting > 0 ? kit('newcomers', { count: waiting }) : kit('gone', { count: gone.size })}
      </Button>
    </div>
  )
}

/** A tab a state with how many rows stand in it, where the list declares them. */
export function ListTabs() {
  const { resource } = useHeld()
  const asked = useAsked()
  if (!resource.list.tabs) return null
  return (
    <Suspense fallback={<div className="inkstone-tabs-room" />}>
      <StateTabs resource={resource} field={resource.list.tabs} state={asked} onChange={asked.filter} />
    </Suspense>
  )
}

/** Search, filters, views and tools in one line; once rows are chosen, what may be done with them. */
export function ListBar() {
  const { resource, workflow, list, tools, bulk } = useHeld()
  const asked = useAsked()
  const isChosen = useChosenCount() > 0
  return (
    <div className={isChosen ? 'inkstone-bar inkstone-bar-covered' : 'inkstone-bar'}>
      <FilterBar
        resource={resource}
        state={asked}
        onQuery={text => asked.set({ query: text })}
        onFilter={asked.filter}
        onRefused={list.refuse}
      >
        {resource.list.side && (
          <Suspense fallback={<span className="inkstone-views-room" />}>
            <SideButton />
          </Suspense>
        )}
        <Suspense fallback={<span className="inkstone-views-room" />}>
          <ViewsMenu resource={resource} />
        </Suspense>
      </FilterBar>
      <Toolbar resource={resource} list={list} tools={tools} />
      <Suspense>{isChosen && <BulkBar resource={resource} workflow={workflow} list={list} Tools={bulk} />}</Suspense>
    </div>
  )
}

/** The filters that are set, each to be taken away. */
export function ListChips() {
  const { resource } = useHeld()
  const asked = useAsked()
  const { rows } = useAnswer()
  if (Object.keys(asked.filters).length === 0) return null
  return (
    <Suspense>
      <FilterChips resource={resource} state={asked} rows={rows} onFilter={asked.filter} />
    </Suspense>
  )
}

/** The rows, and below them, in sight however many they are, who waits to come among them. */
export function ListBody() {
  return (
    <>
      <Rows />
      <Newcomers />
    </>
  )
}

/** In the body the person chose; on a phone they are cards whatever that was. */
function Rows() {
  const { error, isCounted, retry } = useAnswer()
  const narrow = Grid.useBreakpoint().md === false
  const [body] = useBody(useHeld().resource)
  if (error && !(isCounted && isPassing(error))) return <LoadFailed error={error} onRetry={retry} />
  const empty = <NoRows />
  if (!narrow && body === 'table') return <ListTable empty={empty} />
  return <Suspense>{narrow ? <Cards empty={empty} /> : <Gallery empty={empty} />}</Suspense>
}

function NoRows() {
  const kit = useTexts<typeof locale>('kit/page')
  const { resource, list } = useHeld()
  const asked = useAsked()
  const say = useTexts(resource.screen.name)
  const filtered = asked.query !== '' || Object.keys(asked.filters).length > 0
  const none = !filtered && hasText(resource.screen.name, 'empty') ? say('empty') : kit('empty-filtered')
  const text = isEnd(asked.query) && findsPeople(resource) ? kit('empty-end') : none
  const nobody = asked.filters.nobody?.[0]
  // After another start of the page nobody knows the reason any more.
  const why = nobody === 'refused' ? (list.refusal ?? kit('phone-refused')) : kit('phone-not-found')
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={nobody === undefined ? text : why} />
}

export function ListPager() {
  const kit = useTexts<typeof locale>('kit/page')
  const asked = useAsked()
  const { total, isCounted } = useAnswer()
  if (!isCounted) return null
  return (
    <Pagination
      style={{ marginTop: 12, justifyContent: 'flex-end' }}
      size="small"
      current={asked.current}
      pageSize={asked.size}
      total={total}
      pageSizeOptions={[...PAGE_SIZES]}
      showSizeChanger
      showTotal={(all, [from, to]) => kit('total-of', { from, to, total: formatCount(all) })}
      onChange={(current, size) => asked.set({ current: size === asked.size ? current : 1, size })}
    />
  )
}

/** What opens over the rows: a record, its form, and what became of many. */
export function ListRecord() {
  const { resource, told, asking, list, links } = useHeld()
  return (
    <>
      <RecordDrawer {...told} list={list} links={links} />
      <RecordForm resource={resource} list={list} {...asking} />
      <Suspense>
        {list.results && <BulkResults resource={resource} list={list} results={list.results} shows={asking.shows} />}
      </Suspense>
    </>
  )
}
