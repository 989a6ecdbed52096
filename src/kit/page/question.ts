import { App, type ModalFuncProps } from 'antd'
import { useContext, useEffect, useRef } from 'react'
import { QuestionContext } from './question-room.tsx'

/**
 * Asks before something is done. The question waits in its tab, with what was typed into it, while another tab is shown,
 * and goes along when its page goes; a failed deed keeps it open.
 */
export function useQuestion() {
  const app = App.useApp()
  const room = useContext(QuestionContext)
  const modal = room?.modal ?? app.modal
  const asked = useRef<{ destroy(): void }>(undefined)
  useEffect(
    function takeTheQuestionAlong() {
      return () => {
        if (!room) return asked.current?.destroy()
        // A page that is hidden ends its effects as one that goes; only the page around it tells which.
        const open = asked.current
        setTimeout(() => {
          if (!room.isHidden()) open?.destroy()
        })
      }
    },
    [room],
  )
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
