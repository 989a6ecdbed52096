import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Found } from '#kit/model/found.ts'
import { get } from '../../call.ts'
import { useTexts } from '../../language.ts'
import { maySeeScreen, useNamesFor, useTitles } from '../../menu.ts'
import { screens } from '../../screens.ts'
import { changeSettings, useSettings } from '../../settings.ts'
import { mayDo, useUser } from '../../user.ts'
import { showOverlay } from '../overlay.ts'
import { go } from '../session/navigation.ts'
import { addressOf } from '../tabs/tabs.ts'
import type { locale } from './locale.ts'
import type { Entry } from './search.ts'

/** Every screen the person may open, what may be made there, the views kept of it, and a few actions of the frame. */
export function useEntries(isOpen: boolean): Entry[] {
  return [...useScreens(), ...useActions(), ...useViews(isOpen)]
}

function useScreens(): Entry[] {
  const menu = useTitles()
  const namesFor = useNamesFor()
  const user = useUser()
  return useMemo(
    () =>
      screens
        .filter(screen => maySeeScreen(user, screen))
        .map(screen => ({
          key: screen.name,
          section: 'screens',
          title: menu(screen.name),
          group: menu(screen.name.split('/')[0] as string),
          words: namesFor(screen.name),
          open: () => go(addressOf(screen.route)),
        })),
    [menu, namesFor, user],
  )
}

function useActions(): Entry[] {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const menu = useTitles()
  const create = useTexts('create')
  const names = useTexts('createNames')
  const user = useUser()
  const dark = useSettings(settings => settings.dark)
  return useMemo(() => {
    const creations = screens
      // What has no such text cannot be made: an unknown key is shown as it is.
      .filter(({ name, key }) => create(name) !== name && mayDo(user, key, 'create'))
      .filter(screen => maySeeScreen(user, screen))
      .map(
        (screen): Entry => ({
          key: `create ${screen.name}`,
          section: 'actions',
          title: create(screen.name),
          group: menu(screen.name),
          words: names(screen.name).split('|'),
          open: () => go(inTab(screen.route, 'create', '1')),
        }),
      )
    const action = (name: 'settings' | 'help' | 'dark' | 'messages', open: () => void): Entry => {
      const title = say(`action.${name}`)
      return { key: name, section: 'actions', title, group: '', words: [title, name], open }
    }
    return [
      ...creations,
      action('messages', () => showOverlay('messages')),
      action('settings', () => showOverlay('settings')),
      action('dark', () => changeSettings({ dark: !dark })),
      action('help', () => showOverlay('help')),
    ]
  }, [say, menu, create, names, user, dark])
}

type View = { readonly id: string; readonly page: string; readonly name: string; readonly names: string[] } & {
  readonly query: string
  readonly isMine: boolean
  readonly by: string
}

function useViews(isOpen: boolean): Entry[] {
  const menu = useTitles()
  const { data = [] } = useQuery({
    queryKey: ['views'],
    queryFn: ({ signal }) => get<View[]>('/common/views', { signal }),
    enabled: isOpen,
  })
  return data.flatMap(({ id, page, name, names, query, isMine, by }): Entry | [] => {
    const screen = screens.find(({ key }) => key === page)
    if (!screen) return []
    const title = menu(screen.name)
    const group = isMine ? title : `${title} · ${by}`
    return {
      key: `view ${id}`,
      section: 'views',
      title: name,
      group,
      words: names,
      open: () => go(`${screen.route}?${query}`),
    }
  })
}

/** A record as an entry: found by the server, so that it is not looked for again here. */
export type RecordEntry = Entry & { readonly found: Found }

export function useRecordEntries(records: readonly Found[]): RecordEntry[] {
  const menu = useTitles()
  return records.map(found => ({
    key: `${found.screen} ${found.id}`,
    section: found.isExact ? 'exact' : 'records',
    title: found.title,
    group: menu(found.screen),
    words: [],
    open: () => go(opening(found.path)),
    found,
  }))
}

/** The list stays as its tab was left, with the record open over it; a row that is led to is searched for anew. */
function opening(path: string): string {
  const [route = '', search] = path.split('?')
  const id = new URLSearchParams(search).get('open')
  return id === null ? path : inTab(route, 'open', id)
}

function inTab(route: string, parameter: 'open' | 'create', value: string): string {
  const [path, search] = addressOf(route).split('?')
  const parameters = new URLSearchParams(search)
  for (const other of ['open', 'create', 'edit']) parameters.delete(other)
  parameters.set(parameter, value)
  return `${path}?${parameters}`
}
