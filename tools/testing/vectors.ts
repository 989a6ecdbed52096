import { inflateSync } from 'node:zlib'

export type Place = readonly [x: number, y: number]
export type Frame = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
/** Shapes filled at once: where their middle lies, how large their em is, and each as the words that draw it. */
export type Filled = {
  readonly colour: string
  readonly at: Place
  readonly em: number
  readonly shapes: readonly string[]
}
export type ReadPage = {
  readonly frames: readonly (Frame & { readonly colour: string })[]
  readonly lines: readonly { readonly from: Place; readonly to: Place; readonly colour: string }[]
  readonly filled: readonly Filled[]
  readonly boxes: readonly Frame[]
}

const PAGE_STREAM = /stream\r?\n([\s\S]*?)\r?\nendstream/g
const NUMBER = /^-?(\d+\.?\d*|\.\d+)$/

/** What lies on each page of a PDF of vectors, in millimetres from the upper left, read from the file as a printer would. */
export function readVectors(pdf: Buffer): ReadPage[] {
  return [...pdf.toString('latin1').matchAll(PAGE_STREAM)]
    .map(([, packed]) => inflateSync(Buffer.from(packed as string, 'latin1')).toString('latin1'))
    .filter(content => / re| l/.test(content))
    .map(readContent)
}

type Sheet = {
  frames: (Frame & { colour: string })[]
  lines: ReadPage['lines'][number][]
  filled: Filled[]
  boxes: Frame[]
}
type Pen = { stroke: string; fill: string; scale: number; at: Place }

function readContent(content: string): ReadPage {
  const sheet: Sheet = { frames: [], lines: [], filled: [], boxes: [] }
  let pen: Pen | undefined
  let kept: Pen | undefined
  const [stack, rects, path]: [number[], Frame[], string[]] = [[], [], []]
  const colour = () =>
    stack
      .splice(0)
      .map(value =>
        Math.round(value * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  const draw = new Map<string, () => void>([
    [
      'cm',
      () => {
        const [scale, , , , x, y] = stack.splice(0) as [number, number, number, number, number, number]
        // The first two turn points that go upward into millimetres that go downward.
        if (pen) Object.assign(pen, { scale, at: [x, y] })
        else if (scale !== 1) pen = { stroke: '', fill: '', scale: 1, at: [0, 0] }
      },
    ],
    [
      'q',
      () => {
        kept = pen && { ...pen }
      },
    ],
    [
      'Q',
      () => {
        pen = kept
      },
    ],
    ['rg', () => void Object.assign(pen as Pen, { fill: `#${colour()}` })],
    ['RG', () => void Object.assign(pen as Pen, { stroke: `#${colour()}` })],
    [
      're',
      () => {
        const [x, y, width, height] = stack.splice(0) as [number, number, number, number]
        rects.push({ x, y, width, height })
      },
    ],
    ['m', () => void path.push(`M${stack.splice(0).join(' ')}`)],
    ['l', () => void path.push(`L${stack.splice(0).join(' ')}`)],
    ['h', () => void path.push('Z')],
    ['S', () => stroke(sheet, rects.splice(0), path.splice(0), pen as Pen)],
    ['f', () => fill(sheet, rects.splice(0), path.splice(0), pen as Pen)],
  ])
  for (const token of content.replace(/\[[^\]]*\]/g, '').split(/\s+/)) {
    if (NUMBER.test(token)) stack.push(Number(token))
    else {
      draw.get(token)?.()
      stack.length = 0
    }
  }
  return sheet
}

function stroke(sheet: Sheet, rects: readonly Frame[], path: readonly string[], { stroke: colour }: Pen): void {
  sheet.frames.push(...rects.map(rect => ({ ...rect, colour })))
  const place = (step: string | undefined) => (step ?? '').slice(1).split(' ').map(Number) as unknown as Place
  for (let at = 0; at < path.length; at += 2)
    sheet.lines.push({ from: place(path[at]), to: place(path[at + 1]), colour })
}

function fill(sheet: Sheet, rects: readonly Frame[], path: readonly string[], pen: Pen): void {
  sheet.boxes.push(...rects)
  if (path.length === 0) return
  const shapes = path.join('').match(/M[^Z]*Z/g) ?? []
  sheet.filled.push({ colour: pen.fill, at: pen.at, em: pen.scale * 1_000, shapes })
}
