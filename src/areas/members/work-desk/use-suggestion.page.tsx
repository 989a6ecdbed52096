import { useQueries } from '@tanstack/react-query'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { isWritten, type Suggestion } from '#areas/members/work/suggestion.model.ts'
import { post } from '#kit/page/call.ts'
import { useDeskScreen } from './desk-screen.page.tsx'

/** How long the scorer is given before it is asked again. */
const AGAIN_MS = 5_000

const isLate = ({ pages }: Suggestion): boolean => pages.some(({ fault }) => fault === 'busy' || fault === 'too-slow')

/** Films, postures and pages of which nobody said what was to be written are looked at by people alone. */
export const isReadable = ({ kind, characters, pictures }: DeskWork): boolean =>
  isWritten(kind) && Boolean(characters) && pictures.length > 0

/** What the scorer makes of the works on the desk, each asked for once: that of the next is there before it is wanted. */
export function useSuggestions(held: readonly DeskWork[]): ReadonlyMap<string, Suggestion> {
  const { name } = useDeskScreen()
  const readable = held.filter(isReadable)
  return useQueries({
    queries: readable.map(({ id }) => ({
      queryKey: [name, 'desk', 'suggestion', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => post<Suggestion>(`/${name}/${id}/suggest`, {}, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }: { state: { data?: Suggestion | undefined } }) =>
        state.data && isLate(state.data) ? AGAIN_MS : false,
    })),
    combine: answers =>
      new Map(answers.flatMap(({ data }, at) => (data ? [[readable[at]?.id ?? '', data] as const] : []))),
  })
}
