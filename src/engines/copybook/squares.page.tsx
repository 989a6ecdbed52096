/** Light squares around a code, without which telephones do not find it. */
export const QUIET = 4
const SHOWN_PX = 168

/** A code to be scanned, from its rows, dark as 1. Dark on light in both themes, as telephones want it. */
export function Squares({ squares, title }: { squares: readonly string[]; title: string }) {
  const side = squares.length + 2 * QUIET
  const dark = squares.flatMap((row, y) =>
    [...row].flatMap((sign, x) => (sign === '1' ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  )
  return (
    <svg
      role="img"
      aria-label={title}
      viewBox={`0 0 ${side} ${side}`}
      width={SHOWN_PX}
      height={SHOWN_PX}
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 6, flex: 'none' }}
    >
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
