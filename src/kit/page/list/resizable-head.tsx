import type { PointerEvent, ThHTMLAttributes } from 'react'

const MIN_WIDTH = 60
const STEP = 16

type Props = ThHTMLAttributes<HTMLTableCellElement> & {
  width?: number
  widthName?: string
  onWidth?: (width: number) => void
}

/** A table head whose right edge can be dragged, or moved with the arrow keys. */
export function ResizableHead({ width, widthName, onWidth, children, ...cell }: Props) {
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
      <hr
        className="inkstone-resize"
        aria-orientation="vertical"
        aria-label={widthName}
        aria-valuenow={width}
        aria-valuemin={MIN_WIDTH}
        tabIndex={0}
        onPointerDown={drag}
        onClick={event => event.stopPropagation()}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'ArrowLeft') onWidth(Math.max(MIN_WIDTH, width - STEP))
          if (event.key === 'ArrowRight') onWidth(width + STEP)
        }}
      />
    </th>
  )
}
