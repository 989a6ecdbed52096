import { useEffect, useRef } from 'react'
import { isArrow } from '#areas/members/work/cursor.model.ts'

/** Says whether the key meant something: whoever answers it has no use for what the browser would do. */
type Press = (event: KeyboardEvent) => boolean

export function useKeydown(press: Press): void {
  const latest = useRef(press)
  latest.current = press
  useEffect(function listenToKeys() {
    const hear = (event: KeyboardEvent) => {
      if (latest.current(event)) event.preventDefault()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}

/** The keys of the desk: never while somebody types or answers a question, nor again while one is held down. */
export function usePresses(press: (key: string, event: KeyboardEvent) => boolean): void {
  useKeydown(event => {
    const key = event.key.toLowerCase()
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false
    return (!event.repeat || isArrow(key)) && press(key, event)
  })
}

/** What a key has done is done. */
export const done = (deed: () => void): true => {
  deed()
  return true
}

const isIn = (target: EventTarget | null, where: string): boolean =>
  target instanceof HTMLElement && target.closest(where) !== null

/** Over the desk: a question of ours, or a sheet of the frame. */
export const isAside = (target: EventTarget | null): boolean =>
  isIn(target, '[role="dialog"], .ant-popover, .ant-select-dropdown')

/** A choice among a few is no text: its keys are the arrows alone. */
const isTyping = (target: EventTarget | null): boolean =>
  isAside(target) || isIn(target, 'input:not([type="radio"]), textarea, [contenteditable]')

/** Enter there presses what has the focus. */
export const isPressed = (target: EventTarget | null): boolean =>
  isIn(target, 'button, a, input, [role="button"], [role="tab"]')

/** Arrows there change what has the focus. */
export const isTurned = (target: EventTarget | null): boolean =>
  isIn(target, 'input, [role="radio"], [role="slider"], .ant-rate')
