import sharp from 'sharp'
import { type Random, randomFrom } from '#demo/builders.server.ts'
import { between } from './demo-hand.server.ts'
import type { Sheet } from './demo-sheet.server.ts'
import type { Point } from './glyph.model.ts'
import { inverseOf, type View, viewOf } from './plane.model.ts'

/** How a page was photographed. */
export type Shot = {
  /** Of the picture, in dots. */
  readonly longSide: number
  /** In degrees. */
  readonly tilt: number
  /** How far a corner may be moved by perspective, as a share of the side. */
  readonly perspective: number
  /** How much darker it is within the shadow, 0 to 1. */
  readonly shadow: number
}
export type Photo = {
  readonly picture: Buffer
  readonly width: number
  readonly height: number
  /** From the sheet into the picture. */
  readonly view: View
}

export const usualShot = (chance: Random): Shot => ({
  longSide: chance.weighted([
    [1600, 4],
    [2400, 3],
    [4000, 1],
  ]),
  tilt: between(chance, -8, 8),
  perspective: 0.02,
  shadow: between(chance, 0, 0.45),
})

const DESK = [128, 96, 70] as const
const NOISE = 7
const BLUR = 0.7
const JPEG_QUALITY = 82
/** Share of the picture that a page takes. */
const FILLS = 0.92

/** A phone's picture of a page on a desk: turned, in perspective, with a shadow over it, noise and compression. */
export async function photograph(sheet: Sheet, shot: Shot, chance: Random): Promise<Photo> {
  const shrink = shot.longSide / Math.max(sheet.width, sheet.height)
  const [width, height] = [Math.round(sheet.width * shrink), Math.round(sheet.height * shrink)]
  const view = cameraView(sheet, { ...shot, width, height }, chance)
  const dots = expose(sheet, { width, height, view, light: lightOf(width, height, shot.shadow, chance) }, chance)
  const picture = await sharp(dots, { raw: { width, height, channels: 3 } })
    .blur(BLUR)
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer()
  return { picture, width, height, view }
}

type Frame = Shot & { readonly width: number; readonly height: number }

function cameraView(sheet: Sheet, { tilt, perspective, width, height }: Frame, chance: Random): View {
  const angle = (tilt * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const corners: Point[] = [
    [0, 0],
    [sheet.width, 0],
    [sheet.width, sheet.height],
    [0, sheet.height],
  ]
  const turned = corners.map(([x, y]): Point => {
    const [dx, dy] = [x - sheet.width / 2, y - sheet.height / 2]
    return [
      dx * cos - dy * sin + between(chance, -perspective, perspective) * sheet.width,
      dx * sin + dy * cos + between(chance, -perspective, perspective) * sheet.height,
    ]
  })
  const fit = Math.min(
    ...turned.flatMap(([x, y]) => [(FILLS * width) / 2 / Math.abs(x), (FILLS * height) / 2 / Math.abs(y)]),
  )
  return viewOf(
    corners.map((corner, i) => {
      const [x, y] = turned[i] as Point
      return [corner, [width / 2 + x * fit, height / 2 + y * fit]] as const
    }),
  )
}

type Light = (x: number, y: number) => number

/** One soft edge of shadow, and a lens that is darker towards its rim. */
function lightOf(width: number, height: number, shadow: number, chance: Random): Light {
  const way = between(chance, 0, 2 * Math.PI)
  const [wx, wy] = [Math.cos(way) / width, Math.sin(way) / height]
  const [edge, soft] = [between(chance, -0.3, 0.3), between(chance, 12, 40)]
  return (x, y) => {
    const [dx, dy] = [x - width / 2, y - height / 2]
    const within = 1 / (1 + Math.exp(-soft * (dx * wx + dy * wy - edge)))
    const rim = 1 - 0.35 * ((dx / width) ** 2 + (dy / height) ** 2)
    return rim * (1 - shadow * within)
  }
}

type Exposure = { readonly width: number; readonly height: number; readonly view: View; readonly light: Light }

/** Light changes slowly: it is asked once for so many dots of a line. */
const LIGHT_STEP = 8

/** Dot by dot, without an object for any of them: twelve million are usual. */
function expose(sheet: Sheet, { width, height, view, light }: Exposure, chance: Random): Uint8Array {
  const [a, b, c, d, e, f, g, h] = inverseOf(view) as [number, number, number, number, number, number, number, number]
  const dots = new Uint8Array(width * height * 3)
  const noise = noiseOf(chance)
  let shade = 1
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (x % LIGHT_STEP === 0) shade = light(x, y)
      const [px, py] = [x + 0.5, y + 0.5]
      const depth = g * px + h * py + 1
      const sx = (a * px + b * py + c) / depth - 0.5
      const sy = (d * px + e * py + f) / depth - 0.5
      const isDesk = sx < 0 || sy < 0 || sx >= sheet.width - 1 || sy >= sheet.height - 1
      const at = 3 * (y * width + x)
      for (let part = 0; part < 3; part += 1) {
        const colour = isDesk ? (DESK[part] as number) : colourAt(sheet, sx, sy, part)
        dots[at + part] = Math.max(0, Math.min(255, colour * shade + noise()))
      }
    }
  return dots
}

function colourAt({ width, dots }: Sheet, x: number, y: number, part: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [fx, fy] = [x - left, y - top]
  const at = 3 * (top * width + left) + part
  const below = at + 3 * width
  const upper = (dots[at] as number) * (1 - fx) + (dots[at + 3] as number) * fx
  const lower = (dots[below] as number) * (1 - fx) + (dots[below + 3] as number) * fx
  return upper * (1 - fy) + lower * fy
}

/** A sensor's noise, taken from a table by a cheap counter: a picture has thirty million of them. */
function noiseOf(chance: Random): () => number {
  const steady = randomFrom(chance.whole(0, 2 ** 31))
  const table = Float32Array.from(
    { length: 8192 },
    () => NOISE * 1.7 * (steady.fraction() + steady.fraction() + steady.fraction() - 1.5),
  )
  let state = steady.whole(1, 2 ** 31)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return table[(state >>> 16) & 8191] as number
  }
}
