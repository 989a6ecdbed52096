import { Input, Modal } from 'antd'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../language.ts'
import { maySeeScreen } from '../../menu.ts'
import { screens } from '../../screens.ts'
import { changeSettings, useSettings } from '../../settings.ts'
import { useUser } from '../../user.ts'
import { go } from '../navigation.ts'
import { showOverlay } from '../overlay.ts'
import { addressOf } from '../tabs/tabs.ts'
import type { locale } from './locale.ts'
import { type Entry, findEntries } from './search.ts'

/** Every screen the person may open, and a few actions, by name in any language or pinyin. */
export function Palette({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const entries = useEntries()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = findEntries(entries, typed)
  const list = useId()

  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.open()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      choose(found[at])
    }
  }
  return (
    <Modal
      open={open}
      onCancel={onClose}
      footer={null}
      closable={false}
      width={560}
      style={{ top: 96 }}
      destroyOnHidden
      title={say('palette')}
      classNames={{ header: 'ink-hidden' }}
      afterClose={() => [setTyped(''), setAt(0)]}
    >
      <Input
        autoFocus
        size="large"
        variant="borderless"
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={found[at] ? `${list}-${at}` : undefined}
        aria-label={say('palette')}
        placeholder={say('placeholder')}
        value={typed}
        onChange={event => [setTyped(event.target.value), setAt(0)]}
        onKeyDown={onKeyDown}
      />
      <Found id={list} entries={found} at={at} onChoose={choose} />
      <p className="ink-hint">{found.length === 0 ? say('empty') : say('hint')}</p>
    </Modal>
  )
}

type FoundProps = { id: string; entries: readonly Entry[]; at: number; onChoose(entry: Entry): void }

function Found({ id, entries, at, onChoose }: FoundProps) {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const list = useRef<HTMLDivElement>(null)
  useEffect(
    function keepInView() {
      list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
    },
    [at],
  )
  return (
    <div ref={list} id={id} className="ink-found" role="listbox" aria-label={say('palette')}>
      {entries.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
        <div
          key={entry.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onClick={() => onChoose(entry)}
        >
          <span>{entry.title}</span>
          <small>{entry.group}</small>
        </div>
      ))}
    </div>
  )
}

function useEntries(): Entry[] {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const menu = useTexts('menu')
  const names = useTexts('menuPinyin')
  const user = useUser()
  const dark = useSettings(settings => settings.dark)
  return useMemo(() => {
    const pages = screens
      .filter(screen => maySeeScreen(user, screen))
      .map(screen => ({
        key: screen.name,
        title: menu(screen.name as never),
        group: menu(screen.name.split('/')[0] as never),
        words: names(screen.name as never).split('|'),
        open: () => go(addressOf(screen.route)),
      }))
    const action = (name: 'settings' | 'help' | 'dark' | 'messages', open: () => void): Entry => {
      const title = say(`action.${name}`)
      return { key: name, title, group: '', words: [title, name], open }
    }
    return [
      ...pages,
      action('messages', () => showOverlay('messages')),
      action('settings', () => showOverlay('settings')),
      action('dark', () => changeSettings({ dark: !dark })),
      action('help', () => showOverlay('help')),
    ]
  }, [say, menu, names, user, dark])
}
