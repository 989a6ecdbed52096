import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { splitOf } from './model.ts'

/** Room between two boxes, one below the other. */
const GAP = 12

export type Box = { readonly name: string; readonly shown: ReactNode }

/** As the boxes were first measured: which of these names stand in the second column. What grows later pushes nothing across. */
type Split = { readonly names: string; readonly second: ReadonlySet<string> }

/**
 * Boxes as high as what they hold, in two columns of about the same height; in one, in the order they are named, where the
 * window is narrow.
 */
export function Columns({ boxes }: { boxes: readonly Box[] }) {
  const names = boxes.map(({ name }) => name).join()
  const flow = useRef<HTMLDivElement>(null)
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const [split, setSplit] = useState<Split>({ names: '', second: new Set() })

  // With each other set of boxes anew.
  useLayoutEffect(
    function measureBoxes() {
      const elements = [...(flow.current?.children ?? [])] as HTMLElement[]
      const measure = () => {
        const found = elements.map(element => [element.dataset.box ?? '', element.offsetHeight + GAP] as const)
        setHeights(new Map(found))
        return found
      }
      const found = measure()
      const second = new Set(splitOf(found.map(([, height]) => height)).map(index => found[index]?.[0] ?? ''))
      setSplit({ names, second })
      const growth = new ResizeObserver(measure)
      for (const element of elements) growth.observe(element)
      return () => growth.disconnect()
    },
    [names],
  )

  return (
    <div className="bench-flow" ref={flow}>
      {boxes.map(({ name, shown }) => (
        <div
          key={name}
          data-box={name}
          className={split.second.has(name) ? 'bench-second' : undefined}
          style={{ '--rows': heights.get(name) ?? 1 } as CSSProperties}
        >
          {shown}
        </div>
      ))}
    </div>
  )
}
