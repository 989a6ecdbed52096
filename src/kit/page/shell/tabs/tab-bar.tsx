import { CloseOutlined, EllipsisOutlined } from '@ant-design/icons'
import { Dropdown, type MenuProps } from 'antd'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../language.ts'
import { useClosing } from './closing.ts'
import type { locale } from './locale.ts'
import { type Closing, type Tab, useTabs } from './tabs.ts'

const CHOICES: readonly Closing[] = ['current', 'right', 'left', 'all']
const MIDDLE_BUTTON = 1

/** The open screens as links: each can be focused, opened in another window, closed by its button or the middle button. */
export function TabBar({ shown }: { shown: string }) {
  const say = useTexts<typeof locale>('kit/page/shell/tabs')
  const tabs = useTabs(state => state.tabs)
  const { close, titleOf } = useClosing(shown)

  const menuFor = (route: string): MenuProps => ({
    items: CHOICES.map(key => ({ key, label: say(key) })),
    onClick: ({ key, domEvent }) => {
      domEvent.stopPropagation()
      close(route, key as Closing)
    },
  })

  return (
    <nav className="ink-tabs" aria-label={say('tabs')}>
      <ul>
        {tabs.map(tab => (
          <Dropdown key={tab.route} trigger={['contextMenu']} menu={menuFor(tab.route)}>
            <TabItem
              tab={tab}
              isShown={tab.route === shown}
              title={titleOf(tab.route)}
              onClose={() => close(tab.route, 'current')}
            />
          </Dropdown>
        ))}
      </ul>
      <Dropdown trigger={['click']} placement="bottomRight" menu={menuFor(shown)}>
        <button type="button" className="ink-icon-button" aria-label={say('more')} title={say('more')}>
          <EllipsisOutlined />
        </button>
      </Dropdown>
    </nav>
  )
}

type TabItemProps = { tab: Tab; isShown: boolean; title: string; onClose(): void }

/** Dropdown gives its trigger further properties: they belong to the list item. */
function TabItem({ tab, isShown, title, onClose, ...trigger }: TabItemProps) {
  const say = useTexts<typeof locale>('kit/page/shell/tabs')
  const isUnsaved = useTabs(({ unsaved }) => unsaved.has(tab.route))
  const link = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with its title, which comes later, a tab is another width.
  useEffect(
    function comeIntoView() {
      if (isShown && link.current) showAlongBar(link.current)
    },
    [isShown, title],
  )
  return (
    <li {...trigger} className={isShown ? 'ink-tab ink-tab-shown' : 'ink-tab'}>
      <a
        ref={link}
        href={`#${tab.address}`}
        aria-current={isShown ? 'page' : undefined}
        onMouseDown={event => {
          // Otherwise the middle button starts the browser's scrolling.
          if (event.button === MIDDLE_BUTTON) event.preventDefault()
        }}
        onAuxClick={event => {
          if (event.button !== MIDDLE_BUTTON) return
          event.preventDefault()
          onClose()
        }}
        onKeyDown={event => {
          if (event.key === 'Delete') onClose()
        }}
      >
        {title}
      </a>
      {isUnsaved && <span className="ink-unsaved" role="img" aria-label={say('unsaved')} />}
      <button type="button" aria-label={say('close', { title })} onClick={onClose}>
        <CloseOutlined />
      </button>
    </li>
  )
}

/** Moves the bar alone: scrollIntoView would take the page along, away from where its reader was. */
function showAlongBar(link: HTMLElement): void {
  const bar = link.closest('ul')
  if (!bar) return
  // With the button that closes it, which stands behind its words.
  const [tab, edge] = [(link.closest('li') ?? link).getBoundingClientRect(), bar.getBoundingClientRect()]
  if (tab.left < edge.left) bar.scrollLeft -= edge.left - tab.left
  else if (tab.right > edge.right) bar.scrollLeft += tab.right - edge.right
}
