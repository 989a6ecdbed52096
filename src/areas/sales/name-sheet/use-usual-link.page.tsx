import { useQuery } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useEffect } from 'react'
import { get } from '#kit/page/call.ts'

/** Fills in the link that was used last, where nothing was entered yet. */
export function useUsualLink(form: FormInstance<Readonly<Record<string, unknown>>>, path: string | undefined): void {
  const { data } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => get<{ link: string | null }>(path ?? '', { signal }),
    enabled: path !== undefined,
  })
  useEffect(
    function fillIn() {
      if (data?.link && !form.getFieldValue('link')) form.setFieldValue('link', data.link)
    },
    [data, form],
  )
}
