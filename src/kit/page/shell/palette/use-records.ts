import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Found } from '#kit/model/found.ts'
import { isEnough, isPersonal, readTyped } from '#kit/model/typed.ts'
import { CallFailed, post, splitMessage } from '../../call.ts'
import { useLanguage, useTexts } from '../../language.ts'
import { pauseAfter } from '../../typing.ts'
import type { locale } from './locale.ts'

type Records = {
  /** Those of what stands in the box, never of what stood there before. */
  readonly records: readonly Found[]
  readonly isSearching: boolean
  /** Why there may be more, or none: too many, somebody else's, too often asked. */
  readonly note: string | undefined
}

/** The records that fit what is typed, asked for when somebody pauses; sent in a body, for it may be a phone number. */
export function useRecords(typed: string, isComposing: boolean): Records {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const language = useLanguage()
  const wanted = isEnough(typed.trim()) ? typed.trim() : ''
  const asked = useSettled(wanted, isComposing)
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', asked, language],
    queryFn: ({ signal }) =>
      post<{ records: Found[]; isComplete: boolean }>('/common/search', { text: asked }, { signal }),
    enabled: asked !== '',
    // Asked once, for it counts.
    ...(isPersonal(readTyped(asked)) ? { staleTime: Number.POSITIVE_INFINITY, retry: false } : {}),
  })
  const isCurrent = wanted === asked
  const failure = error instanceof CallFailed ? refusalIn(error) : say('failed')
  return {
    records: isCurrent && asked !== '' ? (data?.records ?? []) : [],
    isSearching: !isCurrent || isFetching,
    note: !isCurrent ? undefined : error ? failure : data?.isComplete === false ? say('too-slow') : undefined,
  }
}

const refusalIn = ({ message }: CallFailed): string => {
  const { title, description } = splitMessage(message)
  return description ?? title
}

/** What was typed once somebody pauses; nothing while signs are still being put together. */
function useSettled(text: string, isComposing: boolean): string {
  const [settled, setSettled] = useState('')
  useEffect(
    function settleAfterPause() {
      if (isComposing) return
      const timer = setTimeout(() => setSettled(text), text === '' ? 0 : pauseAfter(text))
      return () => clearTimeout(timer)
    },
    [text, isComposing],
  )
  return settled
}
