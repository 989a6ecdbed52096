import { useQuery } from '@tanstack/react-query'
import { post } from '../call.ts'

export type DictionaryEntry = { k: string; v: string; colour: string | null; enabled: boolean }

/** The entries of a dictionary (none without a code), kept for the session: every list and form with the same code shares one call. */
export function useDictionary(code: string): readonly DictionaryEntry[] {
  const { data } = useQuery({
    queryKey: ['dictionary', code],
    queryFn: () => post<Record<string, DictionaryEntry[]>>('/common/attachMore', [{ type: 'D', target: code }]),
    enabled: code !== '',
    staleTime: 300_000,
  })
  // One code was asked for, so one list came back, whatever the server named it.
  return Object.values(data ?? {})[0] ?? []
}
