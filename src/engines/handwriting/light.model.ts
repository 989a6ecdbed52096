/** One number for each dot. */
export type Grey = { readonly width: number; readonly height: number; readonly dots: Uint8Array }
/** How bright the paper is, block by block: shadows, lamps and the lens are slow, ink and lines are not. */
export type Paper = { readonly columns: number; readonly rows: number; readonly levels: Float32Array }

/** Wider than any stroke, narrower than the edge of a shadow. */
const BLOCK = 24
/** Of the dots of a block; what is written or printed on it is darker. */
const PAPER_SHARE = 0.85

export function paperOf(grey: Grey): Paper {
  const [columns, rows] = [Math.ceil(grey.width / BLOCK), Math.ceil(grey.height / BLOCK)]
  const own = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      own[row * columns + column] = blockLevel(grey, column * BLOCK, row * BLOCK)
  // A block full of ink takes the paper of its neighbours.
  const levels = own.map((_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)]
    let most = 1
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1)
        most = Math.max(most, own[y * columns + x] as number)
    return most
  })
  return { columns, rows, levels }
}

const counts = new Uint16Array(256)

function blockLevel({ width, height, dots }: Grey, left: number, top: number): number {
  counts.fill(0)
  let seen = 0
  // Every other dot of every other line tells it as well as all of them.
  for (let y = top; y < Math.min(height, top + BLOCK); y += 2)
    for (let x = left; x < Math.min(width, left + BLOCK); x += 2) {
      counts[dots[y * width + x] as number] = (counts[dots[y * width + x] as number] as number) + 1
      seen += 1
    }
  let brighter = seen * (1 - PAPER_SHARE)
  let level = 255
  for (; level > 0; level -= 1) {
    brighter -= counts[level] as number
    if (brighter < 0) break
  }
  return level
}

/** Between the middles of blocks it changes evenly. */
export function paperLevel({ columns, rows, levels }: Paper, x: number, y: number): number {
  const bx = Math.max(0, Math.min(columns - 1, (x + 0.5) / BLOCK - 0.5))
  const by = Math.max(0, Math.min(rows - 1, (y + 0.5) / BLOCK - 0.5))
  const [left, top] = [Math.floor(bx), Math.floor(by)]
  const [right, bottom] = [Math.min(columns - 1, left + 1), Math.min(rows - 1, top + 1)]
  const [fx, fy] = [bx - left, by - top]
  const upper = (levels[top * columns + left] as number) * (1 - fx) + (levels[top * columns + right] as number) * fx
  const lower =
    (levels[bottom * columns + left] as number) * (1 - fx) + (levels[bottom * columns + right] as number) * fx
  return upper * (1 - fy) + lower * fy
}

/** Every dot against the paper it lies on: 1 is bare paper. */
export function flattened(grey: Grey, paper: Paper): Float32Array {
  const flat = new Float32Array(grey.dots.length)
  const step = 8
  for (let y = 0; y < grey.height; y += 1)
    for (let from = 0; from < grey.width; from += step) {
      const factor = 1 / paperLevel(paper, from + step / 2, y)
      const [begin, end] = [y * grey.width + from, y * grey.width + Math.min(grey.width, from + step)]
      for (let at = begin; at < end; at += 1) flat[at] = (grey.dots[at] as number) * factor
    }
  return flat
}
