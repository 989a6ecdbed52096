import { beforeEach, describe, expect, test } from 'vitest'
import {
  closeTabs,
  keepTabs,
  lastUsed,
  MAX_ALIVE,
  renewTab,
  setTabAddress,
  setTabTitle,
  setUnsaved,
  type TabsState,
  tabsToClose,
  turnTab,
  useTabs,
  visit,
} from './tabs.ts'

const EMPTY: TabsState = { tabs: [], unsaved: new Set() }
const visited = (...routes: string[]): TabsState => routes.reduce((state, route) => visit(state, route, route), EMPTY)
const routes = ({ tabs }: TabsState) => tabs.map(({ route }) => route)

describe('tabs', () => {
  beforeEach(() => useTabs.setState(EMPTY))

  test('a screen has one tab, whatever its address, and keeps its place in the bar', () => {
    const state = visit(visited('/a', '/b'), '/a', '/a?page=2')
    expect(routes(state)).toEqual(['/a', '/b'])
    expect(state.tabs[0]?.address).toBe('/a?page=2')
  })

  test('the tab of a record becomes that of its neighbour in its place, and is none where that one is open already', () => {
    useTabs.setState(visited('/a', '/list/1', '/b', '/list/3'))
    setTabTitle('/list/1', 'R1')
    turnTab('/list/1', '/list/2', '/list/2?of=list')
    expect(routes(useTabs.getState())).toEqual(['/a', '/list/2', '/b', '/list/3'])
    expect(useTabs.getState().tabs[1]).toMatchObject({ address: '/list/2?of=list' })
    expect(useTabs.getState().tabs[1]?.title).toBeUndefined()
    turnTab('/list/2', '/list/3', '/list/3?of=list')
    expect(routes(useTabs.getState())).toEqual(['/a', '/b', '/list/3'])
  })

  test('what a tab is called is not kept: it may be the name of a child', () => {
    const stop = keepTabs('1', () => true)
    useTabs.setState(visited('/members/list/7'))
    setTabTitle('/members/list/7', '李小墨')
    expect(useTabs.getState().tabs[0]?.title).toBe('李小墨')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('李小墨')
    stop()
  })

  test('showing the same again changes nothing', () => {
    const state = visited('/a')
    expect(visit(state, '/a', '/a')).toBe(state)
  })

  test('beyond twenty pages the one used longest ago is let go, but its tab stays', () => {
    const many = Array.from({ length: MAX_ALIVE }, (_, index) => `/${index}`)
    const state = visit(visit(visited(...many), '/0', '/0'), '/new', '/new')
    expect(state.tabs).toHaveLength(MAX_ALIVE + 1)
    expect(state.tabs.filter(tab => !tab.alive).map(tab => tab.route)).toEqual(['/1'])
  })

  test('a page with unsaved input is never let go', () => {
    const many = Array.from({ length: MAX_ALIVE }, (_, index) => `/${index}`)
    const state = visit({ ...visited(...many), unsaved: new Set(['/0', '/1']) }, '/new', '/new')
    expect(state.tabs.filter(tab => !tab.alive).map(tab => tab.route)).toEqual(['/2'])
  })

  test('what the right-click menu closes, or why it closes nothing', () => {
    const bar = ['/dashboard', '/b', '/c'].map(route => ({ route }))
    const table = (['current', 'left', 'right', 'all'] as const).flatMap(closing =>
      bar.map(({ route }) => {
        const result = tabsToClose(bar, route, closing, '/dashboard')
        return `${closing} of ${route}: ${'routes' in result ? result.routes.join(' ') : result.refusal}`
      }),
    )
    expect(table).toEqual([
      'current of /dashboard: /dashboard',
      'current of /b: /b',
      'current of /c: /c',
      'left of /dashboard: none-left',
      'left of /b: /dashboard',
      'left of /c: /dashboard /b',
      'right of /dashboard: /b /c',
      'right of /b: /c',
      'right of /c: none-right',
      'all of /dashboard: /b /c',
      'all of /b: /b /c',
      'all of /c: /b /c',
    ])
    expect(tabsToClose([{ route: '/b' }], '/b', 'current', '/dashboard')).toEqual({ refusal: 'last-tab' })
    expect(tabsToClose([{ route: '/dashboard' }], '/dashboard', 'all', '/dashboard')).toEqual({ refusal: 'last-tab' })
  })

  test('after closing, the one looked at last comes back', () => {
    const { tabs } = visit(visited('/a', '/b', '/c'), '/a', '/a')
    expect(lastUsed(tabs, ['/a'])?.route).toBe('/c')
    expect(lastUsed(tabs, ['/a', '/b', '/c'])).toBeUndefined()
  })

  test('closing and renewing end what was unsaved', () => {
    useTabs.setState({ ...visited('/a', '/b'), unsaved: new Set(['/a', '/b']) })
    closeTabs(['/a'])
    renewTab('/b')
    expect(useTabs.getState()).toMatchObject({ tabs: [{ route: '/b', generation: 1 }], unsaved: new Set() })
  })

  test('come back after a reload to the same person, asleep until they are looked at', () => {
    const stop = keepTabs('7', () => true)
    useTabs.setState(state => visit(visit(state, '/a', '/a'), '/b', '/b?page=3'))
    setTabAddress('/a', '/a?sort=id')
    setUnsaved('/a', true)
    stop()
    expect(useTabs.getState().tabs).toEqual([])
    keepTabs('7', route => route !== '/gone')()
    const again = keepTabs('7', () => true)
    expect(useTabs.getState().tabs.map(({ address, alive }) => [address, alive])).toEqual([
      ['/a?sort=id', false],
      ['/b?page=3', false],
    ])
    expect(useTabs.getState().unsaved.size).toBe(0)
    again()
  })

  test('are not shown to somebody else, nor where the right is gone', () => {
    const stop = keepTabs('7', () => true)
    useTabs.setState(state => visit(visit(state, '/a', '/a'), '/b', '/b'))
    stop()
    const other = keepTabs('8', () => true)
    expect(useTabs.getState().tabs).toEqual([])
    other()
    sessionStorage.setItem(
      'inkstone-tabs',
      JSON.stringify({
        person: '7',
        tabs: [
          { route: '/a', address: '/a', used: 1 },
          { route: '/b', address: '/b', used: 2 },
        ],
      }),
    )
    const same = keepTabs('7', route => route === '/b')
    expect(routes(useTabs.getState())).toEqual(['/b'])
    same()
  })

  test('a spoilt memory is no memory', () => {
    sessionStorage.setItem('inkstone-tabs', '{')
    const stop = keepTabs('7', () => true)
    expect(useTabs.getState().tabs).toEqual([])
    stop()
  })
})
