import { useLayoutEffect, useRef, useState } from 'react'

/** Of the list that was drawn last: most have as many lines above their rows. */
let topBefore = 0

/** Tabs, filters and what is chosen stay in sight; the table's head sticks below them. */
export function useStickingHead() {
  const head = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(topBefore)
  useLayoutEffect(function followHeight() {
    const element = head.current
    if (!element) return
    const measure = () => {
      topBefore = element.offsetHeight + (Number.parseInt(getComputedStyle(element).top, 10) || 0)
      setTop(topBefore)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return { head, top }
}
