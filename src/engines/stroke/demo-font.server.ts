import { type Draw, type Move, placement, wavesOf } from './demo-hand.server.ts'
import { type Glyph, type Point, pacedOf } from './glyph.model.ts'
import { fillContours, type Mask } from './raster.model.ts'

type Contours = readonly (readonly Point[])[]

/** Dots between two points of a stroke that ink is given to. */
const PACE = 1.5
/** Of a cell: ink so near another stroke is that one's too, where both cross. */
const CROSSING = 0.02
/** Of what a stroke takes of the ink, by its share of the model's: less or more has gone where it lies elsewhere in the font. */
const ERASED = { least: 0.6, most: 1.6 }

/** Puts a character into a mask as a font has it, around the middle of its em. It has no strokes: one that is left out is erased. */
export const drawnByFont =
  (glyph: Glyph, contours: Contours): Draw =>
  (mask, place, writing, chance) => {
    if (writing.again !== undefined) return false
    const onSheet = placement(place, writing)
    const waves = wavesOf(chance, 0.007)
    const move: Move = point => onSheet(waves(point))
    fillContours(
      mask,
      contours.map(contour => contour.map(move)),
    )
    return writing.missing === undefined || erase(mask, glyph, contours, { stroke: writing.missing, move, ...place })
  }

type Erasing = { readonly stroke: number; readonly move: Move; readonly cell: number }

/** The ink that is nearer to this stroke of the model than to any other, once the model lies in the frame of the font. */
function erase(mask: Mask, glyph: Glyph, contours: Contours, { stroke, move, cell }: Erasing): boolean {
  const lay = laidOn(glyph, contours)
  const lines = glyph.strokes.map(({ median }) =>
    pacedOf(
      median.map(point => move(lay(point))),
      PACE,
    ),
  )
  const far = ([x, y]: Point, of: number): number =>
    Math.min(...(lines[of] ?? []).map(({ at }) => Math.hypot(at[0] - x, at[1] - y)))
  const others = lines.map((_, of) => of).filter(of => of !== stroke)
  let [inked, erased] = [0, 0]
  for (let at = 0; at < mask.dots.length; at += 1) {
    if (mask.dots[at] === 0) continue
    inked += 1
    const dot: Point = [(at % mask.width) + 0.5, Math.floor(at / mask.width) + 0.5]
    const nearest = Math.min(...others.map(of => far(dot, of)))
    if (nearest <= CROSSING * cell || nearest < far(dot, stroke)) continue
    mask.dots[at] = 0
    erased += 1
  }
  const areas = glyph.strokes.map(({ outline }) => areaOf(outline))
  const meant = (inked * (areas[stroke] as number)) / areas.reduce((sum, area) => sum + area, 0)
  return erased >= ERASED.least * meant && erased <= ERASED.most * meant
}

/** From the frame of the model's outlines into that of the font's. */
function laidOn({ strokes }: Glyph, contours: Contours): Move {
  const [from, to] = [frameOf(strokes.map(({ outline }) => outline)), frameOf(contours)]
  const scale = (side: 'width' | 'height') => to[side] / (from[side] || 1)
  return ([x, y]) => [to.left + (x - from.left) * scale('width'), to.top + (y - from.top) * scale('height')]
}

function frameOf(contours: Contours) {
  const [xs, ys] = [contours.flatMap(line => line.map(([x]) => x)), contours.flatMap(line => line.map(([, y]) => y))]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}

const areaOf = (outline: readonly Point[]): number =>
  Math.abs(
    outline.reduce((sum, [x, y], at) => {
      const [nextX, nextY] = outline[(at + 1) % outline.length] as Point
      return sum + x * nextY - nextX * y
    }, 0),
  ) / 2
