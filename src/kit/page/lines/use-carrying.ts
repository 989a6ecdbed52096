import { type PointerEvent, type RefObject, useState } from 'react'

type Carried = { readonly from: number; readonly to: number }

/** Where what is carried would stand: after all others whose middle lies above the pointer. */
export const placeAt = (middles: readonly number[], y: number): number => middles.filter(middle => middle < y).length

/** Where a line is drawn while another one is carried: nothing moves in the page until it is let go. */
export function drawnAt(at: number, carried: Carried | undefined): number {
  if (!carried) return at
  const { from, to } = carried
  if (at === from) return to
  if (at > from && at <= to) return at - 1
  return at < from && at >= to ? at + 1 : at
}

/** Carries a line by its handle, with mouse or finger; Esc puts it back. */
export function useCarrying(list: RefObject<HTMLElement | null>, move: (from: number, to: number) => void) {
  const [carried, setCarried] = useState<Carried>()
  const grab = (from: number, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    let to = from
    const letGo = (isMeant: boolean) => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null
      document.removeEventListener('keydown', giveUp, { capture: true })
      setCarried(undefined)
      if (isMeant && to !== from) move(from, to)
    }
    const giveUp = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return
      // The drawer around it would take it for its own.
      key.preventDefault()
      key.stopPropagation()
      letGo(false)
    }
    handle.onpointermove = ({ clientY }) => {
      const others = [...(list.current?.children ?? [])].toSpliced(from, 1)
      const next = placeAt(others.map(middleOf), clientY)
      // Whoever carries beyond what is in sight sees the next line come.
      if (next !== to) others[next > to ? next : next - 1]?.scrollIntoView({ block: 'nearest' })
      to = next
      setCarried({ from, to })
    }
    handle.onpointerup = () => letGo(true)
    handle.onpointercancel = () => letGo(false)
    document.addEventListener('keydown', giveUp, { capture: true })
  }
  return { carried, grab }
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect()
  return top + height / 2
}
