import { Menu, type MenuProps } from 'antd'
import { type MouseEvent, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Screen } from '#kit/model/area.ts'
import { useTexts } from '../language.ts'
import { menuOf } from '../menu.ts'
import { findScreen, loadPage } from '../screens.ts'
import { useSettings } from '../settings.ts'
import { useUser } from '../user.ts'
import { HOME } from './guard.ts'
import { AreaIcon } from './icons.tsx'
import type { locale } from './locale.ts'
import { go } from './navigation.ts'
import { addressOf } from './tabs/tabs.ts'

type Item = NonNullable<MenuProps['items']>[number]

/** The person's screens by area. A group everybody has, with one screen, is that screen. */
function useItems(): Item[] {
  const user = useUser()
  const say = useTexts('menu')
  return useMemo(
    () =>
      menuOf(user).map(({ area, screens }): Item => {
        const icon = <AreaIcon key={area.name} name={area.icon} />
        const [only] = screens
        if (area.key === null && screens.length === 1 && only) return { ...itemOf(only, say(only.name as never)), icon }
        return {
          key: area.name,
          icon,
          label: say(area.name as never),
          children: screens.map(screen => itemOf(screen, say(screen.name as never))),
        }
      }),
    [user, say],
  )
}

/** A real link: it can be opened in another window, and hovering it prepares its page. */
const itemOf = (screen: Screen, title: string) => ({
  key: screen.route,
  title,
  label: (
    <Link
      to={screen.route}
      title={title}
      onMouseEnter={() => void loadPage(screen).catch(() => {})}
      onClick={event => comeBack(event, screen.route)}
    >
      {title}
    </Link>
  ),
})

/** A screen that is open is found as it was left, unless another window is asked for. */
function comeBack(event: MouseEvent, route: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  go(addressOf(route))
}

export function ScreenMenu({
  shown,
  mode,
  collapsed = false,
}: {
  shown: string
  mode: 'inline' | 'horizontal'
  collapsed?: boolean
}) {
  const navTheme = useSettings(settings => settings.navTheme)
  const items = useItems()
  const [group = ''] = findScreen(shown)?.name.split('/') ?? []
  const [open, setOpen] = useState<string[]>([])
  useEffect(
    function openItsGroup() {
      setOpen(before => (before.includes(group) ? before : [...before, group]))
    },
    [group],
  )
  const inline = mode === 'inline' ? { inlineCollapsed: collapsed, inlineIndent: 16 } : {}
  // A collapsed menu opens its groups by hovering; which are open is then antd's business.
  const openKeys = mode === 'inline' && !collapsed ? { openKeys: open, onOpenChange: setOpen } : {}
  return <Menu theme={navTheme} mode={mode} items={items} selectedKeys={[shown]} {...inline} {...openKeys} />
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
          <ScreenMenu shown={shown} mode="inline" collapsed={collapsed} />
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
