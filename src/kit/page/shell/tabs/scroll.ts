import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A page that grows back to its height takes a moment, on a slow machine seconds; longer than this nobody waits for the old place. */
const PATIENCE_MS = 10_000
/** Whoever does one of these has found a place of their own. */
const SIGNS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Keeps where each tab was scrolled to, whichever element scrolls: the window is shared by all tabs, and an element that
 * was hidden may begin at its top again.
 */
export function useKeptScroll(shown: string, pane: RefObject<HTMLElement | null>): void {
  const windows = useRef(new Map<string, number>())
  const elements = useRef(new Map<Element, { tab: string; top: number; left: number }>())
  const current = useRef(shown)
  const isReturning = useRef(false)

  useEffect(
    function rememberScroll() {
      const onScroll = ({ target }: Event) => {
        if (target === document) {
          // A page still too short clamps the window: that is nobody's wish.
          if (!isReturning.current) windows.current.set(current.current, window.scrollY)
        } else if (target instanceof Element && pane.current?.contains(target)) {
          elements.current.set(target, { tab: current.current, top: target.scrollTop, left: target.scrollLeft })
        }
      }
      // Scrolling of an element does not bubble, but it can be caught on its way down.
      window.addEventListener('scroll', onScroll, { capture: true, passive: true })
      return () => window.removeEventListener('scroll', onScroll, { capture: true })
    },
    [pane],
  )

  useLayoutEffect(
    function restoreScroll() {
      current.current = shown
      for (const [element, { tab, top, left }] of elements.current) {
        if (!element.isConnected) elements.current.delete(element)
        else if (tab === shown) element.scrollTo(left, top)
      }
      const stop = returnTo(windows.current.get(shown) ?? 0, pane.current, () => {
        isReturning.current = false
      })
      isReturning.current = stop !== undefined
      return stop
    },
    [shown, pane],
  )
}

/** Scrolls the window to a place, and again while the page grows towards it; whoever scrolls meanwhile is not pulled back. */
function returnTo(top: number, ground: HTMLElement | null, onEnd: () => void): (() => void) | undefined {
  window.scrollTo(0, top)
  if (window.scrollY >= top || !ground) return undefined
  const growth = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (window.scrollY >= top) end()
  })
  const end = () => {
    growth.disconnect()
    clearTimeout(timer)
    for (const sign of SIGNS) window.removeEventListener(sign, end)
    onEnd()
  }
  const timer = setTimeout(end, PATIENCE_MS)
  for (const sign of SIGNS) window.addEventListener(sign, end, { passive: true })
  growth.observe(ground)
  return end
}
