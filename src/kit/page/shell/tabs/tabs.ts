import { create } from 'zustand'
import { dropDraftsOf } from '../../draft.ts'
import { noteUnsaved } from '../../held-input.ts'

/**
 * One open screen. Its key is its route: a screen has one tab, and that tab an address of its own. So has each record on a
 * page to itself.
 */
export type Tab = {
  readonly route: string
  /** Path and search as they were when the tab was last shown. */
  readonly address: string
  /** Counts up with every use; the smallest was used longest ago. */
  readonly used: number
  /** Another generation is another page: reloading a tab begins a new one. */
  readonly generation: number
  /** Whether its page is mounted, shown or hidden. A tab restored after a reload is not, until it is looked at. */
  readonly alive: boolean
  /** What its page calls itself, where that is not the screen's name. Not kept over a reload: it may be somebody's name. */
  readonly title?: string
}

export type TabsState = { readonly tabs: readonly Tab[]; readonly unsaved: ReadonlySet<string> }

/** ~2.7 MB each: beyond this the least used page without unsaved input is let go; its tab stays. */
export const MAX_ALIVE = 20

const EMPTY: TabsState = { tabs: [], unsaved: new Set() }
export const useTabs = create<TabsState>(() => EMPTY)
useTabs.subscribe(({ unsaved }) => noteUnsaved(unsaved.size > 0))

/** The tab of this route comes to the front; it is opened at the end of the bar when there is none. */
export function visit(state: TabsState, route: string, address: string): TabsState {
  const used = nextUse(state)
  const known = state.tabs.find(tab => tab.route === route)
  if (known?.address === address && known.alive && known.used === used - 1) return state
  const tabs = known
    ? state.tabs.map(tab => (tab === known ? { ...tab, address, used, alive: true } : tab))
    : [...state.tabs, { route, address, used, generation: 0, alive: true }]
  return { ...state, tabs: letGo(tabs, state.unsaved, route) }
}

function letGo(tabs: readonly Tab[], unsaved: ReadonlySet<string>, shown: string): readonly Tab[] {
  const surplus = tabs.filter(tab => tab.alive).length - MAX_ALIVE
  if (surplus <= 0) return tabs
  const dropped = tabs
    .filter(tab => tab.alive && tab.route !== shown && !unsaved.has(tab.route))
    .sort((a, b) => a.used - b.used)
    .slice(0, surplus)
  return tabs.map(tab => (dropped.includes(tab) ? { ...tab, alive: false } : tab))
}

const nextUse = ({ tabs }: TabsState): number => Math.max(0, ...tabs.map(({ used }) => used)) + 1

/** Ends tabs and with them the state of their pages. */
export function closeTabs(routes: readonly string[]): void {
  dropDraftsOf(routes)
  useTabs.setState(({ tabs, unsaved }) => ({
    tabs: tabs.filter(({ route }) => !routes.includes(route)),
    unsaved: new Set([...unsaved].filter(route => !routes.includes(route))),
  }))
}

/** Of the tabs that stay, the one that was looked at last. */
export const lastUsed = (tabs: readonly Tab[], without: readonly string[]): Tab | undefined =>
  tabs.filter(({ route }) => !without.includes(route)).sort((a, b) => b.used - a.used)[0]

/** Where a screen is found: in its tab as it was left, else at its beginning. */
export const addressOf = (route: string): string =>
  useTabs.getState().tabs.find(tab => tab.route === route)?.address ?? route

export function renewTab(route: string): void {
  dropDraftsOf([route])
  useTabs.setState(({ tabs, unsaved }) => ({
    tabs: tabs.map(tab => (tab.route === route ? { ...tab, generation: tab.generation + 1 } : tab)),
    unsaved: new Set([...unsaved].filter(other => other !== route)),
  }))
}

export function setTabAddress(route: string, address: string): void {
  useTabs.setState(({ tabs }) => ({ tabs: tabs.map(tab => (tab.route === route ? { ...tab, address } : tab)) }))
}

export function setTabTitle(route: string, title: string): void {
  useTabs.setState(state => {
    if (state.tabs.find(tab => tab.route === route)?.title === title) return state
    return { ...state, tabs: state.tabs.map(tab => (tab.route === route ? { ...tab, title } : tab)) }
  })
}

/** The tab of one record becomes that of another, in its place; where that one is open already, it only closes. */
export function turnTab(route: string, next: string, address: string): void {
  if (useTabs.getState().tabs.some(tab => tab.route === next)) {
    closeTabs([route])
    return
  }
  dropDraftsOf([route])
  useTabs.setState(({ tabs, unsaved }) => ({
    tabs: tabs.map(tab => {
      if (tab.route !== route) return tab
      const { title: _, ...turned } = tab
      return { ...turned, route: next, address }
    }),
    unsaved: new Set([...unsaved].filter(other => other !== route)),
  }))
}

export function setUnsaved(route: string, isUnsaved: boolean): void {
  const { unsaved } = useTabs.getState()
  if (unsaved.has(route) === isUnsaved) return
  const next = new Set(unsaved)
  if (isUnsaved) next.add(route)
  else next.delete(route)
  useTabs.setState({ unsaved: next })
}

export type Closing = 'current' | 'right' | 'left' | 'all'
/** Spec §2: why nothing is closed. */
type ClosingRefusal = 'last-tab' | 'none-left' | 'none-right'

/** The tabs a choice of the right-click menu ends, or why it ends none. One tab always stays: for "all" it is `home`. */
export function tabsToClose(
  tabs: readonly Pick<Tab, 'route'>[],
  clicked: string,
  closing: Closing,
  home: string,
): { routes: string[] } | { refusal: ClosingRefusal } {
  const at = tabs.findIndex(({ route }) => route === clicked)
  const routes = tabs.map(({ route }) => route)
  if (closing === 'left') return at > 0 ? { routes: routes.slice(0, at) } : { refusal: 'none-left' }
  if (closing === 'right') return at < routes.length - 1 ? { routes: routes.slice(at + 1) } : { refusal: 'none-right' }
  if (closing === 'current') return routes.length > 1 ? { routes: [clicked] } : { refusal: 'last-tab' }
  const others = routes.filter(route => route !== home)
  return others.length > 0 ? { routes: others } : { refusal: 'last-tab' }
}

const KEY = 'inkstone-tabs'

/** Tabs live as long as the browser's own tab, and belong to one person. */
export function keepTabs(person: string, mayOpen: (route: string) => boolean): () => void {
  useTabs.setState({ tabs: readKept(person).filter(({ route }) => mayOpen(route)), unsaved: new Set() })
  const stop = useTabs.subscribe(({ tabs }) => {
    const kept = tabs.map(({ route, address, used }) => ({ route, address, used }))
    sessionStorage.setItem(KEY, JSON.stringify({ person, tabs: kept }))
  })
  return () => {
    stop()
    useTabs.setState(EMPTY)
  }
}

function readKept(person: string): Tab[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { person: string; tabs: Tab[] } | null
    if (kept?.person !== person) return []
    return kept.tabs.map(({ route, address, used }) => ({ route, address, used, generation: 0, alive: false }))
  } catch {
    return []
  }
}
