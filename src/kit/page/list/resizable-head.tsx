import type { PointerEvent, ThHTMLAttributes } from 'react'

const MIN_WIDTH = 60
const STEP = 16

type Props = ThHTMLAttributes<HTMLTableCellElement> & { width?: number; onWidth?: (width: number) => void }

/** A table head whose right edge can be dragged, or moved with the arrow keys. */
export function ResizableHead({ width, onWidth, children, ...cell }: Props) {
  if (width === undefined || onWidth === undefined) return <th {...cell}>{children}</th>
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const handle = event.currentTarget
    const from = event.clientX
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = move => onWidth(Math.max(MIN_WIDTH, width + move.clientX - from))
    handle.onpointerup = () => {
      handle.onpointermove = null
    }
  }
  return (
    <th {...cell}>
      {children}
      <span
        className="inkstone-resize"
        aria-hidden
        onPointerDown={drag}
        onClick={event => event.stopPropagation()}
        onKeyDown={event => {
          if (event.key === 'ArrowLeft') onWidth(Math.max(MIN_WIDTH, width - STEP))
          if (event.key === 'ArrowRight') onWidth(width + STEP)
        }}
      />
    </th>
  )
}
