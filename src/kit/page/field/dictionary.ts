import { useQuery } from '@tanstack/react-query'
import { post } from '../call.ts'
import { useLanguage } from '../language.ts'

/** The screen where entries are edited: what is asked under its name is asked again after a change there. */
const SCREEN = 'system/dictionary'

type DictionaryEntry = { k: string; v: string; colour: string | null; enabled: boolean }

/** The entries of a dictionary (none without a code) in the language on screen, kept for the session: every list and form with the same code shares one call. */
export function useDictionary(code: string): readonly DictionaryEntry[] {
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: [SCREEN, 'entries', language, code],
    queryFn: () => post<Record<string, DictionaryEntry[]>>('/common/attachMore', [{ type: 'D', target: code }]),
    enabled: code !== '',
    staleTime: 300_000,
  })
  // One code was asked for, so one list came back, whatever the server named it.
  return Object.values(data ?? {})[0] ?? []
}
