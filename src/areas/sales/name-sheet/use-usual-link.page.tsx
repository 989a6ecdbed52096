import { useQuery } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useEffect } from 'react'
import { get } from '#kit/page/call.ts'

/** What a form begins with, and what it offers besides. */
export type UsualLink = {
  readonly link: string | null
  readonly offered: readonly { readonly name: string; readonly link: string }[]
}

/** Fills in the usual link, where nothing was entered yet; gives those to choose from. */
export function useUsualLink(
  form: FormInstance<Readonly<Record<string, unknown>>>,
  path: string | undefined,
): UsualLink['offered'] {
  const { data } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => get<UsualLink>(path ?? '', { signal }),
    enabled: path !== undefined,
  })
  useEffect(
    function fillIn() {
      if (data?.link && !form.getFieldValue('link')) form.setFieldValue('link', data.link)
    },
    [data, form],
  )
  return data?.offered ?? []
}
