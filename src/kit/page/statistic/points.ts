import { type KeyboardEvent, type PointerEvent, useState } from 'react'

type Points = {
  readonly label: string
  /** Of the last point; the first is 0. */
  readonly last: number
  /** The point nearest to a place, in pixels from the left of a chart of this width. */
  nearest(x: number, width: number): number
  /** The point in words. */
  said(index: number): string
  onOpen(index: number): void
}

/** A pointer or the arrow keys go from point to point; a click or Enter opens the rows behind one. */
export function usePoints({ label, last, nearest, said, onOpen }: Points) {
  const [at, setAt] = useState<number>()
  const index = Math.min(at ?? last, last)
  const open = () => {
    if (at !== undefined) onOpen(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, index, last)
    if (event.key === 'Enter') open()
    else if (event.key === 'Escape') setAt(undefined)
    else if (next !== undefined) setAt(next)
    else return
    event.preventDefault()
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(last, nearest(event.clientX - left, width))))
  }
  const slider = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': index,
    'aria-valuetext': said(index),
    onKeyDown,
    onFocus: () => setAt(known => known ?? last),
    onBlur: () => setAt(undefined),
    onPointerMove,
    onPointerLeave: () => setAt(undefined),
    onClick: open,
  } as const
  return { at: at === undefined ? undefined : index, index, slider }
}

function moved(key: string, index: number, last: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, index + 1)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, index - 1)
  return key === 'Home' ? 0 : key === 'End' ? last : undefined
}
