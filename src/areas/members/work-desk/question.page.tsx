import { Button, Grid, Popconfirm } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { done, useKeydown, usePresses } from './use-presses.page.tsx'

type Props = {
  /** The key that opens it. */
  by: string
  /** What is done. */
  name: string
  title: string
  /** What its answer is called, where that is not what is done. */
  okText?: string
  danger?: boolean
  /** Where nothing would be lost nobody is asked. */
  isAsked?: boolean
  isAnswered?: boolean
  onConfirm(): void
  children?: ReactNode
}

/** What is done with a work once something was asked: opened by its key, answered by Ctrl+Enter, left by Escape. */
export function Question({
  by,
  name,
  title,
  okText = name,
  danger = false,
  isAnswered = true,
  onConfirm,
  ...rest
}: Props) {
  const { isAsked = true, children } = rest
  const [isOpen, open] = useState(false)
  // Only what hangs in the middle is pushed back into sight.
  const isNarrow = Grid.useBreakpoint().md === false
  const begin = () => (isAsked ? open(true) : onConfirm())
  // While it fades nobody types into it any more: the next key is one of the desk.
  const close = () => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.closest('.ant-popover')) activeElement.blur()
    open(false)
  }
  const confirm = () => {
    if (!isAnswered) return
    close()
    onConfirm()
  }
  usePresses(key => key === by && done(begin))
  useKeydown(({ key, ctrlKey, metaKey, isComposing }) => {
    const isConfirmed = isOpen && key === 'Enter' && (ctrlKey || metaKey) && !isComposing
    return isConfirmed && done(confirm)
  })
  return (
    <Popconfirm
      open={isOpen}
      onOpenChange={wanted => (wanted ? begin() : close())}
      placement={isNarrow ? 'bottom' : 'bottomLeft'}
      destroyOnHidden
      title={title}
      description={<Fields>{children}</Fields>}
      okText={okText}
      okButtonProps={{ disabled: !isAnswered, danger }}
      onConfirm={confirm}
    >
      <Button size="small" danger={danger}>
        {name} <kbd>{by.toUpperCase()}</kbd>
      </Button>
    </Popconfirm>
  )
}

/** Whoever opened it by its key goes on typing: none of that may be heard by the desk, and Enter confirms where nothing is typed. */
function Fields({ children }: { children: ReactNode }) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(function standInIt() {
    // It hangs in the page once all it stands in does: before the next key is pressed.
    queueMicrotask(() => {
      const asked = fields.current?.closest('.ant-popover')
      asked?.querySelector<HTMLElement>('input, textarea, .ant-btn-primary')?.focus()
    })
  }, [])
  return (
    <div ref={fields} className={children === undefined ? undefined : 'work-question'}>
      {children}
    </div>
  )
}
