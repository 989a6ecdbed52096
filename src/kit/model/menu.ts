import type { Area, Screen } from './area.ts'
import type { Language } from './language.ts'

/** What people here made of an entry of the menu; absent where they left it as the code has it. */
export type OwnEntry = {
  /** What it is called, in the languages that have a name of their own for it. */
  readonly names: Readonly<Partial<Record<Language, string>>>
  /** What those names are found by besides: pinyin and its initials. */
  readonly words: readonly string[]
  readonly icon: string | null
  /** Not in the menu; whoever may open it still may. */
  readonly hidden: boolean
  /** Whether a tab may keep the page while another one is shown. */
  readonly keepAlive: boolean
}

/** The entries of a person's menu by permission key, in the order people gave them. */
export type Entries = ReadonlyMap<string, { readonly own?: OwnEntry | undefined }>

export type MenuGroup = { readonly area: Area; readonly screens: readonly Screen[] }

/** The menu in its order: what is hidden, by the code or by people, and groups without a page are absent. */
export const arranged = (areas: readonly Area[], entries: Entries, maySee: (screen: Screen) => boolean): MenuGroup[] =>
  inOrder(areas, entries)
    .filter(({ key }) => !ownOf(entries, key)?.hidden)
    .map(area => ({
      area,
      screens: inOrder(Object.values(area.screens), entries).filter(
        screen => !screen.hidden && !ownOf(entries, screen.key)?.hidden && maySee(screen),
      ),
    }))
    .filter(({ screens }) => screens.length > 0)

export const ownOf = (entries: Entries, key: string | null): OwnEntry | undefined =>
  key === null ? undefined : entries.get(key)?.own

/** Whether a tab keeps the page while another is shown: people may take it back, and never give what the page refuses. */
export const isKeptAlive = (entries: Entries, { key, keepAlive }: Screen): boolean =>
  keepAlive && (ownOf(entries, key)?.keepAlive ?? true)

/** What everybody has stands where the code puts it; around it stands the rest, in the order people gave it. */
function inOrder<T extends { readonly key: string | null }>(items: readonly T[], entries: Entries): T[] {
  const places = [...entries.keys()]
  const place = ({ key }: T) => (key === null ? -1 : places.indexOf(key))
  const placed = items.filter(item => place(item) >= 0).sort((a, b) => place(a) - place(b))
  return items.map(item => (place(item) >= 0 ? (placed.shift() as T) : item))
}

/** Pictures an entry may have in the menu. The first come with the console, the others when one of them is shown. */
export const MENU_ICONS = [
  'analysis',
  'dashboard',
  'finance',
  'logistics',
  'member',
  'order',
  'organisation',
  'product',
  'setting',
  'user',
  'operations',
  'book',
  'brush',
  'calendar',
  'crown',
  'fund',
  'gift',
  'globe',
  'heart',
  'message',
  'notice',
  'phone',
  'picture',
  'review',
  'rocket',
  'safety',
  'service',
  'shop',
  'tag',
  'tool',
  'video',
] as const
export type MenuIcon = (typeof MENU_ICONS)[number]
