import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type ImportState, isUnderWay } from '#kit/model/import.ts'
import { CallFailed, download, get, save } from '../call.ts'
import { useTexts } from '../language.ts'
import { noteOwnChange } from '../list/list-state.ts'
import { useNotices } from '../notice.tsx'
import type { locale } from './locale.ts'

export type Batch = {
  readonly id: string
  readonly title: string
  readonly state: ImportState
  readonly allRows: number
  readonly goodRows: number
  readonly badRows: number
  readonly doneRows: number
  readonly failedRows: number
  readonly progress: number
  readonly taskId: string | null
  readonly by: string
  readonly isMine: boolean
  readonly error: string | null
  readonly createdAt: string
}
export type Offer = {
  readonly columns: readonly { readonly field: string; readonly isRequired: boolean }[]
  readonly canUndo: boolean
  readonly records: readonly Batch[]
  readonly total: number
}
export type Uploaded = {
  readonly id: string
  readonly head: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly mapping: Readonly<Record<string, number>>
  /** The last import of the very same file. */
  readonly before: { readonly by: string; readonly at: string; readonly rows: number } | null
}

/** The server tells progress about once a second. */
const LOOK_MS = 1_000

export const useOffer = (name: string, current: number, open: boolean) =>
  useQuery({
    queryKey: [name, 'import', 'offer', current],
    queryFn: ({ signal }) => get<Offer>(`/${name}/import`, { query: { current }, signal }),
    enabled: open,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.records.some(batch => isUnderWay(batch.state)) ? LOOK_MS : false),
  })

/** One import as it stands, looked at again while something is under way. Rows that changed are asked for by their list. */
export function useBatch(name: string, id: string | undefined) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [name, 'import', id],
    queryFn: ({ signal }) => get<Batch>(`/${name}/import/${id}`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.state) ? LOOK_MS : false),
  })
  const state = query.data?.state
  const last = useRef(state)
  useEffect(
    function showWhatChanged() {
      if (last.current !== undefined && state !== undefined && last.current !== state) {
        noteOwnChange(name)
        void client.invalidateQueries({ queryKey: [name] })
      }
      last.current = state
    },
    [client, name, state],
  )
  return query
}

/** Sends something and asks how things stand then. Gives what was refused beside a field. */
export function useDeed(
  name: string,
): (work: () => Promise<unknown>) => Promise<Readonly<Record<string, string>> | null> {
  const say = useTexts<typeof locale>('kit/page/import')
  const notices = useNotices()
  const client = useQueryClient()
  return async work => {
    try {
      await work()
      return null
    } catch (error) {
      notices.failed(error, say('call-failed'))
      return error instanceof CallFailed ? error.fields : {}
    } finally {
      await client.invalidateQueries({ queryKey: [name, 'import'] })
    }
  }
}

export async function saveFile(path: string): Promise<void> {
  const answer = await download(path)
  if ('file' in answer) save(answer.file, answer.name)
}
