import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { post } from '../call.ts'

/** Links live five minutes; asked for again before they end. */
const FRESH_MS = 240_000

const NONE: Readonly<Record<string, string>> = {}

/** Where the pictures of one page lie, small as cards show them or whole, asked for all of them at once. */
export function usePictures(
  ids: readonly string[],
  size: 'small' | 'whole' = 'small',
): Readonly<Record<string, string>> {
  const { data } = useQuery({
    queryKey: ['file-links', ids, size],
    queryFn: ({ signal }) =>
      post<Record<string, string>>('/common/file/links', { ids, ...(size === 'small' && { size }) }, { signal }),
    enabled: ids.length > 0,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    placeholderData: keepPreviousData,
  })
  return data ?? NONE
}
