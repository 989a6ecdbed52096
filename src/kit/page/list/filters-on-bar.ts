import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useLanguage } from '../language.ts'

/** How many filters stand on the bar where there is room; the rest are under "more filters". */
const MOST = 2

/** How many filters fit between the search and the tools, which stand in one line: a wider window, or shorter words, show more. */
export function useFiltersOnBar(): { count: number; box: RefObject<HTMLDivElement | null> } {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  // What comes late, a font or the names of choices, makes what stands there wider: looked at again then.
  const [, setNeeded] = useState(0)
  const around = `${useLanguage()} ${width}`
  const [left, setLeft] = useState({ around, out: 0 })
  const out = left.around === around ? left.out : 0
  useLayoutEffect(function followTheBar() {
    const place = box.current
    // By the whole bar: the filters' own place changes with what stands in it.
    const bar = place?.parentElement
    if (!place || !bar) return
    const observer = new ResizeObserver(() => {
      setWidth(bar.clientWidth)
      setNeeded(place.scrollWidth - place.clientWidth)
    })
    for (const part of [bar, place, ...place.children]) observer.observe(part)
    return () => observer.disconnect()
  })
  useLayoutEffect(function leaveOutWhatHasNoRoom() {
    const place = box.current
    if (place && out < MOST && place.scrollWidth > place.clientWidth + 1) setLeft({ around, out: out + 1 })
  })
  return { count: MOST - out, box }
}
