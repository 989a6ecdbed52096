import { useLayoutEffect, useRef, useState } from 'react'

/** Tabs, filters and what is chosen stay in sight; the table's head sticks below them. */
export function useStickingHead() {
  const head = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(function followHeight() {
    const element = head.current
    if (!element) return
    const measure = () => setTop(element.offsetHeight + (Number.parseInt(getComputedStyle(element).top, 10) || 0))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return { head, top }
}
