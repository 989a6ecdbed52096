import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { type Box, BROKEN, type Figure, type Mark, type Page } from './drawing.model.ts'

/** Points to the millimetre. */
const MM = 72 / 25.4
const short = (value: number): string => String(Math.round(value * 1000) / 1000)
const rectOf = ({ x, y, width, height }: Box): string => `${[x, y, width, height].map(short).join(' ')} re`

/**
 * Pages for any printer: nothing but lines and filled shapes, so that no font has to travel along. The same shape is always
 * told in the same words, wherever it lies, by which the file packs to a few kilobytes.
 */
export function pdfOf(pages: readonly Page[], { title, made }: { title: string; made: Date }): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    info: { Title: title, CreationDate: made, ModDate: made },
  })
  const written = buffer(pdf)
  for (const page of pages) {
    pdf.addPage()
    pdf.addContent(`${short(MM)} 0 0 ${short(MM)} 0 0 cm`)
    for (const mark of page) pdf.addContent(operators(mark))
  }
  pdf.end()
  return written
}

/** What draws a mark, on a page whose unit is the millimetre and whose y goes downward. */
function operators(mark: Mark): string {
  if (mark.kind === 'boxes') return `${colour(mark.colour)} rg ${mark.boxes.map(rectOf).join(' ')} f`
  if (mark.kind === 'figures') {
    const scale = String(Math.round(mark.em * 1000) / 1_000_000)
    const place = `${scale} 0 0 ${scale} ${mark.at.map(short).join(' ')} cm`
    return `q ${place} ${colour(mark.colour)} rg ${mark.figures.map(shape).join(' ')} f Q`
  }
  const lines = mark.lines.map(([from, to]) => `${from.map(short).join(' ')} m ${to.map(short).join(' ')} l`)
  const broken = mark.isBroken ? BROKEN.join(' ') : ''
  const style = `${colour(mark.colour)} RG ${mark.width} w [${broken}] 0 d`
  return `${style} ${[...mark.frames.map(rectOf), ...lines].join(' ')} S`
}

const shape = (figure: Figure): string =>
  figure.replaceAll(/([MLZ])([^MLZ]*)/g, (_, command: string, at: string) =>
    command === 'Z' ? 'h ' : `${at} ${command.toLowerCase()} `,
  )

const colour = (hex: string): string =>
  [1, 3, 5].map(at => short(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(' ')
