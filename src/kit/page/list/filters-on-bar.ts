import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useLanguage } from '../language.ts'

/** How many filters stand on the bar where there is room; the rest are under "more filters". */
const MOST = 2

/** How many filters fit between the search and the tools, which stand in one line: a wider window, or shorter words, show more. */
export function useFiltersOnBar(): { count: number; box: RefObject<HTMLDivElement | null> } {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const around = `${useLanguage()} ${width}`
  const [left, setLeft] = useState({ around, out: 0 })
  const out = left.around === around ? left.out : 0
  useLayoutEffect(function followTheBar() {
    // By the whole bar: the filters' own place changes with what stands in it.
    const bar = box.current?.parentElement
    if (!bar) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    observer.observe(bar)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(function leaveOutWhatHasNoRoom() {
    const place = box.current
    if (place && out < MOST && place.scrollWidth > place.clientWidth + 1) setLeft({ around, out: out + 1 })
  })
  return { count: MOST - out, box }
}
