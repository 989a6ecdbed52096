import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useEffect, useState } from 'react'
import { CallFailed, post } from '#kit/page/call.ts'
import { useLanguage } from '#kit/page/language.ts'

type Values = Readonly<Record<string, unknown>>

/** Long enough for the next key, short enough to be live. */
const TYPING_MS = 300

/** What stands where the sheet is to be: nothing is asked for, it is on its way, something entered speaks against it, or it did not come. */
export type Standing = 'EMPTY' | 'COMING' | 'SHOWN' | 'REFUSED' | 'FAILED'

/** The sheet as it would be made of what is entered, a moment after the last key; what speaks against it stands at its field. */
export function usePreview(form: FormInstance<Values>, path: string, body: Values) {
  const typed = JSON.stringify(body)
  const [asked, setAsked] = useState<string>()
  const language = useLanguage()
  useEffect(
    function askWhenPaused() {
      const timer = setTimeout(() => setAsked(typed), TYPING_MS)
      return () => clearTimeout(timer)
    },
    [typed],
  )
  const wanted = asked === undefined ? undefined : (JSON.parse(asked) as Values)
  const { data, error, isFetching } = useQuery({
    queryKey: [path, asked, language],
    queryFn: ({ signal }) => post<{ pages: string[] }>(path, wanted, { signal }),
    enabled: Boolean(wanted?.name),
    retry: false,
    placeholderData: keepPreviousData,
  })
  const faults = error instanceof CallFailed ? error.fields : undefined
  useEffect(
    function tellAtFields() {
      const found = faults ?? {}
      form.setFields(Object.keys(form.getFieldsValue()).map(name => ({ name, errors: [found[name] ?? []].flat() })))
    },
    [faults, form],
  )
  const isSpokenAgainst = Object.keys(faults ?? {}).length > 0
  const whyNone = error ? (isSpokenAgainst ? 'REFUSED' : 'FAILED') : undefined
  const standing: Standing = body.name ? (whyNone ?? (data ? 'SHOWN' : 'COMING')) : 'EMPTY'
  return { standing, pages: standing === 'SHOWN' ? (data?.pages ?? []) : [], isFetching }
}
