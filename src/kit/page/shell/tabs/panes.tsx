import { Activity, memo, Suspense, useMemo, useRef, useState } from 'react'
import { parsePath, Route, Routes } from 'react-router'
import { isKeptAlive } from '#kit/model/menu.ts'
import { useTitles } from '../../menu.ts'
import { PageContext } from '../../permission.tsx'
import { QuestionRoom } from '../../question-room.tsx'
import { findScreen, pageOf } from '../../screens.ts'
import { TabContext, type TabHandle } from '../../tab.ts'
import { type UserState, useUser } from '../../user.ts'
import { ErrorBoundary } from '../failure/error-boundary.tsx'
import { go } from '../session/navigation.ts'
import { useKeptScroll } from './scroll.ts'
import { setTabAddress, setTabTitle, setUnsaved, type Tab, type TabsState, turnTab, useTabs } from './tabs.ts'

/** The pages of all live tabs; only one is shown. Hidden ones keep what they hold and do nothing. */
export function Panes({ state, shown, multiTab }: { state: TabsState; shown: string; multiTab: boolean }) {
  const ground = useRef<HTMLDivElement>(null)
  const entries = useUser(user => user.permissions)
  useKeptScroll(shown, ground)
  return (
    <div ref={ground}>
      {state.tabs
        .filter(tab => isMounted(tab, state, shown, multiTab, entries))
        .map(tab => (
          <Activity key={`${tab.route}#${tab.generation}`} mode={tab.route === shown ? 'visible' : 'hidden'}>
            <Pane route={tab.route} address={tab.address} shown={tab.route === shown} />
          </Activity>
        ))}
    </div>
  )
}

/** Unsaved input is never thrown away by looking elsewhere, whatever the screen's policy. */
function isMounted(
  tab: Tab,
  { unsaved }: TabsState,
  shown: string,
  multiTab: boolean,
  entries: UserState['permissions'],
): boolean {
  if (tab.route === shown || unsaved.has(tab.route)) return true
  const screen = findScreen(tab.route)
  return tab.alive && multiTab && screen !== undefined && isKeptAlive(entries, screen)
}

type PaneProps = { route: string; address: string; shown: boolean }

const Pane = memo(function Pane({ route, address, shown }: PaneProps) {
  const handle = useMemo(() => tabHandle(route, address, shown), [route, address, shown])
  const menu = useTitles()
  const [attempt, setAttempt] = useState(0)
  const screen = findScreen(route)
  if (!screen) return null
  // Asked for again with each attempt: one whose code did not come is another afterwards.
  const Page = pageOf(screen)
  return (
    <TabContext value={handle}>
      <PageContext value={screen.key}>
        {/* Its tab shows the title already; who listens to the page hears it here. */}
        <h1 className="ink-hidden">{menu(screen.name)}</h1>
        <ErrorBoundary key={attempt} onRetry={() => setAttempt(attempt + 1)}>
          <QuestionRoom>
            <Suspense fallback={<Bones />}>
              <Routes location={{ pathname: '/', search: '', hash: '', ...parsePath(address) }}>
                <Route path="*" element={<Page />} />
              </Routes>
            </Suspense>
          </QuestionRoom>
        </ErrorBoundary>
      </PageContext>
    </TabContext>
  )
})

function tabHandle(route: string, address: string, shown: boolean): TabHandle {
  const { pathname: path = route, search = '' } = parsePath(address)
  const current = new URLSearchParams(search)
  return {
    path,
    search: current,
    shown,
    change(parameters, how = 'replace') {
      // Two changes in one event build on each other, so the newest address counts, not the one last rendered.
      const newest = useTabs.getState().tabs.find(tab => tab.route === route)?.address ?? address
      const next = changed(newest, parameters)
      setTabAddress(route, next)
      if (shown) go(next, { replace: how === 'replace' })
    },
    setUnsaved: unsaved => setUnsaved(route, unsaved),
    open: to => go(to),
    turn(to) {
      turnTab(route, parsePath(to).pathname ?? to, to)
      go(to)
    },
    setTitle: title => setTabTitle(route, title),
  }
}

function changed(address: string, parameters: Parameters<TabHandle['change']>[0]): string {
  const { pathname = '', search = '' } = parsePath(address)
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(parameters)) {
    params.delete(name)
    for (const single of value === undefined ? [] : typeof value === 'string' ? [value] : value)
      params.append(name, single)
  }
  const text = params.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}

/** Where a page will stand, the first time. */
const Bones = () => (
  <div className="ink-bones" aria-busy="true">
    <i />
    <i />
    <i />
  </div>
)
