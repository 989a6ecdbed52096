import { useQuery } from '@tanstack/react-query'
import { type Difference, differences } from '#kit/model/difference.ts'
import type { Body, DraftEdition, PublishedEdition } from '#kit/model/edition.ts'
import type { Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'

type Of = Pick<Resource, 'screen'>

export const useEditions = ({ screen }: Of, id: string) =>
  useQuery({
    queryKey: [screen.name, 'editions', id],
    queryFn: ({ signal }) => get<PublishedEdition[]>(`/${screen.name}/${id}/editions`, { signal }),
  })

export const useDraftEdition = ({ screen }: Of, id: string, isWanted: boolean) =>
  useQuery({
    queryKey: [screen.name, 'draft', id],
    queryFn: ({ signal }) => get<DraftEdition | null>(`/${screen.name}/${id}/draft`, { signal }),
    enabled: isWanted,
  })

/** What an edition says; before the first one there was nothing. */
const NOTHING: Body = {}

function useBody({ screen }: Of, id: string, edition: number | undefined): Body | undefined {
  const { data } = useQuery({
    queryKey: [screen.name, 'edition', id, edition],
    queryFn: ({ signal }) => get<Body>(`/${screen.name}/${id}/editions/body`, { query: { edition }, signal }),
    enabled: edition !== undefined && edition > 0,
    // What was published once never says anything else.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return edition === 0 ? NOTHING : data
}

/** What differs between two editions, or between an edition and a draft; nothing while they are being read. */
export function useDifferences(
  resource: Resource,
  id: string,
  from: number | undefined,
  to: number | Body | undefined,
): readonly Difference[] | undefined {
  const before = useBody(resource, id, from)
  const stored = useBody(resource, id, typeof to === 'number' ? to : undefined)
  const after = typeof to === 'object' ? to : stored
  return before && after && differences(resource, resource.edit, before, after)
}
