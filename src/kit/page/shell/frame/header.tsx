import {
  BellOutlined,
  GlobalOutlined,
  HistoryOutlined,
  MenuFoldOutlined,
  MenuOutlined,
  MenuUnfoldOutlined,
  ReloadOutlined,
  SearchOutlined,
  SettingOutlined,
} from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Dropdown, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import { get } from '../../call.ts'
import { currentLanguage, useTexts } from '../../language.ts'
import { useTitles } from '../../menu.ts'
import { findScreen } from '../../screens.ts'
import { changeSettings, useSettings } from '../../settings.ts'
import { LiveButton } from '../live/indicator.tsx'
import type { locale as liveLocale } from '../live/locale.ts'
import { REFUND_NOTICES } from '../live/push-notice.ts'
import type { Live } from '../live/use-live.ts'
import type { locale } from '../locale.ts'
import { useHiddenOnScroll } from '../look/hidden-on-scroll.ts'
import { useMedia, usePhone } from '../look/media.ts'
import { TopMenu } from '../menu/menu.tsx'
import { showOverlay } from '../overlay.ts'
import { chooseLanguage } from '../session/choose-language.ts'
import { LANGUAGE_NAMES } from '../session/language-names.ts'
import { AvatarMenu } from './avatar-menu.tsx'

type HeaderProps = { shown: string; live: Live; onMenu(): void; onReload(): void; isHeldUp: boolean }

export function Header({ shown, live, onMenu, onReload, isHeldUp }: HeaderProps) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const menu = useTitles()
  const { layout, collapsed, multiTab, autoHideHeader, fixedHeader } = useSettings()
  const isPhone = usePhone()
  const isHidden = useHiddenOnScroll(autoHideHeader && fixedHeader)
  const isTop = layout === 'top' && !isPhone && !isHeldUp
  const title = findScreen(shown)?.name
  return (
    <header className={`ink-header${isTop ? ' ink-header-top' : ''}${isHidden ? ' ink-header-hidden' : ''}`}>
      {isTop && <TopMenu shown={shown} />}
      {isPhone && !isHeldUp && <IconButton label={say('menu')} icon={<MenuOutlined />} onClick={onMenu} />}
      {!isTop && !isPhone && !isHeldUp && (
        <IconButton
          label={say(collapsed ? 'expand' : 'collapse')}
          icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
          onClick={() => changeSettings({ collapsed: !collapsed })}
        />
      )}
      <IconButton label={say('reload')} icon={<ReloadOutlined />} onClick={onReload} />
      {!multiTab && title && <span className="ink-header-title">{menu(title)}</span>}
      <span className="ink-grow" />
      {!isHeldUp && <WorkButtons live={live} />}
      <LanguageMenu />
      <IconButton label={say('settings')} icon={<SettingOutlined />} onClick={() => showOverlay('settings')} />
      <AvatarMenu />
    </header>
  )
}

/** What calls the server, and so has to wait until the first password is changed. */
function WorkButtons({ live }: { live: Live }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  return (
    <>
      <button type="button" className="ink-search" aria-label={say('search')} onClick={() => showOverlay('palette')}>
        <SearchOutlined />
        <span>{say('search')}</span>
        <kbd>{/mac/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <LiveButton live={live} />
      <MessageBadge onOpen={() => showOverlay('messages')} />
      <IconButton label={say('recent-notices')} icon={<HistoryOutlined />} onClick={() => showOverlay('notices')} />
    </>
  )
}

const MAX_SHOWN = 99

function MessageBadge({ onOpen }: { onOpen(): void }) {
  const say = useTexts<typeof liveLocale>('kit/page/shell/live')
  const { data } = useQuery({
    queryKey: [REFUND_NOTICES, 'count'],
    queryFn: ({ signal }) => get<{ total: number }>('/message/web/count', { signal }),
  })
  const count = data?.total ?? 0
  return (
    <IconButton
      label={say('messages', { count })}
      icon={
        <>
          <BellOutlined />
          {count > 0 && <span className="ink-badge">{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</span>}
        </>
      }
      onClick={onOpen}
    />
  )
}

function LanguageMenu() {
  const say = useTexts<typeof locale>('kit/page/shell')
  const items = LANGUAGES.map(language => ({ key: language, label: LANGUAGE_NAMES[language] }))
  return (
    <Dropdown
      trigger={['click']}
      menu={{ items, selectedKeys: [currentLanguage()], onClick: ({ key }) => void chooseLanguage(key as Language) }}
    >
      <button type="button" className="ink-icon-button" aria-label={say('language')} title={say('language')}>
        <GlobalOutlined />
      </button>
    </Dropdown>
  )
}

function IconButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick(): void }) {
  // A finger that taps leaves a tooltip behind, over what it opened.
  const isTouched = useMedia('(hover: none)')
  return (
    <Tooltip title={isTouched ? '' : label}>
      <button type="button" className="ink-icon-button" aria-label={label} onClick={onClick}>
        {icon}
      </button>
    </Tooltip>
  )
}
