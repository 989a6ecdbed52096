import { SearchOutlined } from '@ant-design/icons'
import { type KeyboardEvent, type RefObject, useEffect } from 'react'
import { loadTexts, useTexts } from '../../language.ts'
import { changeSettings } from '../../settings.ts'
import type { locale } from '../locale.ts'

type Props = {
  box: RefObject<HTMLInputElement | null>
  typed: string
  onTyped(typed: string): void
  /** Opens the first page that is left. */
  onEnter(): void
}

/** Narrows the menu to what is typed; Esc shows all of it again. */
export function MenuFilter({ box, typed, onTyped, onEnter }: Props) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onEnter()
    if (event.key === 'Escape') {
      // A drawer around it stays open for whoever only wants another word.
      if (typed !== '') event.stopPropagation()
      onTyped('')
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      event.currentTarget.closest('nav')?.querySelector<HTMLElement>('.ant-menu a')?.focus()
    }
  }
  return (
    <label className="ink-menu-filter">
      <SearchOutlined aria-hidden />
      <input
        ref={box}
        type="search"
        aria-label={say('menu-filter')}
        placeholder={say('menu-filter')}
        value={typed}
        maxLength={50}
        onChange={event => onTyped(event.target.value)}
        onFocus={loadNames}
        onKeyDown={onKeyDown}
      />
    </label>
  )
}

/** What pages are called in other languages and in pinyin comes with the first letter somebody types. */
const loadNames = () => void loadTexts('kit/page/shell/palette').catch(() => {})

/** A collapsed menu has no room to type in: this makes some. */
export function FilterButton({ onOpened }: { onOpened(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const open = () => {
    changeSettings({ collapsed: false })
    onOpened()
  }
  return (
    <button
      type="button"
      className="ink-menu-find"
      aria-label={say('menu-filter')}
      title={say('menu-filter')}
      onClick={open}
    >
      <SearchOutlined />
    </button>
  )
}

/** Once the box stands, it has the focus of whoever asked for it. */
export function useFocusWhen(wanted: boolean, box: RefObject<HTMLInputElement | null>, done: () => void): void {
  useEffect(
    function focusBox() {
      if (!wanted || !box.current) return
      box.current.focus()
      done()
    },
    [wanted, box, done],
  )
}
