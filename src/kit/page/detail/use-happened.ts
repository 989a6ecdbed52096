import { useQuery } from '@tanstack/react-query'
import type { Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'

export type Entry = {
  id: string
  at: string
  actor: string
  action: string
  diff: Record<string, [unknown, unknown]>
  reason: string | null
  /** The line this one takes back. */
  undoes: string | null
  /** Whether the reader may take it back now. */
  mayUndo: boolean
}

/** What happened to a record, newest first; path and timeline tell it from one answer. */
export const useHappened = ({ screen }: Pick<Resource, 'screen'>, id: string | undefined) =>
  useQuery({
    queryKey: [screen.name, 'timeline', id],
    queryFn: ({ signal }) => get<Entry[]>(`/${screen.name}/${id}/timeline`, { signal }),
    enabled: id !== undefined,
  })

/** The lines that were taken back. */
export const takenBack = (happened: readonly Entry[]): ReadonlySet<string | null> =>
  new Set(happened.map(({ undoes }) => undoes))
