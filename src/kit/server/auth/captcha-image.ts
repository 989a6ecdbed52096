import { crc32, deflateSync } from 'node:zlib'

/** Shown at 120 × 40; drawn at twice that for sharp screens. */
const WIDTH = 240
const HEIGHT = 80
/** A ground and an ink of its own: it reads the same in the light and in the dark theme. */
const GROUND = [247, 249, 252] as const
const INK = [28, 48, 84] as const

type Point = readonly [x: number, y: number]
type Stroke = { readonly points: readonly Point[]; readonly halfWidth: number; readonly ink: number }

/** Strokes on a grid 4 wide and 6 high: a point is two digits, "|" lifts the pen. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '06 20 46|14 34',
  B: '00 06 36 45 44 33 03|33 42 41 30 00',
  C: '41 30 10 01 05 16 36 45',
  D: '00 06 26 44 42 20 00',
  E: '40 00 06 46|03 33',
  F: '40 00 06|03 33',
  G: '41 30 10 01 05 16 36 45 43 23',
  H: '00 06|40 46|03 43',
  I: '10 30|20 26|16 36',
  J: '10 40|30 35 26 16 05',
  K: '00 06|40 03 46',
  L: '00 06 46',
  M: '06 00 23 40 46',
  N: '06 00 46 40',
  O: '10 30 41 45 36 16 05 01 10',
  P: '06 00 30 41 42 33 03',
  Q: '10 30 41 45 36 16 05 01 10|34 46',
  R: '06 00 30 41 42 33 03|23 46',
  S: '41 30 10 01 02 13 33 44 45 36 16 05',
  T: '00 40|20 26',
  U: '00 05 16 36 45 40',
  V: '00 26 40',
  W: '00 16 23 36 40',
  X: '00 46|40 06',
  Y: '00 23 40|23 26',
  Z: '00 40 06 46',
  0: '20 31 35 26 15 11 20',
  1: '11 20 26|16 36',
  2: '01 10 30 41 42 06 46',
  3: '01 10 30 41 42 33 23|33 44 45 36 16 05',
  4: '36 30 04 44',
  5: '40 00 02 32 43 45 36 16 05',
  6: '30 11 03 05 16 36 45 44 33 13 04',
  7: '00 40 16',
  8: '13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33',
  9: '16 35 43 41 30 10 01 02 13 33 42',
}
const GRID: Point = [4, 6]

/** No two of these are taken for each other, however crooked they stand. */
export const CAPTCHA_ALPHABET = 'ACDEFHJKLMNPRTUVWXY34679'

const GLYPH_HEIGHT = 46
const MARGIN = 14
const NOISE_STROKES = 4

/** The answer as a PNG picture: each sign placed, turned and sized at random, with a few strokes across. */
export function drawCaptcha(answer: string, random: () => number = Math.random): Buffer {
  const between = (from: number, to: number) => from + random() * (to - from)
  const signs = [...answer.toUpperCase()]
  const cell = (WIDTH - 2 * MARGIN) / signs.length
  const strokes = signs.flatMap((sign, index) => glyph(sign, MARGIN + cell * (index + 0.5), cell, between))
  const noise = Array.from({ length: NOISE_STROKES }, () => noiseStroke(between))
  return encodePng(paint([...noise, ...strokes]))
}

type Between = (from: number, to: number) => number

function glyph(sign: string, centre: number, cell: number, between: Between): Stroke[] {
  const drawn = GLYPHS[sign]
  if (drawn === undefined) throw new Error(`the captcha has no sign ${sign}`)
  const height = GLYPH_HEIGHT * between(0.85, 1.1)
  const width = Math.min(height * 0.62, cell * 0.68)
  const turn = between(-0.3, 0.3)
  const [dx, dy] = [between(-0.1, 0.1) * cell, between(-6, 6)]
  const halfWidth = between(2.2, 3.1)
  return drawn.split('|').map(line => ({
    halfWidth,
    ink: 1,
    points: line.split(' ').map(([column, row]): Point => {
      const x = (Number(column) / GRID[0] - 0.5) * width
      const y = (Number(row) / GRID[1] - 0.5) * height
      return [
        centre + dx + x * Math.cos(turn) - y * Math.sin(turn),
        HEIGHT / 2 + dy + x * Math.sin(turn) + y * Math.cos(turn),
      ]
    }),
  }))
}

function noiseStroke(between: Between): Stroke {
  const points = [0, 0.25, 0.5, 0.75, 1].map((part): Point => [part * WIDTH + between(-12, 12), between(6, HEIGHT - 6)])
  return { points, halfWidth: between(0.7, 1.2), ink: between(0.35, 0.6) }
}

/** How much ink each pixel holds, 0 to 255: full inside a stroke, fading over the pixel its edge crosses. */
function paint(strokes: readonly Stroke[]): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT)
  for (const { points, halfWidth, ink } of strokes) {
    for (const [index, to] of points.entries()) {
      const from = points[index - 1]
      if (from) paintSegment(pixels, from, to, halfWidth, ink)
    }
  }
  return pixels
}

function paintSegment(pixels: Uint8Array, [ax, ay]: Point, [bx, by]: Point, halfWidth: number, ink: number): void {
  const reach = halfWidth + 1
  const [left, right] = [
    Math.max(0, Math.floor(Math.min(ax, bx) - reach)),
    Math.min(WIDTH - 1, Math.ceil(Math.max(ax, bx) + reach)),
  ]
  const [top, bottom] = [
    Math.max(0, Math.floor(Math.min(ay, by) - reach)),
    Math.min(HEIGHT - 1, Math.ceil(Math.max(ay, by) + reach)),
  ]
  const squared = (bx - ax) ** 2 + (by - ay) ** 2 || 1
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const along = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared))
      const distance = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))
      const cover = Math.min(1, Math.max(0, halfWidth + 0.5 - distance)) * ink * 255
      const at = y * WIDTH + x
      if (cover > (pixels[at] as number)) pixels[at] = cover
    }
  }
}

/** An indexed picture whose palette runs from the ground to the ink, so that a pixel is one byte. */
function encodePng(pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const palette = Buffer.from(
    Array.from({ length: 256 }, (_, ink) =>
      GROUND.map((ground, part) => mixed(ground, INK[part] as number, ink)),
    ).flat(),
  )
  // Each line begins with the byte that says it is not filtered.
  const lines = Buffer.alloc((WIDTH + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y += 1) lines.set(pixels.subarray(y * WIDTH, (y + 1) * WIDTH), y * (WIDTH + 1) + 1)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const mixed = (ground: number, ink: number, part: number): number => Math.round(ground + ((ink - ground) * part) / 255)

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
