import { useState } from 'react'
import { downloadOf, save } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'

export const KINDS = ['pdf', 'picture'] as const
export type Kind = (typeof KINDS)[number]

/** Fetches the file of a sheet, once its record is known; says which is on its way. */
export function useTaking(path: string) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const [taking, setTaking] = useState<Kind>()
  const take = async (kind: Kind, recordOf: () => Promise<string | undefined>) => {
    setTaking(kind)
    try {
      const id = await recordOf()
      if (id === undefined) return
      const answer = await downloadOf(`${path}/${id}/${kind}`, {})
      if ('file' in answer) save(answer.file, answer.name)
    } catch (error) {
      notices.failed(error, kit('load-failed'))
    } finally {
      setTaking(undefined)
    }
  }
  return { taking, take }
}
