import { useEffect, useRef, useState } from 'react'
import type { Place } from '#areas/members/work/comment.model.ts'
import { type Cursor, entered, isArrow, moved, type Size } from '#areas/members/work/cursor.model.ts'
import { isPressed, isTurned, usePresses } from './use-presses.page.tsx'

type Leading = {
  size: Size | undefined
  turns: number
  isPin: boolean
  chosen: number | null
  onLine(line: readonly Place[]): void
  /** Where the words of the mark that is meant are typed. */
  onWrite: (() => void) | undefined
}

/**
 * The picture by keyboard: arrows lead a cursor over it, Enter draws there, Escape lets go of it. Enter again, before it was
 * led elsewhere, writes what the mark says.
 */
export function useCursor(leading: Leading): Cursor | null {
  const [cursor, setCursor] = useState<Cursor | null>(null)
  const [isLed, setLed] = useState(false)
  const { chosen } = leading
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever mark is meant now, nothing was aimed at since
  useEffect(
    function meanAnother() {
      setLed(false)
    },
    [chosen],
  )
  usePresses((key, { shiftKey, target }) => {
    const { size, turns, isPin, onLine, onWrite } = leading
    if (!size) return false
    if (isArrow(key) && !isTurned(target)) {
      setCursor(moved(cursor, key, { ...size, turns, isStride: shiftKey }))
      setLed(true)
    } else if (key === 'enter' && onWrite && !isLed && !isPressed(target)) onWrite()
    else if (!cursor) return false
    else if (key === 'escape') setCursor(null)
    else if (key === 'enter' && !isPressed(target)) {
      const { cursor: after, line } = entered(cursor, isPin)
      setCursor(after)
      if (line.length > 0) onLine(line)
      setLed(line.length === 0)
    } else return false
    return true
  })
  return cursor
}

/** Where the keyboard points at: kept in sight, however large the picture is. */
export function CursorSign({ cursor: { at, from }, unit }: { cursor: Cursor; unit: number }) {
  const sign = useRef<SVGGElement>(null)
  const [x, y] = at
  // biome-ignore lint/correctness/useExhaustiveDependencies: wherever it goes
  useEffect(
    function keepInSight() {
      sign.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    },
    [x, y],
  )
  return (
    <g ref={sign} className="work-cursor" strokeWidth={unit * 0.3}>
      {from && <circle cx={from[0]} cy={from[1]} r={unit * 0.6} />}
      <path d={`M${x - 3 * unit} ${y}H${x + 3 * unit}M${x} ${y - 3 * unit}V${y + 3 * unit}`} />
      <circle cx={x} cy={y} r={unit * 1.2} fill="none" />
    </g>
  )
}
