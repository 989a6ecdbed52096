import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CallFailed, get, post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useUser } from '#kit/page/user.ts'
import type { Said } from './comment.model.ts'
import type { Desk } from './desk.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { keepSaid } from './use-judging.page.tsx'

const PATH = `/${resource.screen.name}`
const KEY = [resource.screen.name, 'desk'] as const
/** Links to pictures live five minutes. */
const FRESH_MS = 240_000

/** What lies on the desk, and what may be done there; every answer is the desk as it is then. */
export function useDesk() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const notices = useNotices()
  const person = useUser(({ info }) => info?.id ?? '')
  const cache = useQueryClient()
  const keep = (desk: Desk) => {
    cache.setQueryData(KEY, desk)
    void cache.invalidateQueries({
      queryKey: [resource.screen.name],
      predicate: ({ queryKey }) => queryKey[1] !== KEY[1],
    })
  }
  const asked = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<Desk>(`${PATH}/desk`, { signal }),
    refetchInterval: FRESH_MS,
  })
  const deed = useMutation({
    mutationFn: ({ path, body = {}, key }: { path: string; body?: object; key?: string }) =>
      post<Desk>(`${PATH}/${path}`, body, key === undefined ? {} : { idempotencyKey: key }),
    onSuccess: keep,
    onError(error) {
      notices.failed(error, say('title'))
      // What was refused may have been taken away: the desk says what is left.
      if (error instanceof CallFailed) void asked.refetch()
    },
  })
  const takeBack = useMutation({
    mutationFn: (id: string) => post<{ said: Said; desk: Desk }>(`${PATH}/${id}/take-back`),
    onSuccess({ said, desk }, id) {
      // First, so that its work finds it when it is opened.
      keepSaid(person, id, said)
      keep(desk)
    },
    onError: error => notices.failed(error, say('title')),
  })
  const takeAgain = (id: string) => deed.mutate({ path: `${id}/take-again` })
  return { ...asked, deed, takeBack, takeAgain }
}
