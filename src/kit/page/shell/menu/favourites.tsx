import { StarFilled, StarOutlined } from '@ant-design/icons'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { Screen } from '#kit/model/area.ts'
import { useTexts } from '../../language.ts'
import { useNotices } from '../../notice.tsx'
import { changePreference, keep, usePreference } from '../../preference.ts'
import type { locale } from '../locale.ts'

const PREFERENCE = 'favourites'

/** Names of the screens a person has marked, in the order of the marking; they go with the person from machine to machine. */
export const useFavourites = (): readonly string[] => usePreference(PREFERENCE, namesIn)

const NONE: readonly string[] = []
const namesIn = (kept: unknown): readonly string[] => (Array.isArray(kept) ? kept.map(String) : NONE)

/** Marks a screen, or takes the mark back; beside its link in the menu. */
export function Star({ screen, title }: { screen: Screen; title: string }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const notices = useNotices()
  const favourites = useFavourites()
  const isMarked = favourites.includes(screen.name)
  const turn = (event: MouseEvent) => {
    event.stopPropagation()
    const next = isMarked ? favourites.filter(name => name !== screen.name) : [...favourites, screen.name]
    changePreference(PREFERENCE, next).catch(error => {
      keep(PREFERENCE, favourites)
      notices.failed(error, say('favourite-failed'))
    })
  }
  return (
    <button
      type="button"
      className="ink-star"
      aria-pressed={isMarked}
      aria-label={say('favourite', { name: title })}
      title={say(isMarked ? 'favourite-remove' : 'favourite-add')}
      onClick={turn}
      onKeyDown={keepFromMenu}
    >
      {isMarked ? <StarFilled /> : <StarOutlined />}
    </button>
  )
}

/** Enter and space are the button's here; the menu around it would take them for its own. */
const keepFromMenu = (event: KeyboardEvent) => {
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation()
}
