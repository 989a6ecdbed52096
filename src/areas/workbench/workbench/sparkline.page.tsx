import { usePoints } from '#kit/page/statistic/points.ts'

const WIDTH = 220
const HEIGHT = 44
/** Room for the width of the line and for the dot. */
const EDGE = 4

type Props = {
  values: readonly number[]
  label: string
  /** A point in words: its day and value. */
  said(index: number): string
  onOpen(index: number): void
  /** What stands below while nothing is pointed at. */
  children: string
}

/** The shape of the last days, without axes: the numbers stand beside it, and those of a day below while it is pointed at. */
export function Sparkline({ values, label, said, onOpen, children }: Props) {
  const last = values.length - 1
  const { at, index, slider } = usePoints({
    label,
    last,
    said,
    onOpen,
    nearest: (x, width) => Math.round((x / Math.max(width, 1)) * last),
  })
  const highest = Math.max(...values, 1)
  const points = values.map((value, nth): [number, number] => [
    EDGE + (nth / Math.max(last, 1)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - (value / highest) * (HEIGHT - 2 * EDGE),
  ])
  const line = points.map(([x, y]) => `${x} ${y}`).join(' L')
  const [dotX = 0, dotY = 0] = points[index] ?? []
  return (
    <>
      <div className="bench-spark" {...slider}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="bench-spark-area" d={`M${EDGE} ${HEIGHT} L${line} L${WIDTH - EDGE} ${HEIGHT}Z`} />
          <path className="bench-spark-line" d={`M${line}`} vectorEffect="non-scaling-stroke" />
        </svg>
        <i className="bench-spark-dot" style={{ left: `${(dotX / WIDTH) * 100}%`, top: `${(dotY / HEIGHT) * 100}%` }} />
      </div>
      <p className="bench-quiet">{at === undefined ? children : said(at)}</p>
    </>
  )
}
