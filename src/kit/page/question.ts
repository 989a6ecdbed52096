import { App, type ModalFuncProps } from 'antd'
import { useEffect, useRef } from 'react'

/** Asks before something is done. The question goes along when its page goes or is hidden; a failed deed keeps it open. */
export function useQuestion() {
  const { modal } = App.useApp()
  const asked = useRef<{ destroy(): void }>(undefined)
  useEffect(function takeTheQuestionAlong() {
    return () => asked.current?.destroy()
  }, [])
  return (question: ModalFuncProps) => {
    const open = modal.confirm(question)
    // Waiting for it keeps antd from throwing a failed deed, which has been told already, into the void.
    void open.then(
      () => {},
      () => {},
    )
    asked.current = open
    return open
  }
}
