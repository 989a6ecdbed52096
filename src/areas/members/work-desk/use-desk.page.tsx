import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Said } from '#areas/members/work/comment.model.ts'
import { type Desk, MAX_HELD } from '#areas/members/work/desk.model.ts'
import { CallFailed, get, post } from '#kit/page/call.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useUser } from '#kit/page/user.ts'
import { useDeskScreen, useScreenTexts } from './desk-screen.page.tsx'
import { keepSaid, placeOf, unsentOf } from './use-judging.page.tsx'

/** Links to pictures and films live five minutes. */
const FRESH_MS = 240_000

type Given = {
  path: string
  body?: object
  once?: string
  /** Whoever does this goes on with the next work. */
  goesOn?: boolean
}

/** What lies on the desk, and what may be done there; every answer is the desk as it is then. */
export function useDesk() {
  const say = useScreenTexts()
  const notices = useNotices()
  const screen = useDeskScreen()
  const key = [screen.name, 'desk'] as const
  const person = useUser(({ info }) => info?.id ?? '')
  const cache = useQueryClient()
  const keep = (desk: Desk) => {
    cache.setQueryData(key, desk)
    void cache.invalidateQueries({ queryKey: [screen.name], predicate: ({ queryKey }) => queryKey[1] !== key[1] })
  }
  const asked = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Desk>(`/${screen.name}/desk`, { signal }),
    refetchInterval: FRESH_MS,
  })
  // One after the other: the answer of each is the desk as it is after that one.
  const scope = { id: `${screen.name} desk` }
  // Nobody waits for it: where it fails, the next is taken when it is wanted.
  const ahead = useMutation({ scope, mutationFn: () => post<Desk>(`/${screen.name}/take-next`), onSuccess: keep })
  const deed = useMutation({
    scope,
    mutationFn: ({ path, body = {}, once }: Given) =>
      post<Desk>(`/${screen.name}/${path}`, body, once === undefined ? {} : { idempotencyKey: once }),
    onSuccess(desk, { goesOn = false }) {
      keep(desk)
      const { held, waiting } = desk
      // Its picture is there before it is wanted. An empty desk is filled by nobody but its owner.
      if (goesOn && held.length > 0 && held.length < MAX_HELD && waiting.department > 0) ahead.mutate()
    },
    onError(error) {
      notices.failed(error, say('title'))
      // What was refused may have been taken away: the desk says what is left.
      if (error instanceof CallFailed) void asked.refetch()
    },
  })
  const takeBack = useMutation({
    scope,
    mutationFn: (id: string) => post<{ said: Said; desk: Desk }>(`/${screen.name}/${id}/take-back`),
    onSuccess({ said, desk }, id) {
      // First, so that its work finds it when it is opened.
      keepSaid(placeOf(person, screen, id), said)
      keep(desk)
    },
    onError: error => notices.failed(error, say('title')),
  })
  const takeAgain = (id: string) => deed.mutate({ path: `${id}/take-again` })
  // Of what is no longer held: its time ran out, perhaps while nobody was here.
  const isHeld = (id: string) => asked.data?.held.some(work => work.id === id) ?? false
  const unsent = unsentOf(person, screen).filter(id => !isHeld(id))
  return { ...asked, deed, takeBack, takeAgain, unsent }
}
