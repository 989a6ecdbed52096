import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { DEFAULT_PAGE_SIZE } from '#kit/model/contract.ts'
import { CallFailed, get, reasonOf } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { screens } from '#kit/page/screens.ts'
import { useTyped } from '#kit/page/typing.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type KnownNames, type RecordFacts, resource } from './model.ts'

type Event = KnownNames['events'][number]
type Props = { event: Event; onTaken(facts: string): void }

/** Whether the person may read what this event happens to. */
export function useMayRead(event: Event | undefined): boolean {
  const key = screens.find(({ name }) => name === event?.screen)?.key ?? null
  return useUser(user => key !== null && mayDo(user, key, 'list') && mayDo(user, key, 'detail'))
}

/** A record the person sees in its list, by its number: what a chain would know of it is taken over. */
export function RecordPicker({ event: { name, screen, number }, onTaken }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const notices = useNotices()
  const [typed, search, isTyping] = useTyped()
  const found = useQuery({
    queryKey: [screen, 'to-try', typed],
    queryFn: ({ signal }) =>
      get<{ records: Record<string, unknown>[] }>(`/${screen}`, {
        query: { size: DEFAULT_PAGE_SIZE, query: typed || undefined },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  const taking = useMutation({
    mutationFn: (recordId: string) =>
      get<RecordFacts>(`/${resource.screen.name}/facts`, { query: { event: name, recordId } }),
    onSuccess: ({ facts }) => onTaken(facts),
    onError: error => notices.failed(error, say('try-failed')),
  })
  return (
    <Select
      aria-label={say('try-record')}
      placeholder={say('try-record')}
      style={{ width: 320, maxWidth: '100%' }}
      loading={taking.isPending}
      showSearch={{ filterOption: false, onSearch: search }}
      notFoundContent={found.error instanceof CallFailed ? reasonOf(found.error) : say('try-no-record')}
      options={(isTyping || found.isPlaceholderData ? [] : (found.data?.records ?? [])).map(record => ({
        value: String(record.id),
        label: String(record[number]),
      }))}
      onChange={(recordId: string) => taking.mutate(recordId)}
    />
  )
}
