import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { post } from '../call.ts'

/** Links live five minutes; asked for again before they end. */
const FRESH_MS = 240_000

const NONE: Readonly<Record<string, string>> = {}

/** Where the pictures of one page lie, asked for all of them at once. */
export function usePictures(ids: readonly string[]): Readonly<Record<string, string>> {
  const { data } = useQuery({
    queryKey: ['file-links', ids],
    queryFn: ({ signal }) => post<Record<string, string>>('/common/file/links', { ids }, { signal }),
    enabled: ids.length > 0,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    placeholderData: keepPreviousData,
  })
  return data ?? NONE
}
