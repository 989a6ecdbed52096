import { useQuery } from '@tanstack/react-query'
import { post } from '../call.ts'
import { useLanguage } from '../language.ts'

/** The screen where entries are edited: what is asked under its name is asked again after a change there. */
const SCREEN = 'system/dictionary'

type DictionaryEntry = { k: string; v: string; colour: string | null; enabled: boolean }

const useEntries = (code: string) => {
  const language = useLanguage()
  return useQuery({
    queryKey: [SCREEN, 'entries', language, code],
    queryFn: () => post<Record<string, DictionaryEntry[]>>('/common/attachMore', [{ type: 'D', target: code }]),
    // One code was asked for, so one list comes back, whatever the server names it.
    select: answer => Object.values(answer)[0] ?? NONE,
    enabled: code !== '',
    staleTime: 300_000,
  })
}
const NONE: readonly DictionaryEntry[] = []

/** The entries of a dictionary (none without a code) in the language on screen, kept for the session: every list and form with the same code shares one call. */
export const useDictionary = (code: string): readonly DictionaryEntry[] => useEntries(code).data ?? NONE

/** What stands for a value: nothing for as long as it is asked for, and the value itself where no entry has it. */
export function useEntry(code: string, value: string): { k: string; colour: string | null } | undefined {
  const { data = NONE, isLoading } = useEntries(code)
  return data.find(({ v }) => v === value) ?? (isLoading ? undefined : { k: value, colour: null })
}
