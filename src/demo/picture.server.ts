import { asPng, partsOf } from './png.server.ts'

const [WIDTH, HEIGHT] = [400, 300]

/** How far a point lies from the edge of a shape; below zero within it. */
type Shape = (x: number, y: number) => number

const disc =
  (cx: number, cy: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) - radius
const box =
  (cx: number, cy: number, width: number, height: number, round = 6): Shape =>
  (x, y) => {
    const [dx, dy] = [Math.abs(x - cx) - width / 2 + round, Math.abs(y - cy) - height / 2 + round]
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - round
  }
/** A stroke from one point to another that may grow thinner. */
const stroke =
  (x1: number, y1: number, x2: number, y2: number, thick: number, thin = thick): Shape =>
  (x, y) => {
    const [dx, dy] = [x2 - x1, y2 - y1]
    const at = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
    return Math.hypot(x - x1 - at * dx, y - y1 - at * dy) - (thick + at * (thin - thick)) / 2
  }

type Layer = readonly [Shape, colour: number]

const [INK, PAPER, RED, GOLD, WOOD] = [0x2b_30_38, 0xfd_fb_f5, 0xc8_45_3b, 0xd9_a4_41, 0xa8_7b_4f]

/** The sheet characters are written on, with its lines. */
const SHEET: readonly Layer[] = [
  [box(200, 150, 200, 200), PAPER],
  [box(200, 150, 184, 2, 1), 0xe3_b6_b0],
  [box(200, 150, 2, 184, 1), 0xe3_b6_b0],
  [stroke(110, 60, 290, 240, 1.5), 0xee_d2_ce],
  [stroke(290, 60, 110, 240, 1.5), 0xee_d2_ce],
]

/** What the demo business sells, as simple as signs over shops. */
const MOTIFS = {
  writing: [...SHEET, [stroke(200, 86, 200, 224, 15, 9), INK], [stroke(128, 140, 274, 128, 9, 17), INK]],
  person: [...SHEET, [stroke(206, 84, 132, 224, 17, 4), INK], [stroke(196, 140, 276, 216, 6, 22), INK]],
  pen: [
    [stroke(126, 232, 262, 82, 30), INK],
    [stroke(250, 96, 284, 58, 30, 26), RED],
    [stroke(126, 232, 102, 258, 26, 2), GOLD],
  ],
  book: [
    [box(200, 156, 170, 210, 10), WOOD],
    [box(208, 150, 158, 198, 8), PAPER],
    ...[90, 120, 150, 180, 210].map((y): Layer => [box(208, y, 112, 5, 2), 0xc9_c2_b4]),
  ],
  medal: [
    [stroke(158, 40, 196, 136, 34), RED],
    [stroke(242, 40, 204, 136, 34), 0xa9_35_2d],
    [disc(200, 184, 68), GOLD],
    [disc(200, 184, 52), 0xec_c2_6a],
    [stroke(200, 152, 200, 216, 12, 7), 0x9a_6e_1c],
    [stroke(170, 178, 232, 174, 7, 12), 0x9a_6e_1c],
  ],
  lamp: [
    [box(200, 250, 150, 18, 9), INK],
    [stroke(222, 246, 262, 152, 10), INK],
    [stroke(262, 152, 186, 84, 10), INK],
    [stroke(192, 88, 140, 118, 46, 70), GOLD],
    [disc(134, 132, 24), 0xff_f3_c9],
  ],
  gift: [
    [box(200, 178, 200, 132, 8), WOOD],
    [box(200, 116, 220, 40, 6), 0x8c_62_3c],
    [box(200, 162, 26, 164, 2), RED],
    [stroke(200, 94, 158, 62, 18, 12), RED],
    [stroke(200, 94, 242, 62, 18, 12), RED],
  ],
} as const satisfies Readonly<Record<string, readonly Layer[]>>
export type Motif = keyof typeof MOTIFS

const GROUNDS = [0xdf_ea_f4, 0xe6_ef_df, 0xf6_e7_dc, 0xec_e4_f2, 0xf5_ef_d6]

const drawn = new Map<string, Buffer>()

/** A picture of something that is sold, small and the same each time. */
export function drawPicture(motif: Motif, number: number): Buffer {
  const ground = number % GROUNDS.length
  const known = drawn.get(`${motif} ${ground}`) ?? draw(motif, partsOf(GROUNDS[ground] as number))
  drawn.set(`${motif} ${ground}`, known)
  return known
}

/** Layer by layer, without an object for any dot. */
function draw(motif: Motif, ground: readonly number[]): Buffer {
  const parts = Float32Array.from({ length: WIDTH * HEIGHT * 3 }, (_, at) => ground[at % 3] as number)
  for (const [shape, colour] of MOTIFS[motif]) {
    const own = partsOf(colour)
    for (let dot = 0; dot < WIDTH * HEIGHT; dot += 1) {
      // Half a dot to either side of the edge is mixed, so that it is smooth.
      const share = Math.min(1, 0.5 - shape(dot % WIDTH, Math.floor(dot / WIDTH)))
      if (share <= 0) continue
      for (let part = 0; part < 3; part += 1) {
        const below = parts[3 * dot + part] as number
        parts[3 * dot + part] = below + ((own[part] as number) - below) * share
      }
    }
  }
  return asPng({ width: WIDTH, bytes: Uint8Array.from(parts) })
}
