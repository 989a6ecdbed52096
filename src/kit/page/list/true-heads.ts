import { type RefObject, useEffect, useState } from 'react'

/** So long nothing moves before it counts: while a column is dragged, or rows arrive, heads follow their columns late. */
const STILL_MS = 250
/** A table that cannot be set right is left as it is. */
const MOST = 3

/**
 * A number that changes when the table has to be drawn anew: now and then it keeps widths that its columns no longer
 * have, and the heads then stand beside them for good (seen in antd 6.6 on a busy machine, one visit in some fifty).
 * Fractions of a pixel it leaves out add up over many columns: such heads are given the very widths of their columns.
 */
export function useTrueHeads(box: RefObject<HTMLElement | null>): number {
  const [anew, setAnew] = useState(0)
  useEffect(
    function lookWhenStill() {
      const element = box.current
      if (!element) return
      let timer: ReturnType<typeof setTimeout> | undefined
      const look = (isSecond: boolean) => {
        const pairs = headsAndColumns(element)
        const isOther = pairs.some(([head, column]) => Math.abs(head.width - column.width) > 1)
        if (isOther && anew < MOST) {
          if (isSecond) setAnew(anew + 1)
          else timer = setTimeout(look, STILL_MS, true)
        } else if (pairs.some(([head, column]) => Math.abs(head.left - column.left) > 0.5)) takeWidths(element, pairs)
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

/** Where each head and the column below it stand; nothing while the table has no rows to measure. */
function headsAndColumns(box: HTMLElement): [head: DOMRect, column: DOMRect][] {
  // Where bars take room, the head has a cell of its own above the one that scrolls.
  const heads = [...box.querySelectorAll('.ant-table-header th:not(.ant-table-cell-scrollbar)')]
  const columns = [...box.querySelectorAll('.ant-table-measure-row > td')]
  if (heads.length !== columns.length) return []
  return columns.map((column, at) => [(heads[at] ?? column).getBoundingClientRect(), column.getBoundingClientRect()])
}

/** Writes only what differs, since each writing has the table looked at again. */
function takeWidths(box: HTMLElement, pairs: readonly [head: DOMRect, column: DOMRect][]): void {
  for (const [at, col] of [...box.querySelectorAll<HTMLElement>('.ant-table-header col')].entries()) {
    const width = pairs[at] && `${Math.round(pairs[at][1].width * 100) / 100}px`
    if (width && col.style.width !== width) col.style.width = width
  }
}
