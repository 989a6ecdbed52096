import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'
import type { Latest } from '../form/use-merging.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { useTab } from '../tab.ts'

/** The record whose form is open, whole and as it stands now: the row in the list may be older. */
export function useEdited(resource: Resource, id: string | undefined) {
  const kit = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const tab = useTab()
  const { data, error } = useQuery({
    queryKey: [resource.screen.name, 'edit', id],
    queryFn: ({ signal }) =>
      // What is published in editions is edited as its draft.
      get<Latest>(`/${resource.screen.name}/${id}${resource.editions ? '/edited' : ''}`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
    // The form was filled from what was read; what others change meanwhile is merged when it is saved.
    refetchOnWindowFocus: false,
  })
  useEffect(function leaveWhatCannotBeEdited() {
    if (!error || id === undefined || data) return
    notices.failed(error, kit('load-failed'))
    tab.change({ edit: undefined })
  })
  return id === undefined ? undefined : data
}
