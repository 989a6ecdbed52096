import { kaiFigure } from '#engines/copybook/kai.server.ts'
import { type Hand, PRACTISED } from '#engines/handwriting/demo-page.server.ts'
import { drawnByFont } from '#engines/stroke/demo-font.server.ts'
import { contoursOf, type Point } from '#engines/stroke/glyph.model.ts'

/** Figures are told in thousandths of the em. */
const THOUSANDTHS = 1_000

/** The font stands so much lower in its em than the stroke data does: where a font has its line is nobody's hand. */
const LOWER = 0.039

/** Writes as a font does whose strokes lie elsewhere than those of the stroke data; what it has no shape for stays empty. */
export async function strangeHand(): Promise<Hand> {
  const shapes = new Map<string, readonly (readonly Point[])[]>()
  for (const character of new Set(PRACTISED)) {
    const figure = await kaiFigure(character)
    if (figure === undefined) continue
    const contours = contoursOf(figure)
    shapes.set(
      character,
      contours.map(contour => contour.map(([x, y]): Point => [x / THOUSANDTHS, y / THOUSANDTHS - LOWER])),
    )
  }
  return glyph => {
    const shape = shapes.get(glyph.character)
    return shape ? drawnByFont(glyph, shape) : () => false
  }
}
