import type { Mark, Place } from '#areas/members/work/comment.model.ts'

type Props = { mark: Mark; at: number; unit: number; isChosen?: boolean; onChoose?(): void }

/** One mark on a picture: its shape, and its number beside it. `unit` is a hundredth of the picture's longer side. */
export function MarkShape({ mark, at, unit, isChosen = false, onChoose }: Props) {
  const [x, y] = numberPlace(mark)
  return (
    <g
      className={isChosen ? 'work-mark work-mark-chosen' : 'work-mark'}
      strokeWidth={unit * 0.45}
      onPointerDown={event => {
        if (!onChoose) return
        event.stopPropagation()
        onChoose()
      }}
    >
      {mark.shape === 'LINE' && <polyline points={mark.points.map(point => point.join(',')).join(' ')} fill="none" />}
      {mark.shape === 'BOX' && <rect {...boxOf(mark.points)} fill="none" />}
      <circle cx={x} cy={y} r={unit * 1.6} className="work-mark-number" />
      <text x={x} y={y} fontSize={unit * 2} textAnchor="middle" dominantBaseline="central">
        {at + 1}
      </text>
    </g>
  )
}

const numberPlace = ({ points }: Mark): Place => (points[0] ?? [0, 0]) as Place

function boxOf(points: Mark['points']) {
  const [[x1, y1] = [0, 0], [x2, y2] = [0, 0]] = points
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
}
