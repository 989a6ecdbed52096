import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'
import type { Latest } from '../form/use-merging.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { useTab } from '../tab.ts'

/**
 * The record whose form is open, whole and as it stood when that was opened: the row in the list may be older. It is read
 * once for each opening, so that a look at another tab leaves the form as it is.
 */
export function useEdited(resource: Resource, id: string | undefined) {
  const kit = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const tab = useTab()
  const [opened, setOpened] = useState<Latest>()
  const isRead = opened !== undefined && opened.id === id
  const { data, error } = useQuery({
    queryKey: [resource.screen.name, 'edit', id],
    queryFn: ({ signal }) =>
      // What is published in editions is edited as its draft.
      get<Latest>(`/${resource.screen.name}/${id}${resource.editions ? '/edited' : ''}`, { signal }),
    enabled: id !== undefined && !isRead,
    staleTime: 0,
    gcTime: 0,
    // The form was filled from what was read; what others change meanwhile is merged when it is saved.
    refetchOnWindowFocus: false,
  })
  if (opened && !isRead) setOpened(undefined)
  else if (data && id !== undefined && !isRead) setOpened(data)
  useEffect(function leaveWhatCannotBeEdited() {
    if (!error || id === undefined || data || isRead) return
    notices.failed(error, kit('load-failed'))
    tab.change({ edit: undefined })
  })
  return isRead ? opened : undefined
}
