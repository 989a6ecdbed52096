import type { Resource } from '#kit/model/resource.ts'
import { changePreference, usePreference } from '../preference.ts'
import { useTab } from '../tab.ts'

/** How rows are shown where there is room for it; a phone has cards. */
export type Body = 'table' | 'gallery'

/** Behind numbers a list is asked for: its rows, as a table. */
export const ROWS = 'rows'

/** The address says so, and nothing else: a link, and a view, shows what its sender saw. */
export const bodyOf = (search: URLSearchParams): Body => (search.get('body') === 'gallery' ? 'gallery' : 'table')

const preferenceOf = ({ screen }: Resource): string => `body.${screen.key}`

/** What the person chose last, for a list that is opened without an address of its own. */
export const useKeptBody = (resource: Resource): Body =>
  usePreference(preferenceOf(resource), kept => (resource.list.gallery && kept === 'gallery' ? 'gallery' : 'table'))

export function useBody(resource: Resource): readonly [Body, (body: Body) => void] {
  const tab = useTab()
  const choose = (body: Body) => {
    const isTable = body === 'table'
    tab.change({ body: isTable ? undefined : body })
    void changePreference(preferenceOf(resource), isTable ? null : body).catch(() => {})
  }
  return [resource.list.gallery ? bodyOf(tab.search) : 'table', choose]
}
