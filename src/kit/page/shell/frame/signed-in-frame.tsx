import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { loadChunk } from '../../chunk.ts'
import { useTexts } from '../../language.ts'
import { later } from '../../later.tsx'
import { maySeeScreen } from '../../menu.ts'
import { findScreen, recordOf } from '../../screens.ts'
import { useSettings } from '../../settings.ts'
import { firstDuty, maySelectText, useUser } from '../../user.ts'
import { ExceptionPage } from '../failure/exception.tsx'
import { OfflineBar } from '../live/offline-bar.tsx'
import { useLive } from '../live/use-live.ts'
import type { locale } from '../locale.ts'
import { usePhone } from '../look/media.ts'
import { Watermark } from '../look/watermark.tsx'
import { SideMenu } from '../menu/menu.tsx'
import type { Place } from '../session/guard.ts'
import { useTitle } from '../session/title.ts'
import { useClosing } from '../tabs/closing.ts'
import { Panes } from '../tabs/panes.tsx'
import { TabBar } from '../tabs/tab-bar.tsx'
import { keepTabs, useTabs, visit } from '../tabs/tabs.ts'
import { Header } from './header.tsx'
import { Overlays } from './overlays.tsx'

const PhoneMenu = lazy(async () => ({ default: (await loadChunk(() => import('../menu/phone-menu.tsx'))).PhoneMenu }))

const DUTY_TEXTS = { password: 'must-change', factor: 'must-enrol' } as const

const PreviewBar = later(async () => (await import('../session/preview-bar.tsx')).PreviewBar)

/** Menu, header, tabs and the page. Socket, notices and guards stand here, above what comes and goes with a tab. */
export function SignedInFrame({ place }: { place: Place }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const info = useUser(user => user.info)
  const duty = firstDuty(info)
  const settings = useSettings()
  const isPhone = usePhone()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const shown = useOpenTabs(place)
  const tabs = useTabs()
  const live = useLive(duty === undefined)
  const client = useQueryClient()
  const closing = useClosing(shown)
  useTitle(place.show === 'screen' ? closing.titleOf(shown) : say(`exception.${place.exception}`))
  useSelectableText(info?.role?.code ?? '')

  const isHeldUp = duty !== undefined
  const hasSider = settings.layout === 'side' && !isPhone && !isHeldUp
  const reload = () =>
    closing.reload(() => {
      if (place.show === 'screen')
        void client.resetQueries({ predicate: ({ queryKey }) => queryKey.includes(place.screen.name) })
    })

  return (
    <div className={frameClass(settings, hasSider)}>
      {/* biome-ignore lint/a11y/useValidAnchor: a place on this page, but the hash of the address is the router's */}
      <a
        className="ink-skip"
        href="#ink-content"
        onClick={event => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {say('skip')}
      </a>
      {hasSider && <SideMenu shown={shown} />}
      {isPhone && (
        <Suspense>
          <PhoneMenu shown={shown} open={isMenuOpen} onClose={() => setMenuOpen(false)} />
        </Suspense>
      )}
      <div className="ink-main">
        <Header shown={shown} live={live} onMenu={() => setMenuOpen(true)} onReload={reload} isHeldUp={isHeldUp} />
        {settings.multiTab && !isHeldUp && <TabBar shown={shown} />}
        {info?.preview && <PreviewBar />}
        <OfflineBar live={live} />
        {/* No field of a form is called so: its label would lead here. */}
        <main id="ink-content" className="ink-content" tabIndex={-1} ref={main}>
          <div className="ink-ground">
            {place.show === 'exception' && <ExceptionPage code={place.exception} />}
            {duty && <p className="ink-must-change">{say(DUTY_TEXTS[duty])}</p>}
            <Panes state={tabs} shown={shown} multiTab={settings.multiTab} />
          </div>
        </main>
        <footer className="ink-footer">{say('footer')}</footer>
      </div>
      <Overlays />
      <Watermark text={`${info?.name} ${info?.account}`} />
    </div>
  )
}

const frameClass = (
  settings: { navTheme: string; fixedHeader: boolean; fixedSidebar: boolean; contentWidth: string; layout: string },
  hasSider: boolean,
): string =>
  [
    'ink-frame',
    `ink-nav-${settings.navTheme}`,
    hasSider && 'ink-with-sider',
    settings.fixedHeader && 'ink-fixed-header',
    settings.fixedSidebar && 'ink-fixed-sidebar',
    settings.contentWidth === 'Fixed' && 'ink-fixed-width',
  ]
    .filter(Boolean)
    .join(' ')

/** Opens a tab for the address, and keeps all of them over a reload. Gives the route of the one that is shown. */
function useOpenTabs(place: Place): string {
  const { pathname, search } = useLocation()
  const person = useUser(user => user.info?.id ?? '')
  // A record on a page of its own is a tab of its own.
  const route = place.show !== 'screen' ? '' : recordOf(pathname) === undefined ? place.screen.route : pathname

  useLayoutEffect(
    function restoreTabs() {
      return keepTabs(person, kept => {
        const screen = findScreen(kept)
        return screen !== undefined && maySeeScreen(useUser.getState(), screen)
      })
    },
    [person],
  )
  useLayoutEffect(
    function openTab() {
      if (route !== '') useTabs.setState(state => visit(state, route, `${pathname}${search}`))
    },
    [route, pathname, search],
  )
  useEffect(function askBeforeLeaving() {
    const ask = (event: BeforeUnloadEvent) => {
      if (useTabs.getState().unsaved.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return route
}

/** Spec §6: text on the page can be selected only by roles that may copy. Inputs always can. */
function useSelectableText(roleCode: string): void {
  useEffect(
    function forbidSelection() {
      document.body.classList.toggle('ink-unselectable', !maySelectText(roleCode))
      return () => document.body.classList.remove('ink-unselectable')
    },
    [roleCode],
  )
}
