import { useQuery } from '@tanstack/react-query'
import { get } from '#kit/page/call.ts'
import { useLanguage } from '#kit/page/language.ts'
import { resource, type ShownGroup } from './model.ts'

/** All settings by group, in the language on screen. */
export function useGroups() {
  const language = useLanguage()
  return useQuery({
    queryKey: [resource.screen.name, 'settings', language],
    queryFn: ({ signal }) => get<ShownGroup[]>(`/${resource.screen.name}/settings`, { signal }),
  })
}
