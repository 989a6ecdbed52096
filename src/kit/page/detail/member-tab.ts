import { useQuery } from '@tanstack/react-query'
import { type ComponentType, createElement } from 'react'
import { loadChunk } from '../chunk.ts'
import { mayDo, useUser } from '../user.ts'
import type { DetailTab } from './detail-drawer.tsx'

/** A side of the member that another slice knows: its orders, its parcels. That slice's member-tab.page.tsx exports it as `tab`. */
export type MemberTab = {
  /** Position among the sides. */
  readonly order: number
  /** Page key: shown to those who may list that page. */
  readonly key: string
  /** `area/screen` in whose texts the title stands. */
  readonly texts: string
  readonly title: string
  readonly Show: ComponentType<{ memberId: string }>
}

export const defineMemberTab = (tab: MemberTab): MemberTab => tab

const modules = import.meta.glob<{ tab: MemberTab }>('../../../areas/*/*/member-tab.page.tsx')

/** The sides of a member this person may see, once one is `wanted`: the list of members does not wait for them. */
export function useMemberTabs(wanted: boolean): readonly DetailTab[] {
  const user = useUser()
  const { data } = useQuery({
    queryKey: ['member-tabs'],
    queryFn: () => loadChunk(() => Promise.all(Object.values(modules).map(load => load()))),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (data ?? [])
    .map(({ tab }) => tab)
    .filter(({ key }) => mayDo(user, key, 'list'))
    .sort((a, b) => a.order - b.order)
    .map(({ title, texts, Show }) => ({ name: title, texts, Show: sideOf(Show) }))
}

const sides = new Map<MemberTab['Show'], DetailTab['Show']>()

/** The same component every time: another one would forget its page whenever the member is drawn anew. */
function sideOf(Show: MemberTab['Show']): DetailTab['Show'] {
  const known = sides.get(Show)
  if (known) return known
  const side = ({ row }: { row: { id: string } }) => createElement(Show, { memberId: row.id, key: row.id })
  sides.set(Show, side as DetailTab['Show'])
  return side as DetailTab['Show']
}
