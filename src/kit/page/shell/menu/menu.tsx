import { StarFilled } from '@ant-design/icons'
import { Menu, type MenuProps, type MenuRef } from 'antd'
import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Screen } from '#kit/model/area.ts'
import { type MenuGroup, ownOf } from '#kit/model/menu.ts'
import { loadAhead } from '../../chunk.ts'
import { useTexts } from '../../language.ts'
import { useTitles } from '../../menu.ts'
import { findScreen, loadPage } from '../../screens.ts'
import { useSettings } from '../../settings.ts'
import { useUser } from '../../user.ts'
import type { locale } from '../locale.ts'
import { AreaIcon } from '../look/icons.tsx'
import { HOME } from '../session/guard.ts'
import { go } from '../session/navigation.ts'
import { addressOf } from '../tabs/tabs.ts'
import { Star, useFavourites } from './favourites.tsx'
import { FilterButton, MenuFilter, useFocusWhen } from './filter.tsx'
import { useNarrowed } from './narrowed.ts'
import './menu.css'

type Item = NonNullable<MenuProps['items']>[number]

const FAVOURITES = 'favourites'
/** The person's screens by area, below those marked as favourites. A group everybody has, with one screen, is that screen. */
function useItems(groups: readonly MenuGroup[], isNarrowed: boolean): Item[] {
  const title = useTitles()
  const entries = useUser(user => user.permissions)
  const shell = useTexts<typeof locale>('kit/page/shell')
  const favourites = useFavourites()
  return useMemo(() => {
    const screens = groups.flatMap(group => group.screens)
    const marked = favourites.flatMap(name => screens.find(screen => screen.name === name) ?? [])
    const areas = groups.map(({ area, screens: own }): Item => {
      const icon = <AreaIcon key={area.name} name={ownOf(entries, area.key)?.icon ?? area.icon} />
      const [only] = own
      if (area.key === null && own.length === 1 && only) return { ...itemOf(only, title(only.name)), icon }
      return {
        key: area.name,
        icon,
        label: title(area.name),
        children: own.map(screen => itemOf(screen, title(screen.name))),
      }
    })
    if (marked.length === 0 || isNarrowed) return areas
    const children = marked.map(screen => ({
      ...itemOf(screen, title(screen.name)),
      // In its own group the page is shown as the one that is open; one such mark is enough.
      key: `${FAVOURITES}:${screen.route}`,
    }))
    return [{ key: FAVOURITES, icon: <StarFilled key={FAVOURITES} />, label: shell('favourites'), children }, ...areas]
  }, [groups, isNarrowed, title, entries, shell, favourites])
}

/** A real link: it can be opened in another window, and hovering it prepares its page. */
const itemOf = (screen: Screen, title: string) => ({
  key: screen.route,
  title,
  label: (
    <span className="ink-menu-entry">
      <Link
        to={screen.route}
        title={title}
        onMouseEnter={() => loadAhead(() => loadPage(screen))}
        onClick={event => comeBack(event, screen.route)}
      >
        {title}
      </Link>
      <Star screen={screen} title={title} />
    </span>
  ),
})

/** A screen that is open is found as it was left, unless another window is asked for. */
function comeBack(event: MouseEvent, route: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  go(addressOf(route))
}

/** Longer than the opening of a group takes. */
const OPENING_MS = 400
const MOST_LOOKS = 5

/** Whether what is shown stands there by now, moved to where it is seen. The menu alone is moved: scrollIntoView would take the page along. */
function isInSight(list: HTMLElement | null | undefined): boolean {
  const entry = list?.querySelector('.ant-menu-item-selected')?.getBoundingClientRect()
  const pane = list?.closest('nav')
  if (!entry || !pane) return false
  const { top, bottom } = pane.getBoundingClientRect()
  if (entry.top < top || entry.bottom > Math.min(bottom, innerHeight)) pane.scrollTop += entry.top - (top + bottom) / 2
  return true
}

type ScreenMenuProps = {
  shown: string
  mode: 'inline' | 'horizontal'
  collapsed?: boolean
  /** What the menu is narrowed to. */
  typed?: string
}

