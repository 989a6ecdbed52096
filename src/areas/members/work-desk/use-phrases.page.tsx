import { useMemo } from 'react'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import type { Judging } from '#areas/members/work/desk-state.model.ts'
import { phrasesFor, type Suggestion } from '#areas/members/work/suggestion.model.ts'
import type { Phrase } from '#engines/phrase/model.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'

/** What may be said of this work, what fits it best first: the keys of the phrases lie in this order. */
export function usePhrases(
  { id, heard }: DeskWork,
  { marks }: Judging,
  suggestion: Suggestion | undefined,
): readonly Phrase[] {
  const entries = useDictionary('WORK_PHRASE')
  return useMemo(() => {
    const offered = entries.flatMap(({ k, v, enabled }) => (enabled ? [{ code: v, words: k }] : []))
    return phrasesFor(offered, { marks, suggestion, heard, seed: Number(id) })
  }, [entries, marks, suggestion, heard, id])
}
