import { Form, Modal, type ModalProps } from 'antd'
import { use, useEffect, useRef, useState } from 'react'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { QuestionContext } from '../question-room.tsx'
import { useTab } from '../tab.ts'
import { useLeaving } from './use-leaving.ts'

type Props = Omit<ModalProps, 'open' | 'onCancel'> & {
  onClose(): void
  /** What was typed has been done: nothing is lost by leaving. */
  isDone?: boolean
  /** Something was changed by what is no field: lines put in another order, one thrown away. */
  isChanged?: boolean
}

/** A small window with something to fill in. Esc, the cross and Cancel leave it, and ask first once something was entered. */
export function FormModal({
  onClose,
  isDone = false,
  isChanged = false,
  confirmLoading = false,
  children,
  ...modal
}: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const [isTouched, setTouched] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const isUnsaved = (isTouched || isChanged) && !isDone
  useForgetting()
  const askFirst = useLeaving(isUnsaved, onClose)
  const leave = () => !confirmLoading && (isUnsaved ? askFirst() : onClose())
  return (
    <Modal
      open
      mask={{ closable: false }}
      cancelText={kit('cancel')}
      confirmLoading={confirmLoading}
      // Who opened it is about to fill it in; what asks for the focus itself has it by then.
      afterOpenChange={isOpen => isOpen && focusFirst(box.current)}
      {...modal}
      onCancel={leave}
    >
      <Form.Provider
        onFormChange={(_, { changedFields }) => changedFields.some(({ touched }) => touched) && setTouched(true)}
      >
        {/* Fields outside a form tell of themselves. */}
        <div ref={box} onChange={() => setTouched(true)}>
          {children}
        </div>
      </Form.Provider>
    </Modal>
  )
}

const FIELDS = 'input:not([type="file"], :disabled), textarea:not(:disabled)'

function focusFirst(box: HTMLElement | null): void {
  if (!box?.contains(document.activeElement)) box?.querySelector<HTMLElement>(FIELDS)?.focus({ preventScroll: true })
}

/** Once it is closed the tab has nothing to lose by it; a page that is only hidden has. */
function useForgetting(): void {
  const { setUnsaved } = useTab()
  const room = use(QuestionContext)
  useEffect(
    function forgetWhenClosed() {
      return () => void setTimeout(() => !room?.isHidden() && setUnsaved(false))
    },
    [room, setUnsaved],
  )
}
