import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { loadChunk } from '../chunk.ts'
import type { Row } from '../list/list-state.ts'
import { mayDo, useUser } from '../user.ts'

/**
 * Records that belong to one of another slice, as a tab of its detail. The slice that owns them says so: its
 * `tab-of-member.page.tsx` exports `tab`, and the member knows nothing of it.
 */
export type RelatedTab = {
  /** Position among the tabs. */
  readonly order: number
  /** Page key: shown to those who may list that page. */
  readonly key: string
  /** `area/screen` in whose texts the title stands. */
  readonly texts: string
  readonly title: string
  /** What is shown for this record. */
  show(id: string, row: Row): ReactNode
}

/** The name of the file tells whose tab it is: nothing is loaded for the details of others. */
const modules = Object.entries(import.meta.glob<{ tab: RelatedTab }>('../../../areas/*/*/tab-of-*.page.tsx'))

const loadersOf = (parent: string) =>
  modules.filter(([path]) => path.endsWith(`/tab-of-${parent}.page.tsx`)).map(([, load]) => load)

/** What belongs to a record of this resource, as far as the person may list it. */
export function useRelatedTabs({ screen }: Pick<Resource, 'screen'>): readonly RelatedTab[] {
  const user = useUser()
  const [, parent = ''] = screen.name.split('/')
  const { data } = useQuery({
    queryKey: ['related-tabs', parent],
    queryFn: () => loadChunk(() => Promise.all(loadersOf(parent).map(load => load()))),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return (data ?? [])
    .map(({ tab }) => tab)
    .filter(({ key }) => mayDo(user, key, 'list'))
    .sort((a, b) => a.order - b.order)
}
