import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps where each tab was scrolled to, whichever element scrolls: the window is shared by all tabs, and an element that
 * was hidden may begin at its top again.
 */
export function useKeptScroll(shown: string, pane: RefObject<HTMLElement | null>): void {
  const windows = useRef(new Map<string, number>())
  const elements = useRef(new Map<Element, { tab: string; top: number; left: number }>())
  const current = useRef(shown)

  useEffect(
    function rememberScroll() {
      const onScroll = ({ target }: Event) => {
        if (target === document) windows.current.set(current.current, window.scrollY)
        else if (target instanceof Element && pane.current?.contains(target)) {
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
      window.scrollTo(0, windows.current.get(shown) ?? 0)
      for (const [element, { tab, top, left }] of elements.current) {
        if (!element.isConnected) elements.current.delete(element)
        else if (tab === shown) element.scrollTo(left, top)
      }
    },
    [shown],
  )
}
