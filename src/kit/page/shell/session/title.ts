import { useEffect } from 'react'
import { useTexts } from '../../language.ts'
import type { locale } from '../locale.ts'

/** Spec §1: '{page title} - {app title}'. */
export function useTitle(page: string): void {
  const app = useTexts<typeof locale>('kit/page/shell')('app')
  useEffect(
    function nameTheWindow() {
      document.title = `${page} - ${app}`
    },
    [page, app],
  )
}
