import { useQuery } from '@tanstack/react-query'
import type { Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'

/** The record whose form is open, whole and as it stands now: the row in the list may be older. */
export function useEdited(resource: Resource, id: string | undefined) {
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'edit', id],
    queryFn: ({ signal }) =>
      get<Record<string, unknown> & { id: string; version: number }>(`/${resource.screen.name}/${id}`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  return id === undefined ? undefined : data
}
