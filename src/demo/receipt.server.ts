import { asPng } from './png.server.ts'

export type Receipt = { readonly amount: string; readonly lines: readonly (readonly [label: string, value: string])[] }

const WIDTH = 360
const HEIGHT = 310
/** A sign is seven lines of five dots; a line is one digit to the base 32. Only what receipts say. */
const ROWS = 7
const COLUMNS = 5
const SIGNS: Readonly<Record<string, string>> = {
  '0': 'ehjlphe',
  '1': '4c4444e',
  '2': 'eh168gv',
  '3': 'u11e11u',
  '4': '26aiv22',
  '5': 'vgu11he',
  '6': 'egguhhe',
  '7': 'v124888',
  '8': 'ehhehhe',
  '9': 'ehhf11e',
  '.': '00000cc',
  ',': '0000c48',
  '-': '000v000',
  ':': '0cc0cc0',
  '¥': 'hav4v44',
  A: 'ehhvhhh',
  C: 'ehggghe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  I: 'e44444e',
  N: 'hpljhhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
}
/** Of the palette: paper, ink, quiet ink, green. */
const [PAPER, INK, QUIET, GREEN] = [0, 1, 2, 3] as const
const PALETTE = [0xff_ff_ff, 0x1f_23_29, 0x8a_92_9c, 0x2f_9e_44]

/** A picture of a transfer that went through, as a phone shows it: what people hand in as proof of a payment. */
export function drawReceipt({ amount, lines }: Receipt): Buffer {
  const dots = new Uint8Array(WIDTH * HEIGHT)
  const fill = (left: number, top: number, width: number, height: number, colour: number) => {
    for (let y = top; y < top + height; y += 1)
      dots.fill(colour, y * WIDTH + left, y * WIDTH + Math.min(WIDTH, left + width))
  }
  const write = (text: string, left: number, top: number, size: number, colour: number) =>
    [...text].forEach((sign, at) => {
      for (let y = 0; y < ROWS; y += 1) {
        const line = Number.parseInt(SIGNS[sign]?.[y] ?? '0', 32)
        for (let x = 0; x < COLUMNS; x += 1)
          if (line & (1 << (COLUMNS - 1 - x)))
            fill(left + (at * (COLUMNS + 1) + x) * size, top + y * size, size, size, colour)
      }
    })
  const centred = (text: string, top: number, size: number, colour: number) =>
    write(text, Math.round((WIDTH - text.length * (COLUMNS + 1) * size) / 2), top, size, colour)

  fill(0, 0, WIDTH, 72, GREEN)
  centred('PAID', 25, 3, PAPER)
  centred(amount, 112, 4, INK)
  lines.forEach(([label, value], at) => {
    const top = 196 + at * 56
    fill(24, top - 20, WIDTH - 48, 1, QUIET)
    write(label, 24, top, 2, QUIET)
    write(value, WIDTH - 24 - value.length * (COLUMNS + 1) * 2, top, 2, INK)
  })
  return asPng({ width: WIDTH, bytes: dots, palette: PALETTE })
}
