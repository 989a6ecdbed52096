import { type Box, BROKEN, type Figure, type Mark, PAPER, type Page } from './drawing.model.ts'

const short = (value: number): string => String(Math.round(value * 1000) / 1000)
const boxPath = ({ x, y, width, height }: Box): string =>
  `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`

/** A page as a picture of vectors, white where nothing lies; each shape stands in it once. */
export function svgOf(page: Page): string {
  const ids = new Map<Figure, string>()
  const idOf = (figure: Figure): string => {
    const id = ids.get(figure) ?? `f${ids.size}`
    ids.set(figure, id)
    return id
  }
  const marks = page.map(mark => markSvg(mark, idOf)).join('')
  const shapes = [...ids].map(([figure, id]) => `<path id="${id}" d="${figure}"/>`).join('')
  const size = `viewBox="0 0 ${PAPER.width} ${PAPER.height}" width="${PAPER.width}" height="${PAPER.height}"`
  const paper = `<path d="M0 0h${PAPER.width}v${PAPER.height}h${-PAPER.width}z" fill="#ffffff"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${shapes}</defs>${paper}${marks}</svg>`
}

function markSvg(mark: Mark, idOf: (figure: Figure) => string): string {
  if (mark.kind === 'boxes') return `<path fill="${mark.colour}" d="${mark.boxes.map(boxPath).join('')}"/>`
  if (mark.kind === 'figures') {
    const place = `translate(${mark.at.map(short).join(' ')})scale(${Math.round(mark.em * 1000) / 1_000_000})`
    const uses = mark.figures.map(figure => `<use href="#${idOf(figure)}"/>`).join('')
    return `<g fill="${mark.colour}" transform="${place}">${uses}</g>`
  }
  const lines = mark.lines.map(([from, to]) => `M${from.map(short).join(' ')}L${to.map(short).join(' ')}`)
  const broken = mark.isBroken ? ` stroke-dasharray="${BROKEN.join(' ')}"` : ''
  const path = [...mark.frames.map(boxPath), ...lines].join('')
  return `<path fill="none" stroke="${mark.colour}" stroke-width="${mark.width}"${broken} d="${path}"/>`
}
