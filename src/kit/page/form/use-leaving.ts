import { useEffect } from 'react'
import { useTexts } from '../language.ts'
import { useQuestion } from '../question.ts'
import { useTab } from '../tab.ts'
import type { locale } from './locale.ts'

/** Asks before what was typed is thrown away, and tells the tab that there is something to lose. */
export function useLeaving(isUnsaved: boolean, finish: () => void): () => void {
  const words = useTexts<typeof locale>('kit/page/form')
  const { setUnsaved } = useTab()
  const ask = useQuestion()
  useEffect(
    function tellTheTab() {
      setUnsaved(isUnsaved)
    },
    [setUnsaved, isUnsaved],
  )
  return () =>
    void ask({
      title: words('unsaved-title'),
      content: words('unsaved-text'),
      okText: words('unsaved-leave'),
      okType: 'danger',
      cancelText: words('unsaved-stay'),
      onOk: finish,
    })
}
