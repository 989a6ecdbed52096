import { Modal } from 'antd'
import { createContext, type ReactNode, useMemo, useRef } from 'react'

type Room = { readonly modal: ReturnType<typeof Modal.useModal>[0]; isHidden(): boolean }

export const QuestionContext = createContext<Room | null>(null)

/** Where the questions of one page stand: they are hidden with it, and there again with it. */
export function QuestionRoom({ children }: { children: ReactNode }) {
  const [modal, questions] = Modal.useModal()
  const mark = useRef<HTMLElement>(null)
  // React takes the references of a hidden page away, as it does when a page goes.
  const room = useMemo(() => ({ modal, isHidden: () => mark.current === null }), [modal])
  return (
    <QuestionContext value={room}>
      {children}
      <i ref={mark} />
      {questions}
    </QuestionContext>
  )
}
