import { useMemo } from 'react'
import { middle, outline, STROKES, touched } from './strokes.ts'

/** Wider than the widest touch, so that the brush uncovers all of its stroke. */
const UNCOVERING = 96

/** The character 砚 being written, stroke by stroke; at once for whoever asked for less motion. */
export function InkCharacter() {
  const strokes = useMemo(
    () => STROKES.map(touches => ({ sides: outline(touches), turns: touched(touches), way: middle(touches) })),
    [],
  )
  return (
    <svg className="ink-character" viewBox="0 0 1000 1000" role="img" aria-label="砚">
      <defs>
        {strokes.map(({ way }, index) => (
          <mask key={way} id={`ink-stroke-${index}`} maskUnits="userSpaceOnUse" x="0" y="0" width="1000" height="1000">
            <path
              d={way}
              pathLength={1}
              className="ink-stroke"
              style={{ animationDelay: `${0.25 + index * 0.36}s` }}
              fill="none"
              stroke="#fff"
              strokeWidth={UNCOVERING}
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </mask>
        ))}
      </defs>
      {strokes.map(({ sides, turns }, index) => (
        <g key={sides} fill="currentColor" mask={`url(#ink-stroke-${index})`}>
          <path d={sides} />
          <path d={turns} />
        </g>
      ))}
    </svg>
  )
}
