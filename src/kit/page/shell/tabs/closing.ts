import { App } from 'antd'
import { useTexts } from '../../language.ts'
import { useTitles } from '../../menu.ts'
import { useNotices } from '../../notice.tsx'
import { findScreen, recordOf } from '../../screens.ts'
import { HOME } from '../session/guard.ts'
import { go } from '../session/navigation.ts'
import type { locale } from './locale.ts'
import { type Closing, closeTabs, lastUsed, renewTab, tabsToClose, useTabs } from './tabs.ts'

/** Closes and reloads tabs, asking first where something would be lost. */
export function useClosing(shown: string) {
  const say = useTexts<typeof locale>('kit/page/shell/tabs')
  const menu = useTitles()
  const { modal } = App.useApp()
  const notices = useNotices()
  const titles = useTabs(({ tabs }) => tabs)
  const titleOf = (route: string) => {
    const known = titles.find(tab => tab.route === route)?.title
    if (known !== undefined) return known
    const screen = menu(findScreen(route)?.name ?? route)
    const record = recordOf(route)
    // Until its record is read: not to be taken for the list it stands in.
    return record === undefined ? screen : `${screen} #${record}`
  }

  const end = (routes: readonly string[]) => {
    const { tabs } = useTabs.getState()
    if (routes.includes(shown)) go(lastUsed(tabs, routes)?.address ?? HOME)
    closeTabs(routes)
  }

  const ask = (title: string, content: string, onOk: () => void) =>
    modal.confirm({
      title,
      content,
      okText: say('discard'),
      okType: 'danger',
      cancelText: say('stay'),
      focusable: { autoFocusButton: 'cancel' },
      onOk,
    })

  return {
    titleOf,
    close(clicked: string, closing: Closing) {
      const { tabs, unsaved } = useTabs.getState()
      const chosen = tabsToClose(tabs, clicked, closing, HOME)
      if ('refusal' in chosen) return notices.told(say(chosen.refusal))
      const lost = chosen.routes.filter(route => unsaved.has(route))
      if (lost.length === 0) return end(chosen.routes)
      ask(say('unsaved-ask'), say('unsaved-text', { titles: lost.map(titleOf).join(', ') }), () => end(chosen.routes))
    },
    /** Begins the page anew; `onDone` drops what was fetched for it. */
    reload(onDone: () => void) {
      const renew = () => {
        renewTab(shown)
        onDone()
      }
      if (useTabs.getState().unsaved.has(shown)) ask(say('unsaved-reload'), say('unsaved-reload-text'), renew)
      else renew()
    },
  }
}
