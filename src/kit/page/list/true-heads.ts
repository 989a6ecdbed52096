import { type RefObject, useEffect, useState } from 'react'

/** So long nothing moves before it counts: while a column is dragged, or rows arrive, heads follow their columns late. */
const STILL_MS = 250
/** A table that cannot be set right is left as it is. */
const MOST = 3

/**
 * A number that changes when the table has to be drawn anew: now and then it keeps widths that its columns no longer
 * have, and the heads then stand beside them for good (seen in antd 6.6 on a busy machine, one visit in some fifty).
 */
export function useTrueHeads(box: RefObject<HTMLElement | null>): number {
  const [anew, setAnew] = useState(0)
  useEffect(
    function lookWhenStill() {
      const element = box.current
      if (!element || anew >= MOST) return
      let timer: ReturnType<typeof setTimeout> | undefined
      const look = (isSecond: boolean) => {
        if (!standBeside(element)) return
        if (isSecond) setAnew(anew + 1)
        else timer = setTimeout(look, STILL_MS, true)
      }
      const lookOnceStill = () => {
        clearTimeout(timer)
        timer = setTimeout(look, STILL_MS, false)
      }
      const observer = new MutationObserver(lookOnceStill)
      observer.observe(element, {
        subtree: true,
        childList: true,
        characterData: true,
        attributeFilter: ['style', 'class'],
      })
      lookOnceStill()
      return () => {
        observer.disconnect()
        clearTimeout(timer)
      }
    },
    [box, anew],
  )
  return anew
}

/** Whether a head is another width than the column below it. */
function standBeside(box: HTMLElement): boolean {
  // Where bars take room, the head has a cell of its own above the one that scrolls.
  const heads = [...box.querySelectorAll('.ant-table-header th:not(.ant-table-cell-scrollbar)')]
  const columns = [...box.querySelectorAll('.ant-table-measure-row > td')]
  if (heads.length !== columns.length) return false
  const widthOf = (cell: Element | undefined) => cell?.getBoundingClientRect().width ?? 0
  return heads.some((head, at) => Math.abs(widthOf(head) - widthOf(columns[at])) > 1)
}
