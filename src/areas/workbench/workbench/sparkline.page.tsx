const WIDTH = 220
const HEIGHT = 44
/** Room for the width of the line and the last day's dot. */
const EDGE = 4

/** The shape of the last days, without axes: the numbers stand beside it. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(...values, 1)
  const points = values.map((value, index): [number, number] => [
    EDGE + (index / Math.max(values.length - 1, 1)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - (value / highest) * (HEIGHT - 2 * EDGE),
  ])
  const line = points.map(([x, y]) => `${x} ${y}`).join(' L')
  const [lastX = 0, lastY = 0] = points.at(-1) ?? []
  return (
    <svg
      className="bench-spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <path className="bench-spark-area" d={`M${EDGE} ${HEIGHT} L${line} L${WIDTH - EDGE} ${HEIGHT}Z`} />
      <path className="bench-spark-line" d={`M${line}`} vectorEffect="non-scaling-stroke" />
      <circle className="bench-spark-dot" cx={lastX} cy={lastY} r={3} />
    </svg>
  )
}
