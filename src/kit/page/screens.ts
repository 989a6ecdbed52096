import { type ComponentType, lazy } from 'react'
import type { Area, Screen } from '#kit/model/area.ts'
import { loadChunk } from './chunk.ts'
import { loadTexts } from './language.ts'

const areaModules = import.meta.glob<{ area: Area }>('../../areas/*/area.ts', { eager: true })
const pageModules = import.meta.glob<{ Page: ComponentType }>('../../areas/*/*/page.tsx')

export const areas: readonly Area[] = Object.values(areaModules)
  .map(({ area }) => area)
  .sort((a, b) => a.order - b.order)

export const screens: readonly Screen[] = areas.flatMap(area => Object.values(area.screens))

/** Below a list's route each of its records has a page of its own: `/order/list/5`. */
const RECORD = /^(\/.+)\/(\d+)$/

export const findScreen = (path: string): Screen | undefined => exactly(path) ?? listAbove(path)?.screen

/** The record an address is about; none for the address of a screen itself. */
export const recordOf = (path: string): string | undefined => listAbove(path)?.record

/** Where a record of the list at this route has a page to itself. */
export const recordPath = (route: string, id: string): string => `${route}/${id}`

/** The screen that shows whatever records others call so (`reference('order')`): one on a part of a table does not. */
export const screenOfRecords = (reference: string): Screen | undefined =>
  screens.find(({ name, partial }) => !partial && name.endsWith(`/${reference}`))

const exactly = (path: string): Screen | undefined =>
  screens.find(screen => screen.route === path || screen.aliases.includes(path))

function listAbove(path: string): { screen: Screen; record: string } | undefined {
  const [, above = '', record = ''] = RECORD.exec(path) ?? []
  const screen = exactly(above)
  return screen?.records && screen.key !== null ? { screen, record } : undefined
}

const pages = new Map<string, Promise<ComponentType>>()
const lazyPages = new Map<string, ComponentType>()

/** The page of a screen as a component that waits for its own code. */
export function pageOf(screen: Screen): ComponentType {
  const known = lazyPages.get(screen.name)
  if (known) return known
  const page = lazy(async () => ({ default: await loadPage(screen) }))
  lazyPages.set(screen.name, page)
  return page
}

/** The code of a page without its texts, for whoever has yet to find out the language. */
export function loadPageAlone({ name }: Screen): Promise<{ Page: ComponentType }> {
  const load = pageModules[`../../areas/${name}/page.tsx`]
  if (!load) throw new Error(`the screen ${name} has no page`)
  return loadChunk(load)
}

/** The page of a screen with its texts; hovering a link may call it early. */
export function loadPage(screen: Screen): Promise<ComponentType> {
  const known = pages.get(screen.name)
  if (known) return known
  const page = Promise.all([loadPageAlone(screen), loadTexts(screen.name)]).then(([{ Page }]) => Page)
  pages.set(screen.name, page)
  // A chunk that could not be loaded is asked for again the next time.
  page.catch(() => {
    pages.delete(screen.name)
    lazyPages.delete(screen.name)
  })
  return page
}