function ScreenMenu({ shown, mode, collapsed = false, typed = '' }: ScreenMenuProps) {
  const navTheme = useSettings(settings => settings.navTheme)
  const shell = useTexts<typeof locale>('kit/page/shell')
  const groups = useNarrowed(typed)
  const isNarrowed = typed.trim() !== ''
  const items = useItems(groups, isNarrowed)
  const screen = findScreen(shown)
  const [group = ''] = screen?.name.split('/') ?? []
  const [open, setOpen] = useState<string[]>([FAVOURITES])
  useEffect(
    function openItsGroup() {
      setOpen(before => (before.includes(group) ? before : [...before, group]))
    },
    [group],
  )
  const shownRoute = screen?.route ?? shown
  const menu = useRef<MenuRef>(null)
  useEffect(
    function keepInSight() {
      if (mode !== 'inline' || shownRoute === '') return
      // On a busy machine a group is not drawn yet when it should be open; and some pages stand in no menu.
      let looks = 0
      const looking = setInterval(() => {
        looks += 1
        if (isInSight(menu.current?.menu?.list) || looks === MOST_LOOKS) clearInterval(looking)
      }, OPENING_MS)
      return () => clearInterval(looking)
    },
    [mode, shownRoute],
  )
  const inline = mode === 'inline' ? { inlineCollapsed: collapsed, inlineIndent: 16 } : {}
  // Whatever is left of a narrowed menu is in sight.
  const all = { openKeys: groups.map(({ area }) => area.name) }
  // A collapsed menu opens its groups by hovering; which are open is then antd's business.
  const openKeys = mode !== 'inline' || collapsed ? {} : isNarrowed ? all : { openKeys: open, onOpenChange: setOpen }
  if (items.length === 0) return <p className="ink-menu-none">{shell('menu-none')}</p>
  return (
    <Menu ref={menu} theme={navTheme} mode={mode} items={items} selectedKeys={[shownRoute]} {...inline} {...openKeys} />
  )
}

/** The menu with a box to narrow it. */
export function NarrowedMenu({ shown, collapsed = false }: { shown: string; collapsed?: boolean }) {
  const [typed, setTyped] = useState('')
  const [isWanted, setWanted] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const groups = useNarrowed(typed)
  useFocusWhen(
    isWanted && !collapsed,
    box,
    useCallback(() => setWanted(false), []),
  )
  const openFirst = () => {
    const first = typed.trim() === '' ? undefined : groups[0]?.screens[0]
    if (!first) return
    setTyped('')
    go(addressOf(first.route))
  }
  return (
    <>
      {collapsed ? (
        <FilterButton onOpened={() => setWanted(true)} />
      ) : (
        <MenuFilter box={box} typed={typed} onTyped={setTyped} onEnter={openFirst} />
      )}
      <ScreenMenu shown={shown} mode="inline" collapsed={collapsed} typed={collapsed ? '' : typed} />
    </>
  )
}

export const Logo = ({ bare = false }: { bare?: boolean }) => {
  const say = useTexts<typeof locale>('kit/page/shell')
  return (
    <Link to={HOME} className="ink-brand" aria-label={say('app')}>
      <img src="/mark.svg" alt="" width={26} height={26} />
      {!bare && <span>{say('app')}</span>}
    </Link>
  )
}

export function SideMenu({ shown }: { shown: string }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const collapsed = useSettings(settings => settings.collapsed)
  return (
    <aside className={collapsed ? 'ink-sider ink-collapsed' : 'ink-sider'}>
      <div className="ink-sider-inner">
        <Logo bare={collapsed} />
        <nav aria-label={say('menu')}>
          <NarrowedMenu shown={shown} collapsed={collapsed} />
        </nav>
      </div>
    </aside>
  )
}

export function TopMenu({ shown }: { shown: string }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  return (
    <>
      <Logo />
      <nav className="ink-top-menu" aria-label={say('menu')}>
        <ScreenMenu shown={shown} mode="horizontal" />
      </nav>
    </>
  )
}
