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
    const open = modal.confirm({ focusable: { autoFocusButton: safeButton(question) }, ...question })
    // Waiting for it keeps antd from throwing a failed deed, which has been told already, into the void.
    void open.then(
      () => {},
      () => {},
    )
    asked.current = open
    return open
  }
}

/** Enter, pressed before the question was read, must not be what throws something away. */
const safeButton = ({ okType, okButtonProps }: ModalFuncProps): 'ok' | 'cancel' =>
  okType === 'danger' || okButtonProps?.danger ? 'cancel' : 'ok'
